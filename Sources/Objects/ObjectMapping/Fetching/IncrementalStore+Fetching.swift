public import Datastore
public import JSON

// Fetches: predicates are compiled to selectors, which the datastore evaluates.

extension IncrementalStore {
  /// The objects of a fetch.
  ///
  /// Throws `predicate` for an invalid predicate, and `datastore` with `unsupported` if the
  /// datastore lacks `find` or a required comparison.
  public func fetch(_ request: ObjectFetchRequest) throws(StoreError) -> [ManagedObject] {
    let documents = try documents(request)
    guard !documents.isOrdered else {
      return try documents.found.objects(of: self)
    }
    return request.arranged(try documents.found.objects(of: self))
  }

  /// The ids of the objects of a fetch.
  public func fetchIDs(_ request: ObjectFetchRequest) throws(StoreError) -> [ObjectID] {
    let documents = try documents(request, fields: ["_id"])
    guard documents.isOrdered else { return try fetch(request).map { $0.id } }
    return documents.found.map { $0.id }
  }

  /// The number of objects of a fetch, with offset and limit applied.
  public func count(_ request: ObjectFetchRequest) throws(StoreError) -> Int64 {
    try request.check(in: model)
    var request = request
    request.sort = []
    return Int64(try fetchIDs(request).count)
  }

  /// Changes properties of all objects of a fetch, and returns their ids.
  ///
  /// Each object is updated as in a save, with its version incremented; the updates are atomic if
  /// saves are.
  @discardableResult
  public func updateAll(
    _ request: ObjectFetchRequest, to properties: [JSONString: PropertyValue]
  ) throws(StoreError) -> [ObjectID] {
    try check(properties, of: request.entity)
    let objects = try fetch(request)
    let changed = Set(properties.keys)
    let updates = objects.map { object in
      var object = object
      for (name, value) in properties { object.properties[name] = value }
      return SaveRequest.Update(object, changed: changed)
    }
    try save(SaveRequest(updated: updates))
    return objects.map { $0.id }
  }

  /// Rejects values that no object of the entity can have, even if there are no objects.
  private func check(
    _ properties: [JSONString: PropertyValue], of entity: JSONString
  ) throws(StoreError) {
    let any = ManagedObject("any", of: entity, properties)
    do throws(MappingError) { _ = try mapping.encode(any) } catch {
      throw StoreError(.mapping(any.id, error), "values for \(entity) cannot be stored: \(error)")
    }
  }

  package func entity(_ name: JSONString) throws(StoreError) -> EntityDescription {
    guard let entity = model[name] else {
      throw StoreError(.unknownEntity(name), "the model has no entity '\(name)'")
    }
    return entity
  }

  // MARK: Documents

  /// The documents of a search, and whether they already have the order and page of the request.
  struct Findings {
    var found: [FoundDocument]
    var isOrdered: Bool
  }

  private func documents(
    _ request: ObjectFetchRequest, fields: [JSONString]? = nil
  ) throws(StoreError) -> Findings {
    try request.check(in: model)
    let entity = try entity(request.entity)
    let selector = try compiler.selecting(entity, request.predicate)
    var find = FindRequest(selector.json, fields: fields)
    // The datastore sorts documents; if the order of objects differs, they are sorted here.
    var isOrdered = true
    for key in request.sort where !sorts(like: entity, key) { isOrdered = false }
    if isOrdered, !request.sort.isEmpty {
      // Null sorts after missing there, and both are nil.
      let nulls = request.sort.map {
        FindSelector.field(FieldPath(names: [$0.key]), [.equals(.value(.null))])
      }
      let question = FindSelector.all([selector, .any(nulls)])
      isOrdered = try self.find(FindRequest(question.json, limit: 1, fields: ["_id"])).isEmpty
    }
    if isOrdered {
      find.sort = request.sort.map {
        SortKey(FieldPath(names: [$0.key]).text, descending: !$0.ascending)
      }
      find.skip = request.offset == 0 ? nil : request.offset
      find.limit = request.limit
    }
    return Findings(found: try self.find(find), isOrdered: isOrdered)
  }

  /// Whether the order of documents is that of their objects.
  private func sorts(like entity: EntityDescription, _ key: FetchSortDescriptor) -> Bool {
    switch entity.attribute(key.key)?.type {
    case .utf8, .id, .int16, .int32, .int64, .date1970: true
    // NaN is stored as null, infinities as the greatest numbers, and true as 1 or as `true`.
    default: false
    }
  }

  private func find(_ request: FindRequest) throws(StoreError) -> [FoundDocument] {
    guard case .found(.documents(let found)) = try perform(.finding(.find(request))) else {
      throw StoreError(.unanswered, "invalid result of find from the datastore")
    }
    return found
  }

  var compiler: SelectorCompiler {
    let hasDecimals = host.datastore.description.capabilities.contains(.decimals)
    return SelectorCompiler(model: model, readsDigits: options.form == .released || hasDecimals) {
      [unowned self] (entity, selector, member) throws(StoreError) in
      let selector = FindSelector.all([try self.compiler.selecting(entity, nil), selector])
      return try self.find(
        FindRequest(selector.json, fields: [FieldPath(names: [member]).text]))
    }
  }
}

extension [FoundDocument] {
  fileprivate func objects(of store: IncrementalStore) throws(StoreError) -> [ManagedObject] {
    var objects: [ManagedObject] = []
    objects.reserveCapacity(count)
    for found in self { objects.append(try store.object(of: found)) }
    return objects
  }
}

extension ObjectFetchRequest {
  /// Throws the first error in entity, offset, limit and sort keys, independent of any objects.
  public func check(in model: ManagedObjectModel) throws(StoreError) {
    guard let entity = model[entity] else {
      throw StoreError(.unknownEntity(entity), "the model has no entity '\(entity)'")
    }
    for (name, number) in [("offset", offset), ("limit", limit ?? 0)] where number < 0 {
      throw StoreError(
        .datastore(nil, DatastoreError(.badRequest(path: name))), "\(name) must not be negative")
    }
    for key in sort {
      guard let attribute = entity.attribute(key.key), !attribute.isTransient else {
        throw StoreError(
          FetchPredicateError(
            .unknownKey, key.key, message: "\(entity.name) has no such attribute to sort by"))
      }
      if attribute.type == .xform || attribute.type == .binary {
        throw StoreError(
          FetchPredicateError(.wrongType, key.key, message: "bytes cannot be sorted"))
      }
    }
  }
}
