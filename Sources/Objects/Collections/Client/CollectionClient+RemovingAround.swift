internal import JSON

// Objects related to the removed ones: either the referring objects are saved without the ids, or
// the referenced objects are removed, the farthest first. So no dangling reference exists at any
// time, unless a request fails between the two.

extension CollectionClient {
  // MARK: Referring objects

  mutating func findOwners(_ removal: RemovalCall, _ call: CallNumber) {
    var removal = removal
    for name in openCollections {
      let references = collections.references(of: name, leadingTo: removal.collection)
      guard !references.isEmpty else { continue }
      let parts = references.map { field, reference in
        CollectionFilter(
          [.field(field, .meets([.isIn(removal.ids.map { reference.value(of: $0) })]))])
      }
      let filter = parts.count == 1 ? parts[0] : CollectionFilter([.any(parts)])
      removal.waiting += 1
      send(
        .get, name, parameters: CollectionQuery(filter).parameters,
        for: .removal(call, .findOwners(collection: name)))
    }
    guard removal.waiting == 0 else {
      calls[call] = .removal(removal)
      return
    }
    removeObjects(removal, call)
  }

  mutating func foundOwners(
    _ reply: BackendReply, _ collection: JSONString, removal: inout RemovalCall,
    call: CallNumber
  ) {
    switch Self.entities(reply) {
    case .success(let entities):
      removal.front += entities.map { RemovalCall.Pair(collection: collection, entity: $0) }
    case .failure(let error): removal.error = removal.error ?? error
    }
    endStep(removal, call) { $0.releaseOwners($1, call) }
  }

  /// Saves the referring objects without the ids of the removed ones.
  private mutating func releaseOwners(_ removal: RemovalCall, _ call: CallNumber) {
    var removal = removal
    removal.done = 1
    progress(call, removal.done, of: removal.steps)
    let gone = Set(removal.ids)
    for owner in removal.front {
      guard let id = owner.entity[EntityField.id]?.textValue,
        !removal.met.contains(EntityKey(owner.collection, id))
      else { continue }
      var entity = owner.entity
      for (field, reference) in collections.references(
        of: owner.collection, leadingTo: removal.collection)
      {
        entity[field] = reference.replacing(in: entity[field]) { gone.contains($0) ? nil : $0 }
      }
      removal.waiting += 1
      send(
        .put, owner.collection, path: id, body: .object(entity),
        for: .removal(call, .releaseOwner(EntityKey(owner.collection, id), entity)))
    }
    removal.front = []
    endStep(removal, call) { $0.removeObjects($1, call) }
  }

  // MARK: Referenced objects

  private func cascading(_ collection: JSONString) -> [CollectionReference] {
    collections[collection]?.description.properties
      .compactMap { $0.reference }.filter { $0.cascades } ?? []
  }

  func leadsFarther(_ collection: JSONString) -> Bool { !cascading(collection).isEmpty }

  mutating func load(
    _ groups: [RemovalCall.Group], _ removal: RemovalCall, call: CallNumber
  ) {
    var removal = removal
    removal.waiting = groups.count
    calls[call] = .removal(removal)
    for group in groups {
      send(
        .get, group.collection, parameters: CollectionQuery.ids(group.ids).parameters,
        for: .removal(call, .follow(group)))
    }
  }

  mutating func followed(
    _ reply: BackendReply, _ group: RemovalCall.Group, removal: inout RemovalCall,
    call: CallNumber
  ) {
    switch Self.entities(reply) {
    case .success(let entities):
      removal.front += Self.ordered(entities, by: group.ids)
        .map { RemovalCall.Pair(collection: group.collection, entity: $0) }
    case .failure(let error): removal.error = removal.error ?? error
    }
    endStep(removal, call) { $0.follow($1, call) }
  }

  /// Computes the next level of referenced objects, and loads those with further references.
  mutating func follow(_ removal: RemovalCall, _ call: CallNumber) {
    var removal = removal
    var level: [RemovalCall.Group] = []
    for pair in removal.front {
      guard let description = collections[pair.collection]?.description else { continue }
      for reference in cascading(pair.collection) {
        let ids = description.ids(reference, in: pair.entity)
          .filter { removal.met.insert(EntityKey(reference.collection, $0)).inserted }
        guard !ids.isEmpty else { continue }
        if let place = level.firstIndex(where: { $0.collection == reference.collection }) {
          level[place].ids += ids
        } else {
          level.append(RemovalCall.Group(collection: reference.collection, ids: ids))
        }
      }
    }
    removal.front = []
    if !level.isEmpty { removal.levels.append(level) }
    let next = level.filter { leadsFarther($0.collection) }
    guard next.isEmpty else { return load(next, removal, call: call) }
    removal.done = 1
    progress(call, removal.done, of: removal.steps)
    removeFarthest(removal, call)
  }

  mutating func removeFarthest(_ removal: RemovalCall, _ call: CallNumber) {
    var removal = removal
    guard let level = removal.levels.popLast() else { return removeObjects(removal, call) }
    for group in level {
      let batch = Int(clamping: collections[group.collection]?.options.removalBatch ?? 100)
      for ids in group.ids.chunks(of: batch) {
        let part = RemovalCall.Group(collection: group.collection, ids: ids)
        removal.waiting += 1
        sendRemoval(part, for: .removal(call, .removeRelated(part)))
      }
    }
    calls[call] = .removal(removal)
  }
}

extension [JSONString: CollectionClient.OpenCollection] {
  /// The references of a collection to another, with their fields.
  func references(
    of collection: JSONString, leadingTo other: JSONString
  ) -> [(field: JSONString, reference: CollectionReference)] {
    self[collection]?.description.properties.compactMap { property in
      guard let reference = property.reference, reference.collection == other else { return nil }
      return (property.field, reference)
    } ?? []
  }
}
