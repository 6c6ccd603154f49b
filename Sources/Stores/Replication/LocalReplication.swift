public import Datastore
internal import Digest
internal import JSON

/// Replicates between two stores of this process, without a network.
///
/// Requests are answered at once and in order; pauses are skipped, so a side that stays busy or
/// keeps failing ends the run quickly and with an error in the report.
public struct LocalReplication {
  private let source: Peer
  private let target: Peer

  public init(from source: Peer, to target: Peer) {
    self.source = source
    self.target = target
  }

  /// How many requests and pauses a session may have: many times what the largest one has.
  private static let stepsMax = 200_000
  /// How many of them may be pauses. Pauses take no time here, so a replicator that repeats one request
  /// with a pause before each would otherwise go on for ever.
  private static let pausesMax = 10_000

  /// What happens in the middle of a session, at one of its requests.
  public struct Interruption: Hashable, Sendable {
    public var side: ReplicationSide
    /// The operation that the request is.
    public var operation: String
    /// Which request of this kind to this side, counted from 1.
    public var nth: Int64
    public var event: Event

    public enum Event: Hashable, Sendable {
      /// The program that runs the session ends without a word, before or after the store did what
      /// it is asked for.
      case cutOff(isPerformed: Bool)
      /// The session is cancelled while the request is on its way.
      case stop
      /// Somebody uses the asked implementation before the request gets there.
      case meanwhile([StoreOperation])
    }

    public init(_ side: ReplicationSide, _ operation: String, nth: Int64, event: Event) {
      self.side = side
      self.operation = operation
      self.nth = nth
      self.event = event
    }
  }

  /// Runs one session to its end, or to where it is cut off, and says what it did.
  ///
  /// A `HarnessError` is an implementation that could not be asked. A continuous replicator is
  /// stopped when it first rests.
  public func run(
    _ configuration: ReplicatorConfiguration = ReplicatorConfiguration(),
    interruption: Interruption? = nil, _ environment: RunEnvironment
  ) throws(HarnessError) -> (state: ReplicatorState, report: ReplicationReport) {
    var configuration = configuration
    for peer in [source, target]
    where !peer.implementation.description.capabilities.contains(.attachment) {
      configuration.asksForAttachments = false
    }
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
    while !machine.state.isFinal, let effect = queue.popFirst() {
      steps += 1
      if case .wait = effect { pauses += 1 }
      guard steps <= Self.stepsMax, pauses <= Self.pausesMax else {
        throw HarnessError(
          "the replicator does not come to an end: \(steps - pauses) requests, \(pauses) pauses",
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
              for operation in operations {
                _ = try peer.implementation.perform(operation, environment)
              }
            }
          }
        }
        let answer = try peer.answer(request, environment)
        event =
          answer.map { .response(number, $0) }
          ?? .lost(number, reason: "the store does not know what came of it")
      case .wait(.retry(let number), _): event = .timer(.retry(number))
      case .wait(.checkpoint, _): continue
      case .wait(.poll, _): event = .cancel
      }
      queue += machine.handle(event)
    }
  }
}
