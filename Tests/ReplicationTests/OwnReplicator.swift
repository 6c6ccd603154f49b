import Datastore
import JSON
import ReferenceDatastore
import Replication

/// A store with a replicator of its own: the model, and the replicator of this module behind the
/// capability `replicate`. Its own store it asks itself, the other one by requests.
final class OwnReplicator: ImplementationUnderTest {
  let model = ReferenceDatastore()
  private var sessions: [Text: Session] = [:]
  /// What is changed about its replicators.
  var configure: (inout ReplicatorConfiguration) -> Void = { _ in }

  private struct Session {
    var replicator: Replicator
    let form: HTTPForm
    let ownSide: ReplicationSide
    let own: Peer
    var requests: [RequestNumber: PeerRequest] = [:]
    /// The earliest comes first.
    var timers: [(nanoseconds: UInt64, timer: ReplicatorTimer)] = []
  }

  var description: ImplementationDescription {
    var description = model.description
    description.capabilities.insert(.replicate)
    return description
  }

  func reset() {
    model.reset()
    sessions = [:]
  }

  func crash(_ kind: CrashKind) {
    model.crash(kind)
    sessions = [:]
  }

  func shutdown() {}

  func perform(_ operation: Operation, _ environment: inout Environment) -> Outcome {
    guard case .replicate(let turn) = operation.action else {
      return model.perform(operation, &environment)
    }
    if case .start(let start) = turn.event {
      var configuration = ReplicatorConfiguration()
      configuration.filter = start.filter
      configuration.isContinuous = start.isContinuous
      configure(&configuration)
      sessions[turn.session] = Session(
        replicator: Replicator(configuration), form: HTTPForm(database: start.remote),
        ownSide: start.direction == .push ? .source : .target,
        own: Peer(model, store: operation.store))
    }
    guard let session = sessions[turn.session] else {
      return .error(DatastoreError(.badRequest(path: "session")))
    }
    do {
      return .ok(.turn(try take(turn, session, &environment)))
    } catch {
      return .error(DatastoreError(.storage(.io), "\(error)"))
    }
  }

  private func take(
    _ turn: ReplicationTurn, _ before: Session, _ environment: inout Environment
  ) throws -> ReplicationTurn.Answer {
    var session = before
    let now = environment.nowNanoseconds
    var events: [ReplicatorEvent] = []
    switch turn.event {
    case .start: events = [.start(session: turn.session)]
    case .response(let number, let response):
      guard let request = session.requests.removeValue(forKey: number) else { break }
      if let answer = try? session.form.read(response, to: request) {
        events = [.response(number, answer)]
      } else {
        events = [.lost(number, reason: "the answer makes no sense")]
      }
    case .lost(let number): events = [.lost(number, reason: "no answer")]
    case .timer:
      if !session.timers.isEmpty { events = [.timer(session.timers.removeFirst().timer)] }
    case .cancel: events = [.cancel]
    }
    var answer = ReplicationTurn.Answer([], state: .started)
    while !events.isEmpty {
      for effect in session.replicator.handle(events.removeFirst()) {
        switch effect {
        case .send(let number, let side, let request, _) where side == session.ownSide:
          events.append(
            try session.own.answer(request, &environment).map { .response(number, $0) }
              ?? .lost(number, reason: "unknown"))
        case .send(let number, _, let request, _):
          session.requests[number] = request
          let request = try session.form.request(request)
          answer.requests.append(ReplicationTurn.Request(number: number, request))
        case .wait(let timer, let range):
          session.timers.append((now + range.lowerBound, timer))
          session.timers.sort { $0.nanoseconds < $1.nanoseconds }
        }
      }
    }
    answer.state = session.replicator.state
    answer.message = session.replicator.report.failures.first?.reason
    if let next = session.timers.first {
      answer.wakeAfter = Int64(next.nanoseconds > now ? next.nanoseconds - now : 0)
    }
    sessions[turn.session] = session
    return answer
  }
}
