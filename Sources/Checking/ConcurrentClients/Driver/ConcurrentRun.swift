public import Datastore
internal import JSON

/// Runs the clients of a workload at once, each on a connection of its own, and records what they
/// see.
public struct ConcurrentRun: Sendable {
  /// Opens connection 1, 2 and so on to the same stores. Only connection 1 is reset.
  public typealias Connector =
    @Sendable (Int) throws(HarnessError) -> any ImplementationUnderTest

  let workload: ContendedWorkload
  let connections: Int
  let operationsPerConnection: Int
  let seed: UInt64
  /// The scheduler of the only recording; nil for a new one, or for none.
  private let scheduler: TurnScheduler?
  private var isControlled = false
  let disturbance: (any Disturber)?
  private let limitSpace: (@Sendable (Int?) -> Void)?
  private let hasWrongClocks: Bool
  private let losesConnections: Bool

  /// - Parameters:
  ///   - connections: the number of clients, 1 or more.
  ///   - operationCount: the number of operations of all clients together.
  ///   - isControlled: whether one client runs at a time and the seed decides which; otherwise they
  ///     run as the system lets them.
  public init(
    seed: UInt64, _ description: ImplementationDescription, connections: Int,
    operationCount: Int, isControlled: Bool = false
  ) {
    self.init(
      seed: seed, description, connections: connections, operationCount: operationCount,
      scheduler: nil, disturbance: nil)
    self.isControlled = isControlled
  }

  /// - Parameters:
  ///   - scheduler: decides which client runs; nil if they run freely. A run with a scheduler can be
  ///     recorded once.
  ///   - disturbance: what happens to the processes of the connections.
  ///   - limitSpace: makes the disk full for a while, in bytes; nil if it never is.
  ///   - losesConnections: whether connections are cut, so that a missing response is expected.
  ///   - hasWrongClocks: whether the clocks of the connections differ and jump.
  package init(
    seed: UInt64, _ description: ImplementationDescription, connections: Int,
    operationCount: Int, scheduler: TurnScheduler?, disturbance: (any Disturber)?,
    limitSpace: (@Sendable (Int?) -> Void)? = nil, hasWrongClocks: Bool = false,
    losesConnections: Bool = false
  ) {
    self.losesConnections = losesConnections
    self.limitSpace = limitSpace
    self.hasWrongClocks = hasWrongClocks
    self.seed = seed
    workload = ContendedWorkload(seed: seed, description)
    self.connections = connections
    operationsPerConnection = max(1, operationCount / connections)
    self.scheduler = scheduler
    self.disturbance = disturbance
  }

  /// Performs the run, and shuts all connections down.
  ///
  /// - Throws: an error that is not about one operation, such as a store that cannot be reset.
  public func record(_ connect: @escaping Connector) throws(HarnessError) -> ClientHistory {
    let scheduler =
      scheduler
      ?? (isControlled
        ? TurnScheduler(.random(seed: seed), threads: Array(1...connections)) : nil)
    let recorder = HistoryRecorder()
    var lanes: [Lane] = []
    for number in 1...connections {
      let lane = Lane(
        number, try connect(number),
        environment: RunEnvironment(seed: mix(seed) ^ UInt64(number)), recorder: recorder,
        scheduler: scheduler)
      if hasWrongClocks { lane.clock = RandomGenerator(seed: mix(seed) &+ UInt64(number)) }
      if number == 1 { lane.limitSpace = limitSpace }
      lane.isKilled = losesConnections || disturbance?.kills == true
      lanes.append(lane)
      if number == 1 { try lane.implementation.begin(.run("concurrent")) }
      // The clients open the store at once, unless it needs preparations.
      for action in number == 1 && workload.opening.count > 1 ? workload.opening : [] {
        let outcome = try lane.perform(workload.store, action)
        guard outcome?.result != nil else {
          throw HarnessError(
            "connection \(number) cannot begin: \(action.name) has the outcome "
              + (outcome.map { "\($0)" } ?? "none"))
        }
      }
    }
    try runClients(lanes, scheduler)
    try close(lanes)
    for lane in lanes { try lane.implementation.shutdown() }
    return ClientHistory(recorder.operations)
  }

  private func runClients(
    _ lanes: [Lane], _ scheduler: TurnScheduler?
  ) throws(HarnessError) {
    let failure = FirstError()
    disturbance?.begin(connections)
    let threads = lanes.map { lane in
      let box = Handover(lane)
      let (workload, count) = (workload, operationsPerConnection)
      let thread = WorkerThread {
        scheduler?.begin(box.value.number)
        defer { scheduler?.end(box.value.number) }
        do throws(HarnessError) {
          try box.value.run(workload, count: count)
        } catch {
          failure.note(error)
        }
      }
      // The others do not wait for it.
      if !thread.isRunning { scheduler?.withdraw(lane.number) }
      return thread
    }
    for thread in threads { thread.join() }
    disturbance?.end()
    limitSpace?(nil)
    if let error = failure.error { throw error }
    guard threads.allSatisfy(\.isRunning) else {
      throw HarnessError("the system did not start \(threads.count) threads")
    }
  }

  /// Reads everything back, one operation after the other.
  private func close(_ lanes: [Lane]) throws(HarnessError) {
    for lane in lanes {
      try lane.revive(workload.store)
      try lane.finishReading(workload)
    }
    guard let lane = lanes.first else { return }
    var leaves: [DocumentID: [RevisionID]] = [:]
    for id in workload.documents {
      if case .ok(.leaves(let found)) = try lane.perform(workload.store, .leaves(id: id)) {
        leaves[id] = found.map(\.rev)
      }
    }
    for action in workload.closing(leaves) { _ = try lane.perform(workload.store, action) }
  }
}

/// Something that happens to the processes of the connections during a run.
package protocol Disturber: Sendable {
  /// Whether processes are killed.
  var kills: Bool { get }
  func begin(_ connections: Int)
  func end()
}
