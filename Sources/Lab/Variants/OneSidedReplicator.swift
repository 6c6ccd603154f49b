internal import Datastore
internal import JSON
internal import Replication

/// A replicator that writes its checkpoints at the source only, as PouchDB does on request.
///
/// The requests for checkpoints at the target are not sent: its checkpoint is taken from the source.
struct OneSidedReplicator: ReplicationMachine {
  private var machine: Replicator
  /// The request for the source's checkpoint.
  private var sourceRead: RequestNumber?
  /// The request for the target's checkpoint, until the source's is known.
  private var targetRead: RequestNumber?

  init(_ configuration: ReplicatorConfiguration) { machine = Replicator(configuration) }

  var state: ReplicatorState { machine.state }
  var report: ReplicationReport { machine.report }

  mutating func handle(_ event: ReplicatorEvent) -> [ReplicatorEffect] {
    var events = [event]
    if case .response(let number, let response) = event, number == sourceRead, let targetRead,
      let checkpoint = Self.atTarget(response)
    {
      events.append(.response(targetRead, checkpoint))
      (sourceRead, self.targetRead) = (nil, nil)
    }
    var effects: [ReplicatorEffect] = []
    while !events.isEmpty {
      for effect in machine.handle(events.removeFirst()) {
        switch effect {
        case .send(let number, .target, .readLocal, _): targetRead = number
        case .send(let number, .target, .writeLocal, _):
          events.append(.response(number, .ok(.done)))
        case .send(let number, .source, .readLocal, _):
          sourceRead = number
          effects.append(effect)
        default: effects.append(effect)
        }
      }
    }
    return effects
  }

  /// The source's checkpoint in the form of the target; nil for a failure, after which the request
  /// is repeated.
  private static func atTarget(_ response: PeerResponse) -> PeerResponse? {
    switch response {
    case .ok(.local(let body)):
      guard var object = body.objectValue else { return response }
      object["side"] = .text(ReplicationSide.target.rawValue)
      return .ok(.local(body: .object(object)))
    case .refused(let error):
      if case .notFound = error.kind { return response }
      return nil
    default: return nil
    }
  }
}
