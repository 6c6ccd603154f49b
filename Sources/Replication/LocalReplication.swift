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

  /// Runs one session to its end and says what it did.
  ///
  /// A `HarnessError` is an implementation that could not be asked. A continuous replicator is
  /// stopped when it first rests.
  public func run(
    _ configuration: ReplicatorConfiguration = ReplicatorConfiguration(),
    _ environment: inout Environment
  ) throws(HarnessError) -> (state: ReplicatorState, report: ReplicationReport) {
    var replicator = Replicator(configuration)
    let session = Text(environment.randomBytes(16).hexadecimal)
    var queue = replicator.handle(.start(session: session))[...]
    while !replicator.state.isFinal, let effect = queue.popFirst() {
      let event: ReplicatorEvent
      switch effect {
      case .send(let number, let side, let request, _):
        let peer = side == .source ? source : target
        let answer = try peer.answer(request, &environment)
        event =
          answer.map { .response(number, $0) }
          ?? .lost(number, reason: "the store does not know what came of it")
      case .wait(.retry(let number), _): event = .timer(.retry(number))
      case .wait(.checkpoint, _): continue
      case .wait(.poll, _): event = .cancel
      }
      queue += replicator.handle(event)
    }
    return (replicator.state, replicator.report)
  }
}
