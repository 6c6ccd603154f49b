internal import Datastore
internal import JSON
internal import RevisionTree

/// All stores of one replica, as a value.
struct ModelState: Hashable {
  var stores: [StoreName: ModelStore] = [:]
  /// The longest content that stands in an operation or an answer.
  var inlineBytesMax = Spelling.limits.inlineBytesMax
  /// What a new store gets that is opened without arguments.
  var defaults = ImplementationDescription.Defaults()

  /// Performs an operation; one that fails leaves the state as it is.
  mutating func perform(_ operation: StoreOperation, _ decisions: inout Decisions) -> Outcome {
    do throws(Faults) {
      let name = operation.store
      switch operation.action {
      case .open(let revisionIDs, let collation):
        try open(name, revisionIDs, collation: collation, decisions: &decisions)
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
        else { throw faults(of: operation, whileClosed: decisions) }
        return .ok(result)
      }
    } catch {
      return .error(decisions.error(of: error))
    }
  }

  /// The errors of an operation on a store that is not open: that it is not, and those of the
  /// arguments, which may be checked before any store is looked for.
  private func faults(of operation: StoreOperation, whileClosed decisions: Decisions) -> Faults {
    let name = operation.store
    var faults = Faults(DatastoreError(.noSuchStore, "no store '\(name)' is open"), .state)
    var aside = decisions
    var store =
      stores[name]
      ?? ModelStore(
        revisionIDs: defaults.revisionIDs, collation: Collation(defaults.collation),
        incarnation: "", inlineBytesMax: inlineBytesMax)
    do throws(Faults) { _ = try store.perform(operation.action, &aside) } catch {
      faults.add(error.ofArguments)
    }
    return faults
  }

  /// Creates a store or opens it again; what is asked of it must be what it is.
  private mutating func open(
    _ name: StoreName, _ revisionIDs: RevisionIDProfile?, collation: CollationName?,
    decisions: inout Decisions
  ) throws(Faults) {
    try Spelling.check(name)
    guard let store = stores[name] else {
      stores[name] = ModelStore(
        revisionIDs: revisionIDs ?? defaults.revisionIDs,
        collation: Collation(collation ?? defaults.collation),
        incarnation: decisions.incarnation(), inlineBytesMax: inlineBytesMax)
      return
    }
    // The model's own digest has a name of its own.
    let profiles = [revisionIDs ?? store.revisionIDs, store.revisionIDs].map { profile in
      profile == .own ? .cdtDigest2 : profile
    }
    var faults = Faults()
    faults.require(
      profiles[0] == profiles[1],
      inState: DatastoreError(
        .badRequest(path: "revisionIDs"), "the store has \(store.revisionIDs.rawValue)"))
    faults.require(
      collation ?? store.collation.name == store.collation.name,
      inState: DatastoreError(
        .badRequest(path: "collation"), "the store has \(store.collation.name.rawValue)"))
    try faults.refuse()
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
