internal import Datastore
internal import JSON
internal import RevisionTree

/// All stores of one replica, as a value.
struct ModelState: Hashable {
  var stores: [StoreName: ModelStore] = [:]
  /// The maximum length of content inside an operation or a response, in bytes.
  var inlineBytesMax = Syntax.limits.inlineBytesMax
  /// The properties of a new store that is opened without arguments.
  var defaults = ImplementationDescription.Defaults()

  /// Performs an operation by the rules; an operation that fails does not change the state.
  mutating func performByRules(
    _ operation: StoreOperation, _ decisions: inout Decisions
  ) -> Outcome {
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
        // A read leaves the state shared with the copies of it that a checker keeps.
        if let outcome = stores[name]?.outcome(ofRead: operation.action, &decisions) {
          return outcome
        }
        guard let result = try stores[name]?.performIfOpen(operation.action, &decisions) else {
          throw faults(of: operation, whileClosed: decisions)
        }
        return .ok(result)
      }
    } catch {
      return .error(decisions.error(of: error))
    }
  }

  /// The errors of an operation on a store that is not open: `noSuchStore`, and the errors of the
  /// arguments, which a store may check first.
  private func faults(of operation: StoreOperation, whileClosed decisions: Decisions) -> Faults {
    let name = operation.store
    var faults = Faults(DatastoreError(.noSuchStore, "store '\(name)' is not open"), .state)
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

  /// Creates or reopens a store; the requested properties of an existing store must match its own.
  private mutating func open(
    _ name: StoreName, _ revisionIDs: RevisionIDProfile?, collation: CollationName?,
    decisions: inout Decisions
  ) throws(Faults) {
    try Syntax.check(name)
    guard let store = stores[name] else {
      stores[name] = ModelStore(
        revisionIDs: revisionIDs ?? defaults.revisionIDs,
        collation: Collation(collation ?? defaults.collation),
        incarnation: decisions.incarnation(), inlineBytesMax: inlineBytesMax)
      return
    }
    // The model's own digest also has a public name.
    let profiles = [revisionIDs ?? store.revisionIDs, store.revisionIDs].map { profile in
      profile == .own ? .cdtDigest2 : profile
    }
    var faults = Faults()
    faults.require(
      profiles[0] == profiles[1],
      inState: DatastoreError(
        .badRequest(path: "revisionIDs"), "the store already uses \(store.revisionIDs.rawValue)"))
    faults.require(
      collation ?? store.collation.name == store.collation.name,
      inState: DatastoreError(
        .badRequest(path: "collation"), "the store already uses \(store.collation.name.rawValue)"))
    try faults.refuse()
    // Each store may keep or remove partial uploads when it is closed.
    if !store.isOpen, !store.uploads.isEmpty,
      decisions.alternatives.choose(.uploadsAfterOpening, of: 2) == 1
    {
      stores[name]?.uploads = [:]
    }
    stores[name]?.isOpen = true
  }

  /// Closes every store, as after a restart of the machine, without other changes.
  mutating func closeAll() {
    for name in stores.keys { stores[name]?.isOpen = false }
  }
}
