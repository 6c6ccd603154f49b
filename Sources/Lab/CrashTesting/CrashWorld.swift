internal import Datastore
internal import Digest
internal import JSON
internal import ReferenceDatastore
internal import Replication
internal import Storage

/// A store, the other one that it replicates with, and what is known of both.
final class CrashWorld {
  let storage: any Storage
  private(set) var store: any ImplementationUnderTest
  let other: ReferenceDatastore
  /// What the store must hold.
  private(set) var record: CrashRecord
  /// The operation that has begun and not ended.
  private(set) var current: StoreOperation?
  /// The operation that ended last.
  private(set) var last: StoreOperation?
  /// How many operations of the store the disk refused.
  private(set) var refusals = 0
  /// How many have an unknown outcome.
  private(set) var unknowns = 0
  /// How many operations have begun or ended on both sides.
  private(set) var progress = 0
  /// What a store answered that no store may answer.
  private(set) var finding: CrashFinding?
  /// Whether an operation that the disk refused is tried once more.
  var triesAgain = false
  /// Told of everything at the moment when it happens.
  var onEvent: ((WorldEvent) -> Void)?

  private let inlineBytesMax: Int?
  private let environment: RunEnvironment
  private let otherEnvironment: RunEnvironment
  private let sessions: RunEnvironment

  /// Where a world begins.
  struct Beginning {
    var record: CrashRecord
    var other: ReferenceDatastore.Snapshot?
    /// Decides the names of new stores and sessions; another one for each life.
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

  /// Both sides as they are when the process ends now, for another world.
  func beginning(seed: UInt64) -> Beginning {
    var record = record
    if let current { record.interrupted(current) }
    record.closed()
    return Beginning(
      record: record, other: other.snapshot, seed: seed, inlineBytesMax: inlineBytesMax)
  }

  // MARK: Steps

  /// Takes a step; nothing is done any more once something is wrong.
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

  /// Performs an operation on the store, with all oracles present.
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

  /// Takes note of what happens, here or in another process.
  func take(_ event: WorldEvent) throws(HarnessError) {
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

  /// Closes the store with all that belongs to that.
  func shutDown() throws(HarnessError) {
    try store.shutdown()
    try take(.closed)
  }

  /// Ends the process; the store is closed then.
  func kill() throws(HarnessError) {
    try store.crash(.kill)
    try take(.closed)
  }

  /// Ends the process in the midst of an operation, and takes the power away with it.
  func losePower(in action: StoreAction, afterChanges count: Int) throws(HarnessError) {
    guard let memory = storage as? MemoryStorage else {
      try perform(action)
      return try kill()
    }
    let operation = StoreOperation(CrashScenario.store, action)
    try take(.begun(operation))
    memory.plan.deadAfterChanges = memory.counts.changes + count
    // A dead process answers nobody.
    _ = try store.perform(operation, environment)
    guard memory.isDead else {
      throw HarnessError("\(action.name) makes no \(count) changes to the files")
    }
    try take(.ended(operation, .unknown))
    try kill()
    memory.restart(after: Self.mixture(memory.unsyncedChanges))
  }

  /// Every third unsynced change lost, every third torn.
  private static func mixture(_ changes: [UnsyncedChange]) -> PowerLoss {
    var fates: [Int: PowerLoss.Fate] = [:]
    for (place, change) in changes.enumerated() {
      fates[change.number] = [.kept, .torn(sectors: 0x3333_3333_3333_3333), .dropped][place % 3]
    }
    return PowerLoss(fates: fates)
  }

  // MARK: Replication

  /// Runs a session to its end, with checkpoints as often as there can be some.
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

  /// What the other store shows.
  func holdingsElsewhere() throws(HarnessError) -> StoreHoldings {
    try StoreHoldings(ids: []) { action throws(HarnessError) in performElsewhere(action) }
  }
}

extension Outcome {
  /// Whether the disk, or somebody else on it, refused the operation.
  var isFailureOfDisk: Bool {
    switch errorKind {
    case .storage, .busy: true
    default: false
    }
  }
}
