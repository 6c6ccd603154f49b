internal import Datastore
internal import Digest
internal import JSON
internal import ReferenceDatastore
internal import Replication
internal import Storage

/// A store, its peer in replication, and the expected state of both.
final class CrashWorld {
  let storage: any Storage
  private(set) var store: any ImplementationUnderTest
  let other: ReferenceDatastore
  /// The required content of the store.
  private(set) var record: CrashRecord
  /// The operation in flight.
  private(set) var current: StoreOperation?
  /// The last operation that ended.
  private(set) var last: StoreOperation?
  /// The number of operations of the store that the disk refused.
  private(set) var refusals = 0
  /// The number of operations with an unknown outcome.
  private(set) var unknowns = 0
  /// The number of operations that have begun or ended on both sides.
  private(set) var progress = 0
  /// An invalid result of a store.
  private(set) var finding: CrashFinding?
  /// True if an operation that the disk refused is retried.
  var triesAgain = false
  /// Receives every event when it happens.
  var onEvent: ((CrashWorldEvent) -> Void)?

  private let inlineBytesMax: Int?
  private let environment: RunEnvironment
  private let otherEnvironment: RunEnvironment
  private let sessions: RunEnvironment

  /// The initial state of a world.
  struct Beginning {
    var record: CrashRecord
    var other: ReferenceDatastore.Snapshot?
    /// The seed of the ids of new stores and sessions; different for each process.
    var seed: UInt64
    var inlineBytesMax: Int?
  }

  init(
    _ beginning: Beginning, on storage: any Storage, _ store: any ImplementationUnderTest
  ) throws(HarnessError) {
    self.storage = storage
    self.store = store
    record = beginning.record
    inlineBytesMax = beginning.inlineBytesMax
    environment = RunEnvironment(seed: beginning.seed)
    otherEnvironment = RunEnvironment(seed: beginning.seed &+ 1)
    sessions = RunEnvironment(seed: beginning.seed &+ 2)
    other = ReferenceDatastore(inlineBytesMax: beginning.inlineBytesMax)
    if let snapshot = beginning.other { other.restore(snapshot) }
    _ = other.perform(StoreOperation(CrashScenario.store, .open()), otherEnvironment)
  }

  /// A copy of both sides as they are if the process ends now.
  func beginning(seed: UInt64) -> Beginning {
    var record = record
    if let current { record.interrupted(current) }
    record.closed()
    return Beginning(
      record: record, other: other.snapshot, seed: seed, inlineBytesMax: inlineBytesMax)
  }

  // MARK: Steps

  /// Performs a step; after a finding nothing is done.
  func take(_ step: CrashStep) throws(HarnessError) {
    guard finding == nil else { return }
    switch step {
    case .perform(let action): try perform(action)
    case .edit(let id, let body, let attachments):
      guard let rev = try winner(id) else { return }
      let update = StoreAction.update(id: id, rev: rev, body: body)
      try perform(attachments.isEmpty ? update : .attaching(attachments, to: update))
    case .remove(let id):
      guard let rev = try winner(id) else { return }
      try perform(.delete(id: id, rev: rev))
    case .pull: _ = try replicate(isPull: true)
    case .push: _ = try replicate(isPull: false)
    case .elsewhere(let action): performElsewhere(action)
    case .reopen:
      try perform(.close)
      try perform(.open())
    case .kill:
      try kill()
      try perform(.open())
    case .losePower(let action, let count):
      try losePower(in: action, afterChanges: count)
      try perform(.open())
    }
  }

  private func winner(_ id: DocumentID) throws(HarnessError) -> RevisionID? {
    guard case .ok(.document(let document)) = try perform(.read(id: id)) else { return nil }
    return document.rev
  }

  /// Performs an operation on the store, with all oracles.
  @discardableResult
  func perform(_ action: StoreAction) throws(HarnessError) -> Outcome {
    let outcome = try attempt(action)
    guard triesAgain, outcome.isFailureOfDisk else { return outcome }
    return try attempt(action)
  }

  private func attempt(_ action: StoreAction) throws(HarnessError) -> Outcome {
    let operation = StoreOperation(CrashScenario.store, action)
    try take(.begun(operation))
    let outcome = try store.perform(operation, environment)
    try take(.ended(operation, outcome))
    return outcome
  }

  /// Records an event of this or another process.
  func take(_ event: CrashWorldEvent) throws(HarnessError) {
    progress += 1
    onEvent?(event)
    switch event {
    case .begun(let operation): current = operation
    case .ended(let operation, let outcome):
      current = nil
      last = operation
      if outcome.isFailureOfDisk { refusals += 1 }
      if outcome == .unknown { unknowns += 1 }
      if let wrong = record.note(operation, outcome), finding == nil { finding = wrong }
    case .elsewhere(let action):
      _ = other.perform(StoreOperation(CrashScenario.store, action), otherEnvironment)
    case .closed: record.closed()
    }
  }

  /// Performs an operation on the other store.
  @discardableResult
  private func performElsewhere(_ action: StoreAction) -> Outcome {
    progress += 1
    onEvent?(.elsewhere(action))
    return other.perform(StoreOperation(CrashScenario.store, action), otherEnvironment)
  }

  /// Closes the store and its sessions.
  func shutDown() throws(HarnessError) {
    try store.shutdown()
    try take(.closed)
  }

  /// Ends the process; the store is closed then.
  func kill() throws(HarnessError) {
    try store.crash(.kill)
    try take(.closed)
  }

  /// Kills the process during an operation, with a power loss.
  func losePower(in action: StoreAction, afterChanges count: Int) throws(HarnessError) {
    guard let memory = storage as? MemoryStorage else {
      try perform(action)
      return try kill()
    }
    let operation = StoreOperation(CrashScenario.store, action)
    try take(.begun(operation))
    memory.plan.deadAfterChanges = memory.counts.changes + count
    // A dead process returns no result.
    _ = try store.perform(operation, environment)
    guard memory.isDead else {
      throw HarnessError("\(action.name) makes fewer than \(count) changes to the files")
    }
    try take(.ended(operation, .unknown))
    try kill()
    memory.restart(after: Self.mixture(memory.unsyncedChanges))
  }

  /// Every third unsynced change is lost, and every third torn.
  private static func mixture(_ changes: [UnsyncedChange]) -> PowerLoss {
    var fates: [Int: PowerLoss.Outcome] = [:]
    for (place, change) in changes.enumerated() {
      fates[change.number] = [.kept, .torn(sectors: 0x3333_3333_3333_3333), .dropped][place % 3]
    }
    return PowerLoss(outcomes: fates)
  }

  // MARK: Replication

  /// Runs a session to its end, with as many checkpoints as possible.
  func replicate(isPull: Bool) throws(HarnessError) -> (ReplicatorState, ReplicationReport) {
    var configuration = ReplicatorConfiguration()
    configuration.pageRows = 3
    configuration.batchRevisions = 2
    configuration.pieceBytes = Int64(inlineBytesMax ?? 65_536)
    configuration.attemptsMax = 3
    var machine = Replicator(configuration)
    let session = JSONString(sessions.randomBytes(16).hexadecimal)
    var effects = machine.handle(.start(session: session))[...]
    while !machine.state.isFinal, let effect = effects.popFirst() {
      switch effect {
      case .send(let number, let side, let request, _):
        let isHere = (side == .target) == isPull
        let outcome =
          isHere
          ? try perform(request.action) : performElsewhere(request.action)
        let response = Peer.response(to: request, outcome)
        effects += machine.handle(
          response.map { .response(number, $0) } ?? .lost(number, reason: "unknown"))
      case .wait(.poll, _): effects += machine.handle(.cancel)
      case .wait(let timer, _): effects += machine.handle(.timer(timer))
      }
    }
    return (machine.state, machine.report)
  }

  /// The content of the other store.
  func holdingsElsewhere() throws(HarnessError) -> StoreHoldings {
    try StoreHoldings(ids: []) { action throws(HarnessError) in performElsewhere(action) }
  }
}

extension Outcome {
  /// True if the disk, or another process on it, refused the operation.
  var isFailureOfDisk: Bool {
    switch errorKind {
    case .storage, .busy: true
    default: false
    }
  }
}
