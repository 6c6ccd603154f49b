internal import Datastore
internal import JSON
internal import ObjectMapping

// Validation in a save.

extension ManagedObjectContext {
  /// Throws all validation failures of the changes, in byte order of ids.
  ///
  /// Source: Core Data, validation of deletions, insertions and updates.
  func validate() throws(ContextError) {
    var invalid: [InvalidObject] = []
    for id in deletedIDs {
      let failures = try denials(of: id)
      if !failures.isEmpty { invalid.append(InvalidObject(id, failures)) }
    }
    for id in insertedIDs + updatedIDs {
      guard let object = state.objects[id], let current = object.current else { continue }
      let description = try description(of: object.entity)
      let failures: [ValidationFailure]
      do throws(DatastoreError) { failures = try description.failures(of: current.values) } catch {
        throw ContextError(.store(StoreError(.datastore(id, error), error.description)))
      }
      if !failures.isEmpty { invalid.append(InvalidObject(id, failures)) }
    }
    guard invalid.isEmpty else {
      let byID = Dictionary(grouping: invalid) { $0.id }
      throw ContextError(.validation(byID.keys.inByteOrder.flatMap { byID[$0] ?? [] }))
    }
  }

  /// Relationships that deny the deletion: they refer to objects that are not deleted.
  private func denials(of id: ObjectID) throws(ContextError) -> [ValidationFailure] {
    let row = try fulfil(id)
    var failures: [ValidationFailure] = []
    for relationship in try description(of: row.entity).relationships
    where relationship.deleteRule == .deny {
      for target in row[relationship.name].targets where try exists(target) {
        guard !(state.objects[target]?.isDeleted ?? true) else { continue }
        failures.append(
          ValidationFailure(
            entity: row.entity, property: relationship.name, reason: .deniedDelete))
        break
      }
    }
    return failures
  }
}
