internal import Datastore
internal import RevisionTree

/// All stores of one replica, as a value.
struct ModelState: Hashable {
  var stores: [StoreName: ModelStore] = [:]
  /// The longest content that stands in an operation or an answer.
  var inlineBytesMax = Spelling.limits.inlineBytesMax

  /// Performs an operation; one that fails leaves the state as it is.
  mutating func perform(_ operation: Operation, _ decisions: inout Decisions) -> Outcome {
    do throws(DatastoreError) {
      let name = operation.store
      switch operation.action {
      case .open(let revisionIDs, let collation):
        try open(name, revisionIDs, collation, &decisions)
        return .ok(.done)
      case .close:
        stores[name]?.isOpen = false
        return .ok(.done)
      case .destroy:
        stores[name] = nil
        return .ok(.done)
      default:
        guard stores[name]?.isOpen == true,
          let result = try stores[name]?.perform(operation.action, &decisions)
        else {
          throw DatastoreError(.noSuchStore, "no store '\(name)' is open")
        }
        return .ok(result)
      }
    } catch {
      return .error(error)
    }
  }

  /// Creates a store or opens it again; what is asked of it must be what it is.
  private mutating func open(
    _ name: StoreName, _ revisionIDs: RevisionIDProfile?, _ collation: CollationName?,
    _ decisions: inout Decisions
  ) throws(DatastoreError) {
    try Spelling.check(name)
    guard let store = stores[name] else {
      stores[name] = ModelStore(
        revisionIDs: revisionIDs ?? .own, collation: Collation(collation ?? .bytes),
        incarnation: decisions.incarnation(), inlineBytesMax: inlineBytesMax)
      return
    }
    // The model's own digest has a name of its own.
    let profiles = [revisionIDs ?? store.revisionIDs, store.revisionIDs].map { profile in
      profile == .own ? .cdtDigest2 : profile
    }
    guard profiles[0] == profiles[1] else {
      throw DatastoreError(
        .badRequest(path: "revisionIDs"), "the store has \(store.revisionIDs.rawValue)")
    }
    guard collation ?? store.collation.name == store.collation.name else {
      throw DatastoreError(
        .badRequest(path: "collation"), "the store has \(store.collation.name.rawValue)")
    }
    // Whether pieces of content outlive the session in which they were brought is each store's affair.
    if !store.isOpen, !store.uploads.isEmpty,
      decisions.alternatives.choose(.uploadsAfterOpening, of: 2) == 1
    {
      stores[name]?.uploads = [:]
    }
    stores[name]?.isOpen = true
  }

  /// The machine has been off: every store is closed, and nothing else has happened.
  mutating func closeAll() {
    for name in stores.keys { stores[name]?.isOpen = false }
  }
}
