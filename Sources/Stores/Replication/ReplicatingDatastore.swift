public import Datastore
internal import JSON

/// A layer that adds a replicator to any store: implements the capability `replicate` with a
/// machine.
///
/// The replicator accesses its own store directly and the remote one by requests, as a product
/// would. A crash ends all sessions in progress.
public final class ReplicatingDatastore: ImplementationLayer {
  public let base: any ImplementationUnderTest
  private let makeMachine: (ReplicatorConfiguration) -> any ReplicationMachine
  private var sessions: [JSONString: Session] = [:]

  fileprivate struct Session {
    var machine: any ReplicationMachine
    let form: HTTPForm
    let ownSide: ReplicationSide
    let own: Peer
    var requests: [RequestNumber: PeerRequest] = [:]
    /// The timers, the earliest first.
    var timers: [(nanoseconds: UInt64, timer: ReplicatorTimer)] = []
  }

  public init(
    _ store: any ImplementationUnderTest,
    makeMachine: @escaping (ReplicatorConfiguration) -> any ReplicationMachine = {
      Replicator($0)
    }
  ) {
    base = store
    self.makeMachine = makeMachine
  }

  public var description: ImplementationDescription {
    var description = base.description
    description.capabilities.insert(.replicate)
    return description
  }

  public func forget() { sessions = [:] }

  public func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    guard case .replicate(let turn) = operation.action else {
      return try base.perform(operation, environment)
    }
    if case .start(let start) = turn.event {
      sessions[turn.session] = Session(
        machine: makeMachine(configuration(of: start)), form: HTTPForm(database: start.remote),
        ownSide: start.direction == .push ? .source : .target,
        own: Peer(base, store: operation.store))
    }
    guard var session = sessions[turn.session] else {
      return .error(DatastoreError(.badRequest(path: "session")))
    }
    let answer = try session.take(turn, environment)
    sessions[turn.session] = session.machine.state.isFinal ? nil : session
    return .ok(.turn(answer))
  }

  private func configuration(of start: ReplicationTurn.Start) -> ReplicatorConfiguration {
    var configuration = ReplicatorConfiguration()
    configuration.filter = start.filter
    configuration.isContinuous = start.isContinuous
    let capabilities = base.description.capabilities
    configuration.flushesTarget = capabilities.contains(.delayedDurability)
    configuration.asksForAttachments = capabilities.contains(.attachment)
    configuration.usesPieces = capabilities.contains(.attachmentPieces)
    // The other side is a store of the same kind.
    configuration.continuesFeed = !base.description.restrictions.contains(.changesFromStart)
    if let batch = start.batch {
      configuration.pageRows = batch
      configuration.batchRevisions = Int(batch)
    }
    return configuration
  }
}

extension ReplicatingDatastore.Session {
  fileprivate mutating func take(
    _ turn: ReplicationTurn, _ environment: RunEnvironment
  ) throws(HarnessError) -> ReplicationTurn.Answer {
    let now = environment.nowNanoseconds
    var answer = ReplicationTurn.Answer([], state: .started)
    var events = event(of: turn).map { [$0] } ?? []
    while !events.isEmpty {
      for effect in machine.handle(events.removeFirst()) {
        switch effect {
        case .send(let number, let side, let request, _) where side == ownSide:
          events.append(
            try own.answer(request, environment).map { .response(number, $0) }
              ?? .lost(number, reason: "unknown outcome"))
        case .send(let number, _, let request, _):
          guard let wanted = try? form.request(request) else {
            events.append(.lost(number, reason: "the protocol cannot encode the request"))
            continue
          }
          requests[number] = request
          answer.requests.append(ReplicationTurn.Request(number: number, wanted))
        case .wait(let timer, let range):
          let time = now + range.lowerBound
          let place = timers.firstIndex { $0.nanoseconds > time } ?? timers.endIndex
          timers.insert((time, timer), at: place)
        }
      }
    }
    answer.state = machine.state
    answer.message = machine.report.failures.first?.reason
    if let next = timers.first {
      answer.wakeAfter = Int64(next.nanoseconds > now ? next.nanoseconds - now : 0)
    }
    return answer
  }

  /// The machine's event for a turn; nil for a turn that the machine does not wait for.
  private mutating func event(of turn: ReplicationTurn) -> ReplicatorEvent? {
    switch turn.event {
    case .start: return .start(session: turn.session)
    case .response(let number, let response):
      guard let request = requests.removeValue(forKey: number) else { return nil }
      guard let answer = try? form.read(response, to: request) else {
        return .lost(number, reason: "the response is not valid")
      }
      return .response(number, answer)
    case .lost(let number): return .lost(number, reason: "no response")
    case .timer: return timers.isEmpty ? nil : .timer(timers.removeFirst().timer)
    case .cancel: return .cancel
    }
  }
}
