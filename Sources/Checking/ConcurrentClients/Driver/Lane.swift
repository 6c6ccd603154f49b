internal import Datastore
internal import JSON

/// One connection of a run, with its client.
final class Lane {
  let number: Int
  private(set) var implementation: any ImplementationUnderTest
  let environment: RunEnvironment
  private let recorder: HistoryRecorder
  private let scheduler: TurnScheduler?
  private var client: WorkloadClient?
  /// The source of a clock that is wrong; nil for a clock that stands still.
  var clock: RandomGenerator?
  /// Whether the processes of connections are killed, so that a lost connection is expected.
  var isKilled = false
  /// Makes the disk full; nil if this lane never does.
  var limitSpace: (@Sendable (Int?) -> Void)?

  init(
    _ number: Int, _ implementation: any ImplementationUnderTest, environment: RunEnvironment,
    recorder: HistoryRecorder, scheduler: TurnScheduler?
  ) {
    self.number = number
    self.implementation = implementation
    self.environment = environment
    self.recorder = recorder
    self.scheduler = scheduler
    if let scheduler { environment.onPass = { scheduler.pause(number) } }
  }

  /// Performs the operations of the client.
  func run(
    _ workload: ContendedWorkload, count: Int
  ) throws(HarnessError) {
    var client = WorkloadClient(workload, connection: number)
    defer { self.client = client }
    try open(workload.store)
    for place in 0..<count {
      scheduler?.pause(number)
      if let limitSpace, place % 8 == 4 { limitSpace(place % 16 == 4 ? 1 : nil) }
      let action = recorder.next(&client)
      if let outcome = try perform(workload.store, action) {
        client.note(action, outcome)
      } else {
        client.note(action, .unknown)
        try reconnect()
        try open(workload.store)
      }
    }
  }

  /// Performs and records an operation; nil if there was no response.
  func perform(_ store: StoreName, _ action: StoreAction) throws(HarnessError) -> Outcome? {
    let operation = StoreOperation(store, action)
    if let now = clock?.next() { environment.nowNanoseconds = now >> 1 }
    let call = recorder.tick()
    var outcome: Outcome?
    do throws(HarnessError) {
      outcome = try implementation.perform(operation, environment)
    } catch {
      guard isKilled, error.isLoss else { throw error }
    }
    let end = outcome == nil ? nil : recorder.tick()
    recorder.add(
      ClientOperation(
        connection: number, operation, call: call, end: end, outcome: outcome))
    return outcome
  }

  /// Starts the process of the connection again.
  private func reconnect() throws(HarnessError) {
    // Another kill may come before the process is ready.
    var attempts = 0
    while true {
      do throws(HarnessError) { return try implementation.crash(.kill) } catch {
        attempts += 1
        guard isKilled, attempts < Self.attemptsMax else { throw error }
      }
    }
  }

  private static let attemptsMax = 20

  /// Starts a process that was killed after its last operation.
  func revive(_ store: StoreName) throws(HarnessError) {
    guard isKilled else { return }
    try reconnect()
    try open(store)
  }

  /// Opens the store; other connections may open it at the same time.
  private func open(_ store: StoreName) throws(HarnessError) {
    for _ in 0..<100 {
      let outcome: Outcome
      do throws(HarnessError) {
        outcome = try implementation.perform(StoreOperation(store, .open()), environment)
      } catch {
        guard isKilled, error.isLoss else { throw error }
        try reconnect()
        continue
      }
      if outcome.result != nil { return }
      guard outcome.errorKind == .busy else {
        throw HarnessError("connection \(number) cannot open the store: \(outcome)")
      }
    }
    throw HarnessError("connection \(number) cannot open the store: it is always busy")
  }

  /// Reads the feed up to its end, from where the client stopped.
  func finishReading(_ workload: ContendedWorkload) throws(HarnessError) {
    var position = client?.position
    while case .ok(.changes(let page)) = try perform(workload.store, .changes(since: position)),
      page.more, page.last != position
    {
      position = page.last
    }
  }
}

extension HarnessError {
  /// Whether a connection ended, or a server did not respond; not a wrong response.
  fileprivate var isLoss: Bool {
    breakdown.map { !$0.isProtocolError || $0.shape == "unanswered" } ?? false
  }
}
