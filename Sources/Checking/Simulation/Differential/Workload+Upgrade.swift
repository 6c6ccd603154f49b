internal import Datastore

extension Workload {
  /// Takes over the kinds of operations of another workload, and keeps all names.
  mutating func useKinds(of other: Workload) {
    groups = other.groups
    attaches = other.attaches
    finds = other.finds
    isExact = other.isExact
  }

  /// Uses the stores and documents of recorded operations, as they were opened.
  ///
  /// - Parameter defaults: the meaning of `open` without arguments.
  mutating func use(
    _ operations: [StoreOperation], defaults: ImplementationDescription.Defaults
  ) {
    stores = []
    (revisionIDs, collation) = (defaults.revisionIDs, defaults.collation)
    for operation in operations {
      if !stores.contains(operation.store) { stores.append(operation.store) }
      if case .open(let revisionIDs, let collation) = operation.action {
        self.revisionIDs = revisionIDs ?? self.revisionIDs
        self.collation = collation ?? self.collation
      }
      var ids = operation.action.documents
      if case .writeLocal(let id, _) = operation.action { ids.append(id) }
      for id in ids where !documents.contains(id) { documents.append(id) }
    }
  }
}
