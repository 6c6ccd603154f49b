internal import JSON
internal import ObjectMapping

// Uniqueness constraints.

extension ManagedObjectContext {
  /// Resolves collisions among saved objects and with the store according to the policy, and
  /// returns whether there were any.
  ///
  /// With `objectTrump` and `overwrite` the stored object remains and gets the values of the
  /// context; with `storeTrump` and `rollback` it is unchanged. A colliding inserted object is
  /// replaced by the stored one, including all references to it.
  ///
  /// Source: Core Data, uniqueness constraints; checked when a save reaches the store, not before.
  func settleConstraints(_ cache: StoreCoordinatorCache) throws(ContextError) -> Bool {
    let conflicts = try constraintConflicts(cache)
    guard !conflicts.isEmpty else { return false }
    guard policy != .error else { throw ContextError(.constraintConflicts(conflicts)) }
    for conflict in conflicts { try settle(conflict, by: policy) }
    let rest = try constraintConflicts(cache)
    guard rest.isEmpty else { throw ContextError(.constraintConflicts(rest)) }
    return true
  }

  /// Resolves the collisions of a failed save according to a policy; nothing is written.
  ///
  /// The resolution is atomic; `error` changes nothing and throws the conflicts.
  ///
  /// Source: Core Data, `NSMergePolicy.resolve(constraintConflicts:)`.
  public func resolve(
    _ conflicts: [ConstraintConflict], by policy: MergePolicy
  ) throws(ContextError) {
    guard !conflicts.isEmpty else { return }
    guard policy != .error else {
      let error = ContextError(.constraintConflicts(conflicts))
      state.failure = error
      throw error
    }
    try undoing { () throws(ContextError) in
      for conflict in conflicts { try settle(conflict, by: policy) }
    }
    state.constraints = []
    state.failure = nil
  }

  private func constraintConflicts(
    _ cache: StoreCoordinatorCache
  ) throws(ContextError) -> [ConstraintConflict] {
    var conflicts: [ConstraintConflict] = []
    for entity in model.entities where !entity.uniquenessConstraints.isEmpty {
      let pending = ids { $0.entity == entity.name && ($0.isInserted || $0.isUpdated) }
      guard !pending.isEmpty else { continue }
      let rows = try ContextError.ofStore { () throws(StoreError) in
        try cache.store.rows(of: entity.name)
      }
      // The stored values of objects that are saved here no longer count.
      let stored = rows.filter { row in
        let change = state.objects[row.id]?.change
        if isDropped(row.id) { return false }
        return change == nil || change == .unchanged || change == .deletedElsewhere
      }
      for attributes in entity.uniquenessConstraints {
        var owners: [[PropertyValue]: [ObjectID]] = [:]
        for id in pending {
          guard let key = state.objects[id]?.current?.key(attributes) else { continue }
          owners[key, default: []].append(id)
        }
        for id in pending {
          guard let key = state.objects[id]?.current?.key(attributes), let ids = owners[key],
            ids.first == id
          else { continue }
          let row = stored.first { RowSnapshot($0).key(attributes) == key }?.id
          guard row != nil || ids.count > 1 else { continue }
          conflicts.append(ConstraintConflict(entity.name, attributes, objects: ids, row: row))
        }
      }
    }
    return conflicts
  }

  private func settle(
    _ conflict: ConstraintConflict, by policy: MergePolicy
  ) throws(ContextError) {
    // Objects that were deleted since do not collide any more.
    var ids = conflict.objects.filter { id in
      state.objects[id].map { !$0.isFault && $0.change != .deleted } ?? false
    }
    // Objects with a row take precedence over new ones.
    let known = ids.filter { !(state.objects[$0]?.isInserted ?? true) }
    let row = conflict.row.flatMap { state.objects[$0]?.change == .deleted ? nil : $0 }
    guard !ids.isEmpty, let survivor = row ?? known.first ?? ids.first else { return }
    try fulfil(survivor)
    // It is still in the store, although another context reported its deletion.
    if state.objects[survivor]?.change == .deletedElsewhere {
      state.objects[survivor]?.change = .unchanged
    }
    ids.removeAll { $0 == survivor }
    for id in ids {
      guard let object = state.objects[id], let current = object.current else { continue }
      if !object.isInserted, !policy.prefersObject {
        // The store wins: colliding attributes get their committed values again.
        for name in conflict.attributes {
          state.objects[id]?.current?[name] = object.committed?[name] ?? .none
        }
        continue
      }
      if policy.prefersObject, let entity = model[conflict.entity] {
        for attribute in entity.attributes where attribute.type != .id {
          state.objects[survivor]?.current?[attribute.name] = current[attribute.name]
        }
        touch(survivor)
      }
      try replace(id, by: survivor, takesEnds: policy.prefersObject)
    }
  }

  /// Replaces an object by another one in all relationships, and removes it.
  ///
  /// - Parameter takesEnds: whether the other object also gets the to-one relationships of this
  ///   one.
  private func replace(
    _ id: ObjectID, by survivor: ObjectID, takesEnds: Bool
  ) throws(ContextError) {
    let row = try fulfil(id)
    for relationship in try description(of: row.entity).relationships {
      for target in row[relationship.name].targets {
        try unlink(target, relationship.destination, name: relationship.inverse, from: id)
        if takesEnds || relationship.isToMany {
          try add(target == id ? survivor : target, to: relationship, of: survivor)
        }
      }
      // All its references were redirected or removed, so no delete rule applies to them.
      state.objects[id]?.current?[relationship.name] = .none
    }
    if state.objects[id]?.isInserted ?? false {
      state.objects[id] = nil
    } else {
      state.objects[id]?.change = .deleted
    }
  }

  private func add(
    _ target: ObjectID, to relationship: RelationshipDescription, of id: ObjectID
  ) throws(ContextError) {
    let targets = try fulfil(id)[relationship.name].targets
    guard !targets.contains(target) else { return }
    try set(
      [relationship.name: relationship.isToMany ? .toMany(targets + [target]) : .toOne(target)],
      of: id)
  }
}

extension RowSnapshot {
  /// The values of attributes; nil if one of them is nil, which never collides.
  fileprivate func key(_ attributes: [JSONString]) -> [PropertyValue]? {
    let key = attributes.map { self[$0] }
    return key.contains(.none) ? nil : key
  }
}
