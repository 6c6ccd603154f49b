public import ConcurrentClients
public import Datastore
internal import JSON
public import SQLiteDatastore
public import Storage

/// Enumerates all interleavings of the steps of two operations on the files of the SQLite store.
///
/// A step is an operation on a file, a request for a lock, or a wait. Both connections are in this
/// process and use files in memory, so that each run is repeatable.
public struct InterleavingExperiment {
  private let runsMax: Int
  private let make: (MemoryStorage) -> any ImplementationUnderTest

  /// The waiting time for a lock of another connection, so that a connection gives up after few
  /// attempts.
  public static let busyMilliseconds = 4

  /// - Parameters:
  ///   - runsMax: the number of runs of a pair after which its enumeration is incomplete.
  ///   - make: makes a connection to the stores in the files.
  public init(
    runsMax: Int = 20_000,
    _ make: @escaping (MemoryStorage) -> any ImplementationUnderTest = {
      SQLiteDatastore(storage: $0, busyMilliseconds: busyMilliseconds)
    }
  ) {
    self.runsMax = runsMax
    self.make = make
  }

  /// The result for a pair.
  public struct Result: Sendable {
    /// What the pair is about.
    public var name: String
    /// The number of schedules.
    public var schedules: UInt64
    /// The number of different states.
    public var states: Int
    /// The number of runs that covered them.
    public var runs: Int
    /// Whether every schedule was covered.
    public var isComplete: Bool
    /// Each pair of outcomes with the number of its runs.
    public var outcomes: [(words: String, runs: Int)]
    /// The first history with a finding, and its findings.
    public var failure: (history: ClientHistory, findings: [HistoryFinding])?
  }

  /// The number of the first pairs, which take a few minutes together; each of the others, which write
  /// attachments, takes longer than all of these.
  public static let shortPairCount = pairCount - 2

  /// The number of pairs.
  public static let pairCount = InterleavedPair.all(firstRevision: "1-0", attached: "1-0").count

  /// Enumerates the schedules of a pair.
  ///
  /// - Parameter number: from 1 to `pairCount`.
  public func explore(pair number: Int) throws(HarnessError) -> Result {
    let pair = InterleavedPair.all(
      firstRevision: try revision(of: InterleavedPair.create),
      attached: try revision(of: InterleavedPair.withContent))[number - 1]
    let (storage, before) = try prepared(pair)
    var failure: (history: ClientHistory, findings: [HistoryFinding])?
    var outcomes: [String: Int] = [:]
    var order: [String] = []
    let result = try ScheduleEnumeration.explore(runsMax: runsMax) {
      choices throws(HarnessError) in
      let run = try perform(pair, storage.copy(), after: before, choices: choices)
      let words = Self.words(run.outcome)
      if outcomes[words] == nil { order.append(words) }
      outcomes[words, default: 0] += 1
      if failure == nil {
        let findings = HistoryChecker().check(run.outcome).findings
        if !findings.isEmpty { failure = (run.outcome, findings) }
      }
      return run
    }
    return Result(
      name: pair.name, schedules: result.schedules, states: result.states, runs: result.runs,
      isComplete: result.isComplete, outcomes: order.map { ($0, outcomes[$0] ?? 0) },
      failure: failure)
  }

  private static let store: StoreName = "a"

  /// The revision that an operation makes on an empty store.
  private func revision(of action: StoreAction) throws(HarnessError) -> RevisionID {
    let store = make(MemoryStorage())
    var outcome: Outcome?
    for action in [.open(), action] {
      outcome = try store.perform(
        StoreOperation(Self.store, action), RunEnvironment(seed: 3))
    }
    guard case .ok(.written(_, let rev)) = outcome else {
      throw HarnessError("\(action.name) wrote no revision")
    }
    return rev
  }

  /// The files before the pair with their log, and the operations that wrote them.
  private func prepared(
    _ pair: InterleavedPair
  ) throws(HarnessError) -> (MemoryStorage, [ClientOperation]) {
    let storage = MemoryStorage()
    let store = make(storage)
    let world = InterleavedWorld(storage, planned: [], after: [])
    for action in [.open()] + pair.before {
      try world.perform(StoreOperation(Self.store, action), on: 3, store)
    }
    try store.crash(.kill)
    return (storage, world.operations)
  }

  /// One run: two connections with one operation each, then a third one that reads everything.
  private func perform(
    _ pair: InterleavedPair, _ storage: MemoryStorage, after before: [ClientOperation],
    choices: [Int]
  ) throws(HarnessError) -> ScheduleEnumeration.Run<ClientHistory> {
    SQLiteLibrary.seedRandomness(1)
    let world = InterleavedWorld(storage, planned: choices, after: before)
    var connections: [any ImplementationUnderTest] = []
    for number in 1...3 {
      world.enter(number)
      let connection = make(storage)
      // The connection reads the index of the log now, not during the pair.
      for action in [StoreAction.open(), .info] {
        _ = try connection.perform(
          StoreOperation(Self.store, action), RunEnvironment(seed: UInt64(number)))
      }
      connections.append(connection)
    }
    try world.perform(
      [pair.first, pair.second].map { StoreOperation(Self.store, $0) }, connections)
    for action in InterleavedPair.closing {
      try world.perform(StoreOperation(Self.store, action), on: 3, connections[2])
    }
    for connection in connections { try connection.crash(.kill) }
    return ScheduleEnumeration.Run(
      choices: world.choices, outcome: ClientHistory(world.operations))
  }

  private static func words(_ history: ClientHistory) -> String {
    history.operations.filter { $0.connection < 3 && $0.connection > 0 }
      .sorted { $0.connection < $1.connection }
      .map { operation in
        switch operation.outcome {
        case .ok: "\(operation.operation.action.name): ok"
        case .error(let error): "\(operation.operation.action.name): \(error.kind)"
        case .unknown, nil: "\(operation.operation.action.name): unknown"
        }
      }.joined(separator: ", ")
  }
}
