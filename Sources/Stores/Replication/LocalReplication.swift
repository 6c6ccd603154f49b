public import Datastore
internal import Digest
internal import JSON

/// Runs a replicator in this process, between any two peers, one request after the other.
///
/// Without a `pause` closure, pauses are skipped, so a side that stays busy or keeps failing ends
/// the run quickly with an error in the report. That is sufficient for stores of this process; a
/// server needs the time.
public struct LocalReplication {
  private let source: any ReplicationPeer
  private let target: any ReplicationPeer
  private let pause: ((_ nanoseconds: UInt64) -> Void)?

  /// Prepares a replication.
  ///
  /// - Parameter pause: waits before a failed request is repeated. Requests that need no pause are
  ///   sent first.
  public init(
    from source: any ReplicationPeer, to target: any ReplicationPeer,
    pause: ((_ nanoseconds: UInt64) -> Void)? = nil
  ) {
    self.source = source
    self.target = target
    self.pause = pause
  }

  /// The maximum number of requests and pauses of a session: many times that of the largest
  /// session.
  private static let stepsMax = 200_000
  /// The maximum number of pauses among them. Pauses take no time here, so a replicator that
  /// repeats one request with a pause before each attempt would otherwise never end.
  private static let pausesMax = 10_000

  /// An event in the middle of a session, at one of its requests.
  public struct Interruption: Hashable, Sendable {
    public var side: ReplicationSide
    /// The name of the operation that the request performs.
    public var operation: String
    /// The ordinal of the request among those of this kind to this side, counted from 1.
    public var nth: Int64
    public var event: Event

    public enum Event: Hashable, Sendable {
      /// The program that runs the session ends abruptly, before or after the store performed the
      /// request.
      case cutOff(isPerformed: Bool)
      /// The session is cancelled while the request is in transit.
      case stop
      /// Another client uses the implementation before the request arrives, which must be in this
      /// process.
      case meanwhile([StoreOperation])
    }

    public init(_ side: ReplicationSide, _ operation: String, nth: Int64, event: Event) {
      self.side = side
      self.operation = operation
      self.nth = nth
      self.event = event
    }
  }

  /// Runs one session until it ends or is cut off, and returns its report.
  ///
  /// Throws `HarnessError` if a peer cannot be reached. A continuous replicator is
  /// stopped as soon as it is idle.
  public func run(
    _ configuration: ReplicatorConfiguration = ReplicatorConfiguration(),
    interruption: Interruption? = nil, _ environment: RunEnvironment
  ) throws(HarnessError) -> (state: ReplicatorState, report: ReplicationReport) {
    var configuration = configuration
    configuration.restrict(source: source, target: target)
    var replicator = Replicator(configuration)
    try run(&replicator, interruption: interruption, environment)
    return (replicator.state, replicator.report)
  }

  /// Runs one session of any machine.
  public func run(
    _ machine: inout some ReplicationMachine, interruption: Interruption? = nil,
    _ environment: RunEnvironment
  ) throws(HarnessError) {
    let session = JSONString(environment.randomBytes(16).hexadecimal)
    var queue = machine.handle(.start(session: session))[...]
    var untilInterruption = interruption?.nth ?? 0
    var (steps, pauses) = (0, 0)
    while !machine.state.isFinal, let effect = next(&queue) {
      steps += 1
      if case .wait = effect { pauses += 1 }
      guard steps <= Self.stepsMax, pauses <= Self.pausesMax else {
        throw HarnessError(
          "the replicator does not terminate: \(steps - pauses) requests, \(pauses) pauses",
          breakdown: HarnessError.Breakdown(shape: "endless"))
      }
      let event: ReplicatorEvent
      switch effect {
      case .send(let number, let side, let request, _):
        let peer = side == .source ? source : target
        if let interruption, interruption.side == side,
          interruption.operation == request.action.name
        {
          untilInterruption -= 1
          if untilInterruption == 0 {
            switch interruption.event {
            case .cutOff(let isPerformed):
              if isPerformed { _ = try peer.answer(request, environment) }
              return
            case .stop: queue += machine.handle(.cancel)
            case .meanwhile(let operations):
              guard let peer = peer as? Peer else {
                throw HarnessError("the \(side.rawValue) is not a store of this process")
              }
              for operation in operations {
                _ = try peer.implementation.perform(operation, environment)
              }
            }
          }
        }
        let answer = try peer.answer(request, environment)
        event =
          answer.map { .response(number, $0) }
          ?? .lost(number, reason: "unknown outcome")
      case .wait(.retry(let number), let range):
        pause?(delay(in: range, environment))
        event = .timer(.retry(number))
      case .wait(.checkpoint, _): continue
      case .wait(.poll, _): event = .cancel
      }
      queue += machine.handle(event)
    }
  }

  /// Removes the next effect: the first one, or the first request if pauses take time.
  private func next(_ queue: inout ArraySlice<ReplicatorEffect>) -> ReplicatorEffect? {
    guard pause != nil,
      let place = queue.firstIndex(where: { if case .send = $0 { true } else { false } })
    else { return queue.popFirst() }
    return queue.remove(at: place)
  }

  /// A random delay, so that several replicators do not retry at the same instant.
  private func delay(in range: ClosedRange<UInt64>, _ environment: RunEnvironment) -> UInt64 {
    let width = range.upperBound - range.lowerBound
    return range.lowerBound + (width == .max ? 0 : environment.nextRandom() % (width + 1))
  }
}
