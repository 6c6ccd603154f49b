internal import Datastore
internal import JSON
internal import Replication
internal import Storage

/// The requirements on the files after a crash.
struct Recovery {
  /// Creates the store on files.
  let makeStore: (any Storage) -> any ImplementationUnderTest
  let fileName: String

  /// Opens the store as the next process does, and continues with it; returns the error, or nil.
  ///
  /// - Parameters:
  ///   - beginning: the expected state of the store, including the operation that was cut off.
  ///   - losesPowerAgain: true for another power loss after everything was checked, and one at the
  ///     end. Data that was read or newly acknowledged must remain.
  func check(
    _ beginning: CrashWorld.Beginning, _ storage: any Storage, losesPowerAgain: Bool
  ) throws(HarnessError) -> CrashFinding? {
    var beginning = beginning
    beginning.seed = Self.seed
    var world = try CrashWorld(beginning, on: storage, makeStore(storage))
    if let wrong = try look(world) { return wrong }
    if losesPowerAgain {
      world = try loseAllUnsynced(world)
      if let wrong = try look(world) { return wrong.after("a power loss after the check") }
    }
    if let wrong = try goOn(world) { return wrong }
    if losesPowerAgain {
      world = try loseAllUnsynced(world)
      if let wrong = try look(world) { return wrong.after("a second power loss") }
    }
    try world.store.shutdown()
    return nil
  }

  /// Opens the store and checks everything in it.
  private func look(_ world: CrashWorld) throws(HarnessError) -> CrashFinding? {
    let opened = try world.perform(.open())
    if let wrong = world.finding { return wrong }
    if case .error(let error) = opened {
      return CrashFinding(.closed, "the store cannot be opened: \(error)")
    }
    let lines = DatabaseCheck.integrity(of: fileName, in: world.storage)
    guard lines == ["ok"] else {
      return CrashFinding(.damaged, "SQLite says: \(lines.prefix(3).joined(separator: "; "))")
    }
    return try world.inspect() ?? world.finding
  }

  /// Writes, and replicates in both directions until both sides agree.
  func goOn(_ world: CrashWorld) throws(HarnessError) -> CrashFinding? {
    let id = DocumentID("fresh")
    let written = try world.perform(.create(id: id, body: ["n": 1]))
    if let wrong = world.finding { return wrong }
    guard written.result != nil else {
      return CrashFinding(
        .stuck, "unexpected result of a new document: \(written.json.serialized())")
    }
    for isPull in [false, true] {
      let (state, report) = try world.replicate(isPull: isPull)
      if let wrong = world.finding { return wrong }
      guard state == .complete else {
        let reason = report.failures.first.map { "\($0.reason)" } ?? "no reason"
        return CrashFinding(
          .diverged, "a \(isPull ? "pull" : "push") ends as \(state.rawValue): \(reason)")
      }
    }
    let here = try StoreHoldings(ids: []) { action throws(HarnessError) in
      try world.perform(action)
    }
    if let difference = here.difference(from: try world.holdingsElsewhere()) {
      return CrashFinding(.diverged, difference)
    }
    return world.finding ?? world.record.ledger.check(here)
  }

  private func loseAllUnsynced(_ world: CrashWorld) throws(HarnessError) -> CrashWorld {
    try world.kill()
    (world.storage as? MemoryStorage)?.restart(after: PowerLoss(others: .dropped))
    return try CrashWorld(
      world.beginning(seed: Self.seed &+ 100), on: world.storage, makeStore(world.storage))
  }

  /// The ids of new stores and sessions differ from those of an earlier process.
  private static let seed: UInt64 = 1 << 32
}

extension CrashFinding {
  fileprivate func after(_ words: String) -> CrashFinding {
    CrashFinding(kind, "\(words): \(sentence)")
  }
}
