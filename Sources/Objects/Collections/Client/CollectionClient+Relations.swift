internal import JSON

// Conversion of entities to objects with their related objects, immediately or later.

extension CollectionClient {
  /// Delivers the objects of entities, and starts to load their background relations.
  mutating func deliver(
    _ entities: [JSONObject], of query: QueryCall, _ call: CallNumber, isFromCache: Bool,
    isLast: Bool = true
  ) {
    guard let open = collections[query.collection] else { return }
    let objects = entities.map { object(of: $0, open, level: 0, query) }
    let callback = CollectionCallback(call, .objects(objects), isFromCache: isFromCache)
    if isLast { finish(callback, steps: query.total) } else { emit(.callBack(callback)) }
    // Requested levels are already loaded.
    if query.depth == 0 {
      for entity in entities { fillComputed(entity, open, call: call) }
    }
  }

  /// The object of an entity, with the requested levels of related objects as far as loaded.
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

  // MARK: Background relations

  /// Loads the background relations of an entity, as the setters of computed properties do when
  /// they get ids.
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
      // Network first, then the cache.
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
