internal import JSON

// From entities to objects with what they lead to, at once or later.

extension CollectionClient {
  /// Calls back with the objects of entities, and begins to load what is loaded in the background.
  mutating func deliver(
    _ entities: [JSONObject], of query: QueryCall, _ call: CallNumber, isFromCache: Bool,
    isLast: Bool = true
  ) {
    guard let open = collections[query.collection] else { return }
    let objects = entities.map { object(of: $0, open, level: 0, query) }
    let callback = CollectionCallback(call, .objects(objects), isFromCache: isFromCache)
    if isLast { finish(callback, steps: query.total) } else { emit(.callBack(callback)) }
    // What was asked for is here already.
    if query.depth == 0 {
      for entity in entities { fillComputed(entity, open, call: call) }
    }
  }

  /// The object of an entity; as many levels of related ones as were asked for, and are here.
  private func object(
    of entity: JSONObject, _ open: OpenCollection, level: Int64, _ query: QueryCall
  ) -> CollectionObject {
    var object = open.description.object(
      of: entity, forgetsComputed: query.depth == 0 && !open.options.keepsStoredIDs)
    guard level < query.depth else { return object }
    for reference in open.description.properties.compactMap({ $0.reference }) {
      guard let end = collections[reference.collection] else { continue }
      object.related[reference.relation] = object.related[reference.relation]?.map { related in
        guard case .id(let id) = related else { return related }
        let key = EntityKey(reference.collection, id)
        guard let entity = query.loaded[key] ?? cache[key] else { return related }
        return .object(self.object(of: entity, end, level: level + 1, query))
      }
    }
    return object
  }

  // MARK: In the background

  /// Does what the setters of computed properties do: asks for the objects of the ids they get.
  ///
  /// Source: the guide, "Loads".
  private mutating func fillComputed(
    _ entity: JSONObject, _ open: OpenCollection, call: CallNumber
  ) {
    guard let owner = entity[EntityField.id]?.textValue else { return }
    for reference in open.description.properties.compactMap({ $0.reference })
    where reference.isComputed {
      let ids = open.description.ids(reference, in: entity)
      var relation = FilledRelation(
        call: call, collection: open.description.name, id: owner, relation: reference.relation,
        objects: [])
      if collections[reference.collection] == nil {
        relation.error = .notOpen(reference.collection)
      }
      guard !ids.isEmpty, relation.error == nil else {
        emit(.fill(relation))
        continue
      }
      send(
        .get, reference.collection, parameters: CollectionQuery.ids(ids).parameters,
        for: .fill(relation, reference, ids: ids))
    }
  }

  mutating func filled(
    _ reply: BackendReply, _ relation: FilledRelation, reference: CollectionReference,
    ids: [JSONString]
  ) {
    var relation = relation
    var entities: [JSONObject] = []
    switch Self.entities(reply) {
    case .success(let found):
      entities = Self.ordered(found, by: ids)
      remember(entities, of: nil, in: reference.collection)
    case .failure(let error):
      // The network comes first, and what is remembered after it.
      if case .failure = reply {
        entities = ids.compactMap { cache[EntityKey(reference.collection, $0)] }
      }
      if entities.count < ids.count {
        entities = []
        relation.error = error
      }
    }
    if let open = collections[reference.collection] {
      relation.objects = entities.map { open.description.object(of: $0, forgetsComputed: false) }
    }
    emit(.fill(relation))
  }
}
