public import Datastore
public import JSON
public import ObjectMapping

// Insertion and changes of objects.

extension ManagedObjectContext {
  /// Inserts an object with its defaults and the given values.
  ///
  /// - Parameter id: the id of its document.
  public func insert(
    _ entity: JSONString, id: ObjectID, _ values: [JSONString: PropertyValue] = [:]
  ) throws(ContextError) {
    let description = try description(of: entity)
    try check(values, description)
    guard !isRegistered(id) else { throw ContextError(.alreadyRegistered(id)) }
    var row = RowSnapshot(of: entity, [:], version: 0)
    for attribute in description.attributes {
      row[attribute.name] = attribute.defaultValue.map { .attribute($0) } ?? .none
    }
    try undoing { () throws(ContextError) in
      state.objects[id] = ContextObject(
        of: entity, change: .inserted, isTemporary: true, current: row)
      try assign(values, to: id, description)
    }
  }

  /// Whether the context or a parent context contains an object with an id; the save checks the
  /// store.
  func isRegistered(_ id: ObjectID) -> Bool {
    if state.objects[id] != nil { return true }
    guard case .context(let context) = parent else { return false }
    return context.isRegistered(id)
  }

  /// Inserts an object under an id of 16 random bytes.
  ///
  /// - Parameter environment: the source of the bytes; nil for that of the store.
  @discardableResult
  public func insert(
    _ entity: JSONString, _ values: [JSONString: PropertyValue] = [:],
    environment: RunEnvironment? = nil
  ) throws(ContextError) -> ObjectID {
    let id = ObjectID.new(of: entity, environment ?? coordinator.store.environment)
    try insert(entity, id: id, values)
    return id
  }

  /// Changes properties of an object; `.none` removes a value. The inverse relationships are
  /// updated immediately.
  ///
  /// An assignment of an equal value also marks the object as updated.
  public func set(
    _ values: [JSONString: PropertyValue], of id: ObjectID
  ) throws(ContextError) {
    try fulfil(id)
    guard let object = state.objects[id] else { return }
    guard !object.isDeleted else { throw ContextError(.deletedObject(id)) }
    let description = try description(of: object.entity)
    try check(values, description)
    try undoing { () throws(ContextError) in
      touch(id)
      try assign(values, to: id, description)
    }
  }

  /// Performs a change atomically.
  func undoing<Result>(
    _ body: () throws(ContextError) -> Result
  ) throws(ContextError) -> Result {
    let before = state
    do throws(ContextError) { return try body() } catch {
      let report = state
      state = before
      state.keepReport(of: report)
      throw error
    }
  }

  private func assign(
    _ values: [JSONString: PropertyValue], to id: ObjectID, _ entity: EntityDescription
  ) throws(ContextError) {
    for name in values.keys.inByteOrder {
      let value = values[name] ?? .none
      if let relationship = entity.relationship(name) {
        try relate(id, relationship, to: value)
      } else {
        state.objects[id]?.current?[name] = value
      }
    }
  }

  private func check(
    _ values: [JSONString: PropertyValue], _ entity: EntityDescription
  ) throws(ContextError) {
    for name in values.keys.inByteOrder {
      let isRight =
        switch (values[name] ?? .none, entity.relationship(name)?.isToMany) {
        case (.none, _): true
        case (.attribute, nil): true
        case (.toOne, false?), (.toMany, true?): true
        default: false
        }
      guard entity.attribute(name) != nil || entity.relationship(name) != nil else {
        throw ContextError(.unknownProperty(name, of: entity.name))
      }
      guard isRight else { throw ContextError(.wrongKind(property: name, of: entity.name)) }
    }
  }

  /// Marks an object that is not deleted as updated.
  func touch(_ id: ObjectID) {
    if state.objects[id]?.change == .unchanged { state.objects[id]?.change = .updated }
  }

  // MARK: Relationships

  /// Changes a relationship and its inverse.
  ///
  /// An object at a to-one end leaves its previous partner.
  private func relate(
    _ id: ObjectID, _ relationship: RelationshipDescription, to value: PropertyValue
  ) throws(ContextError) {
    guard let old = state.objects[id]?.current?[relationship.name].targets else { return }
    let new = value.inOneForm?.targets ?? []
    for target in old where !new.contains(target) {
      try unlink(target, relationship.destination, name: relationship.inverse, from: id)
    }
    state.objects[id]?.current?[relationship.name] = value
    guard let inverse = relationship.inverse else { return }
    // A to-one end is linked again as well, because the previous partner may have removed the link.
    for target in new where !relationship.isToMany || !old.contains(target) {
      try link(target, relationship, name: inverse, to: id)
    }
  }

  /// Adds an object to the other end of a relationship.
  func link(
    _ target: ObjectID, _ relationship: RelationshipDescription, name: JSONString, to id: ObjectID
  ) throws(ContextError) {
    guard try isReachable(target),
      let inverse = model[relationship.destination]?.relationship(name)
    else { return }
    let owners = state.objects[target]?.current?[name].targets ?? []
    guard !owners.contains(id) else { return }
    touch(target)
    if inverse.isToMany {
      state.objects[target]?.current?[name] = .toMany(owners + [id])
      return
    }
    for owner in owners {
      try unlink(owner, inverse.destination, name: relationship.name, from: target)
    }
    state.objects[target]?.current?[name] = .toOne(id)
  }

  /// Removes an object from a relationship of another.
  func unlink(
    _ target: ObjectID, _ entity: JSONString, name: JSONString?, from id: ObjectID
  ) throws(ContextError) {
    guard let name, model[entity]?.relationship(name) != nil, try isReachable(target) else {
      return
    }
    // If the two ends disagree, one of them is stale.
    if !leads(target, name, to: id) { try bringUpToDate(target) }
    guard leads(target, name, to: id), let value = state.objects[target]?.current?[name] else {
      return
    }
    touch(target)
    state.objects[target]?.current?[name] = value.without(id)
  }

  func leads(_ target: ObjectID, _ name: JSONString, to id: ObjectID) -> Bool {
    state.objects[target]?.current?[name].targets.contains(id) ?? false
  }

  /// Whether an object can be changed; the target of a dangling reference cannot.
  func isReachable(_ id: ObjectID) throws(ContextError) -> Bool {
    do throws(ContextError) { try fulfil(id) } catch {
      if case .faultUnfulfilled = error.reason { return false }
      throw error
    }
    return !(state.objects[id]?.isDeleted ?? true)
  }
}

extension PropertyValue {
  /// The value without an object.
  func without(_ id: ObjectID) -> PropertyValue {
    switch self {
    case .toOne(id): .none
    case .toMany(let ids): .toMany(ids.filter { $0 != id })
    default: self
    }
  }
}
