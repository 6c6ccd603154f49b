internal import Datastore
internal import JSON

/// A session of a blocking replicator that waits for the runner.
struct WaitingSession {
  let session: JSONString
  /// The request that began it and is not answered yet.
  let operation: Int64
  /// What it waits for.
  let ask: AdapterAsk
  /// When its sleep is over, in the time of the run.
  let wake: UInt64
  /// What it is to hear, when sessions that began later are done.
  var held: (name: JSONString, value: JSONValue)?
}

/// A replicator that blocks, in turns: each exchange that it waits for ends a turn.
extension AdapterImplementation {
  /// How long a session rests whose answer cannot be given yet, in nanoseconds of the run.
  private static let restNanoseconds: Int64 = 50_000_000

  /// Notes what a session waits for; the outcome of its turn is a wish for that.
  func wait(
    _ turn: ReplicationTurn, _ id: Int64, ask: AdapterAsk, environment: RunEnvironment
  ) -> Outcome {
    waiting.removeAll { $0.session == turn.session }
    switch ask.content {
    case .exchange(let request):
      waiting.append(
        WaitingSession(session: turn.session, operation: id, ask: ask, wake: 0))
      let wanted = ReplicationTurn.Request(number: ask.number, request)
      return .ok(.turn(ReplicationTurn.Answer([wanted], state: .started)))
    case .sleep(let nanoseconds):
      let wake = environment.nowNanoseconds + UInt64(nanoseconds)
      waiting.append(
        WaitingSession(session: turn.session, operation: id, ask: ask, wake: wake))
      return .ok(.turn(ReplicationTurn.Answer([], wakeAfter: nanoseconds, state: .started)))
    case .time, .random: preconditionFailure("no operation waits for \(ask.content)")
    }
  }

  /// Gives a session that waits what it waits for, unless this turn is about something else.
  func proceed(
    _ place: Int, _ event: ReplicationTurn.Event, action: StoreAction,
    environment: inout RunEnvironment
  ) throws(HarnessError) -> Outcome {
    let session = waiting[place]
    let news = session.held ?? session.news(event)
    guard let news else {
      // Late, or about what it no longer waits for: it goes on waiting.
      var rest: Int64?
      if case .sleep = session.ask.content {
        rest = Int64(clamping: session.wake - min(session.wake, environment.nowNanoseconds))
      }
      return .ok(.turn(ReplicationTurn.Answer([], wakeAfter: rest, state: .started)))
    }
    guard place == waiting.count - 1 else {
      // An adapter with one thread reads this inside of a later session, and cannot go on with it.
      waiting[place].held = news
      return .ok(
        .turn(ReplicationTurn.Answer([], wakeAfter: Self.restNanoseconds, state: .started)))
    }
    waiting.remove(at: place)
    return try answerWaiting(
      session, news.name, value: news.value, action: action, environment: &environment)
  }
}

extension WaitingSession {
  /// What an event means to the session; nil when it does not wait for that.
  fileprivate func news(_ event: ReplicationTurn.Event) -> (name: JSONString, value: JSONValue)? {
    switch (event, ask.content) {
    case (.response(ask.number, let response), .exchange): ("ok", response.json)
    case (.lost(ask.number), .exchange): ("lost", [:])
    case (.timer, .sleep): ("ok", [:])
    case (.cancel, _): ("cancelled", [:])
    default: nil
    }
  }
}
