public import Datastore
internal import JSON

/// Drives an implementation's own replicator (capability `replicate`): its requests leave here as
/// typed messages to the other store, and the answers return to it as HTTP.
///
/// The implementation's own store is out of sight: only one side is ever asked. What is reported is
/// what was carried: records that the other store took, or that it gave.
public struct ForeignReplicator: ReplicationMachine {
  public private(set) var state: ReplicatorState = .pending
  public private(set) var report = ReplicationReport()

  private let start: ReplicationTurn.Start
  private let form: HTTPForm
  /// Gives a turn to the replicator of the implementation.
  private let perform: (ReplicationTurn) throws(HarnessError) -> Outcome
  private var session: JSONString = ""
  /// What is asked and not answered, by number.
  private var requests: [RequestNumber: PeerRequest] = [:]
  private var lastNumber: RequestNumber = 0
  /// How many turns there were; a timer of an earlier one has been replaced.
  private var turns: RequestNumber = 0

  /// How many timers in a row were wanted at once and led to no request.
  private var idleWakes = 0

  /// How often the replicator may ask at once for what is refused at once.
  private static let refusalsMax = 100
  /// How many timers in a row may be wanted at once and lead to no request.
  private static let idleWakesMax = 1000
  /// The shortest wait, in nanoseconds, that does not count as spinning.
  private static let shortestWait: Int64 = 1_000_000

  /// - Parameter perform: performs the turn on the implementation's store, in an environment that
  ///   the driver does not use at the same time.
  public init(
    _ start: ReplicationTurn.Start,
    perform: @escaping (ReplicationTurn) throws(HarnessError) -> Outcome
  ) {
    self.start = start
    self.perform = perform
    form = HTTPForm(database: start.remote)
  }

  private var otherSide: ReplicationSide { start.direction == .push ? .target : .source }

  public mutating func handle(_ event: ReplicatorEvent) -> [ReplicatorEffect] {
    guard !state.isFinal else { return [] }
    switch event {
    case .start(let session):
      guard state == .pending else { return [] }
      self.session = session
      return take(.start(start))
    case .cancel:
      guard state != .pending else {
        state = .stopped
        return []
      }
      return take(.cancel)
    case .response(let number, let response):
      guard let request = requests.removeValue(forKey: number) else { return [] }
      do throws(DecodingFailure) {
        let answer = try form.response(response, to: request)
        count(request, response)
        return take(.response(number: number, answer))
      } catch {
        return take(.lost(number: number))
      }
    case .lost(let number, _):
      guard requests.removeValue(forKey: number) != nil else { return [] }
      return take(.lost(number: number))
    case .timer(.retry(turns)): return take(.timer)
    // It knows no other timers, and nobody can tell it that its source has changed.
    case .timer, .poke: return []
    }
  }

  /// Gives a turn to the replicator, and another for each request that is no request here.
  private mutating func take(_ event: ReplicationTurn.Event) -> [ReplicatorEffect] {
    var events = [event][...]
    var effects: [ReplicatorEffect] = []
    var wakeAfter: Int64?
    var refusals = 0
    while !state.isFinal, let event = events.popFirst() {
      let answer: ReplicationTurn.Answer
      do throws(HarnessError) {
        let outcome = try perform(ReplicationTurn(session: session, event))
        guard case .ok(.turn(let turn)) = outcome else {
          return fail("a turn was answered with \(outcome.json.serialized())")
        }
        answer = turn
      } catch {
        return fail(error.message)
      }
      turns += 1
      wakeAfter = answer.wakeAfter
      for wanted in answer.requests {
        guard wanted.number > lastNumber else {
          return fail("request \(wanted.number) does not have a number of its own")
        }
        lastNumber = wanted.number
        do throws(HTTPRefusal) {
          let request = try form.read(wanted.request)
          requests[wanted.number] = request
          note(request)
          effects.append(.send(wanted.number, otherSide, purpose: request, attempt: 1))
        } catch {
          refusals += 1
          guard refusals <= Self.refusalsMax else {
            return fail("it asks again and again for what is refused: \(wanted.request.path)")
          }
          events.append(.response(number: wanted.number, error.response))
        }
      }
      state = answer.state
      if state == .error {
        report.note(
          ReplicationReport.Failure(reason: answer.message ?? "it does not say what is wrong"))
      }
    }
    if !state.isFinal, let wakeAfter {
      let range = ReplicationTurn.Answer.wakeAfterRange
      guard range.contains(wakeAfter) else {
        return fail("it wants a timer after \(wakeAfter) nanoseconds: expected \(range)")
      }
      countIdle(event, wakeAfter, effects: effects)
      guard idleWakes <= Self.idleWakesMax else {
        return fail(
          "it wanted a timer at once \(Self.idleWakesMax) times in a row and made no request")
      }
      let pause = UInt64(wakeAfter)
      effects.append(.wait(.retry(turns), nanoseconds: pause...pause))
    }
    return state.isFinal ? [] : effects
  }

  /// Counts a timer that leads to nothing but the wish for another one at once.
  private mutating func countIdle(
    _ event: ReplicationTurn.Event, _ wakeAfter: Int64, effects: [ReplicatorEffect]
  ) {
    guard case .timer = event, effects.isEmpty, wakeAfter < Self.shortestWait else {
      idleWakes = 0
      return
    }
    idleWakes += 1
  }

  private mutating func fail(_ reason: String) -> [ReplicatorEffect] {
    state = .error
    report.note(ReplicationReport.Failure(reason: JSONString(reason)))
    return []
  }

  /// The local document that it asks for is where it remembers the session.
  private mutating func note(_ request: PeerRequest) {
    switch request {
    case .readLocal(let id), .writeLocal(let id, _): report.checkpoint = id
    default: break
    }
  }

  private mutating func count(_ request: PeerRequest, _ response: PeerResponse) {
    guard case .ok(let result) = response else { return }
    switch (request, result) {
    case (.insertRevisions, .inserted(let errors)):
      report.total += Int64(errors.count)
      report.processed += Int64(errors.count)
      report.refused += Int64(errors.count { $0?.kind == .forbidden })
    case (.getRevisions, .revisions(let answers)):
      report.total += Int64(answers.count)
      report.processed += Int64(answers.count)
    default: break
    }
  }
}
