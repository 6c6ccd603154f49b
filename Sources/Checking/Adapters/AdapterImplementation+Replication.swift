internal import Datastore
internal import JSON

/// A session of a blocking replicator that waits for the runner.
struct WaitingSession {
  let session: JSONString
  /// The request that started it, which has no response yet.
  let operation: Int64
  /// The pending wish of the session.
  let ask: AdapterAsk
  /// The end of its sleep, in the time of the run.
  let wake: UInt64
  /// The response to deliver once the sessions that started later have ended.
  var held: (name: JSONString, value: JSONValue)?
}

/// A blocking replicator, run in turns: each exchange that it waits for ends a turn.
extension AdapterImplementation {
  /// The delay before a session whose response cannot be sent yet is tried again, in nanoseconds of
  /// the run.
  private static let restNanoseconds: Int64 = 50_000_000

  /// Records the wish of a session; the outcome of its turn is that wish.
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
    case .time, .random, .pass: preconditionFailure("no operation waits for \(ask.content)")
    }
  }

  /// Resumes a waiting session with the result that it waits for, unless this turn has another
  /// event.
  func proceed(
    _ place: Int, _ event: ReplicationTurn.Event, action: StoreAction,
    environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    let session = waiting[place]
    let news = session.held ?? session.news(event)
    guard let news else {
      // A late event, or one that the session no longer waits for: it keeps waiting.
      var rest: Int64?
      if case .sleep = session.ask.content {
        rest = Int64(clamping: session.wake - min(session.wake, environment.nowNanoseconds))
      }
      return .ok(.turn(ReplicationTurn.Answer([], wakeAfter: rest, state: .started)))
    }
    guard place == waiting.count - 1 else {
      // A single-threaded adapter reads this response within a later session, and cannot resume the
      // earlier one.
      waiting[place].held = news
      return .ok(
        .turn(ReplicationTurn.Answer([], wakeAfter: Self.restNanoseconds, state: .started)))
    }
    waiting.remove(at: place)
    return try answerWaiting(
      session, news.name, value: news.value, action: action, environment: environment)
  }
}

extension WaitingSession {
  /// Returns the response that an event means for the session; nil if it does not wait for that
  /// event.
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
