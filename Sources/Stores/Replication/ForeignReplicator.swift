public import Datastore
internal import JSON

/// Drives an implementation's own replicator (capability `replicate`): forwards its HTTP requests
/// as typed messages to the remote store, and returns the responses as HTTP.
///
/// The implementation's own store is not visible here: requests go to one side only. The report
/// counts the transported records: those that the remote store accepted or returned.
public struct ForeignReplicator: ReplicationMachine {
  public private(set) var state: ReplicatorState = .pending
  public private(set) var report = ReplicationReport()

  private let start: ReplicationTurn.Start
  private let form: HTTPForm
  /// Performs a turn of the implementation's replicator.
  private let perform: (ReplicationTurn) throws(HarnessError) -> Outcome
  private var session: JSONString = ""
  /// Requests without a response, by number.
  private var requests: [RequestNumber: PeerRequest] = [:]
  private var lastNumber: RequestNumber = 0
  /// The number of turns; a timer of an earlier turn has been replaced.
  private var turns: RequestNumber = 0

  /// The number of consecutive immediate timers without a request.
  private var idleWakes = 0

  /// The maximum number of consecutive requests that are immediately rejected.
  private static let refusalsMax = 100
  /// The maximum number of consecutive immediate timers without a request.
  private static let idleWakesMax = 1000
  /// The shortest delay, in nanoseconds, that does not count as immediate.
  private static let shortestWait: Int64 = 1_000_000

  /// Creates a driver.
  ///
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
    // The replicator has no other timers, and cannot be notified of changes of its source.
    case .timer, .poke: return []
    }
  }

  /// Performs a turn of the replicator, and another one for each request that is not valid here.
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
          return fail("unexpected outcome of a turn: \(outcome.json.serialized())")
        }
        answer = turn
      } catch {
        return fail(error.message)
      }
      turns += 1
      wakeAfter = answer.wakeAfter
      for wanted in answer.requests {
        guard wanted.number > lastNumber else {
          return fail("the number of request \(wanted.number) is not unique")
        }
        lastNumber = wanted.number
        do throws(HTTPRefusal) {
          let request = try form.read(wanted.request)
          requests[wanted.number] = request
          record(request)
          effects.append(.send(wanted.number, otherSide, purpose: request, attempt: 1))
        } catch {
          refusals += 1
          guard refusals <= Self.refusalsMax else {
            return fail("it repeats a rejected request: \(wanted.request.path)")
          }
          events.append(.response(number: wanted.number, error.response))
        }
      }
      state = answer.state
      if state == .error {
        report.record(
          ReplicationReport.Failure(reason: answer.message ?? "state \"error\" without a message"))
      }
    }
    if !state.isFinal, let wakeAfter {
      let range = ReplicationTurn.Answer.wakeAfterRange
      guard range.contains(wakeAfter) else {
        return fail("invalid wakeAfter of \(wakeAfter) ns: expected \(range)")
      }
      countIdle(event, wakeAfter, effects: effects)
      guard idleWakes <= Self.idleWakesMax else {
        return fail(
          "\(Self.idleWakesMax) consecutive immediate timers without a request")
      }
      let pause = UInt64(wakeAfter)
      effects.append(.wait(.retry(turns), nanoseconds: pause...pause))
    }
    return state.isFinal ? [] : effects
  }

  /// Counts a timer whose only effect is another immediate timer.
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
    report.record(ReplicationReport.Failure(reason: JSONString(reason)))
    return []
  }

  /// Records the local document that the replicator requests, which is its checkpoint.
  private mutating func record(_ request: PeerRequest) {
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
