import Datastore
import JSON
import Testing

@testable import Adapters

/// protocol.md: the requests that an adapter can send to the runner.
@Suite struct ServicesTests {
  /// An adapter whose `replicate` and `create` are scripts; `ask` sends a line and reads the
  /// response into `$line`.
  private func implementation(create: String = "", replicate: String = "") throws
    -> AdapterImplementation
  {
    let command = """
      number=0
      ask() {
        number=$((number + 1))
        printf '{"ask":%s,"id":%s,%s}\\n' "$number" "$id" "$1"
        IFS= read -r line
      }
      while IFS= read -r line; do
        id=${line#*'"id":'}; id=${id%%,*}
        case $line in
        *'"hello"'*)
          printf '{"id":0,"ok":{"protocol":1,"name":"s","version":"1",'
          printf '"capabilities":["replicate"]}}\\n';;
        *'"op":"create"'*) \(create) ;;
        *'"op":"replicate"'*) \(replicate) ;;
        *) printf '{"id":%s,"ok":{}}\\n' "$id";;
        esac
      done
      """
    return try AdapterImplementation(.command(command), runner: "tests")
  }

  private func replicate(_ event: ReplicationTurn.Event, _ session: JSONString = "s")
    -> StoreOperation
  {
    StoreOperation("a", .replicate(ReplicationTurn(session: session, event)))
  }

  @Test func timeAndRandomnessAreThoseOfTheRun() throws {
    let implementation = try implementation(
      create: #"""
        ask '"time":{}'; time=${line##*:}; time=${time%%\}*}
        ask '"random":{"bytes":4}'; random=${line##*:}; random=${random%%\}*}
        printf '{"id":%s,"ok":{"id":"%s","rev":%s}}\n' "$id" "$time" "$random"
        """#)
    let environment = RunEnvironment(seed: 7, nowNanoseconds: 123)
    let same = environment.copy()
    let outcome = try implementation.perform(
      StoreOperation("a", .create(id: nil, body: [:])), environment)
    let random = same.randomBytes(4).map { byte in
      let hex = String(byte, radix: 16)
      return byte < 16 ? "0\(hex)" : hex
    }
    let rev = RevisionID(JSONString(random.joined()))
    #expect(outcome == .ok(.written(id: "123", rev: rev)))
    #expect(environment.random == same.random)
  }

  /// An operation that exceeds the line limit is not sent.
  @Test func noRequestIsLongerThanALine() throws {
    let implementation = try implementation()
    let environment = RunEnvironment(seed: 7)
    let body: JSONValue = ["t": .text(String(repeating: "x", count: 64 << 20))]
    let outcome = try implementation.perform(
      StoreOperation("a", .create(id: "d", body: body)), environment)
    #expect(outcome.errorKind == .tooLarge(limit: 67_108_864))
    let next = try implementation.perform(StoreOperation("a", .close), environment)
    #expect(next == .ok(.done))
    try implementation.shutdown()
  }

  /// A session that requests `/b/x`, sleeps, sends a second request and reports the responses.
  static let blocking = #"""
    ask '"exchange":{"method":"GET","path":"/b/x"}'; first=$line
    ask '"sleep":{"nanoseconds":500}'
    ask '"exchange":{"method":"PUT","path":"/b/y","body":{"n":1}}'
    case $line in
    *cancelled*) state=stopped;;
    *lost*) state=error;;
    *) state=complete;;
    esac
    case $first in *'"status":200'*) ;; *) state=error;; esac
    printf '{"id":%s,"ok":{"requests":[],"state":"%s"}}\n' "$id" "$state"
    """#

  @Test(arguments: ["complete", "stopped", "error"])
  func aBlockingReplicatorRunsInTurns(end: String) throws {
    let implementation = try implementation(replicate: Self.blocking)
    let environment = RunEnvironment(seed: 7)
    func turn(_ event: ReplicationTurn.Event) throws -> ReplicationTurn.Answer {
      guard case .ok(.turn(let answer)) = try implementation.perform(replicate(event), environment)
      else { throw HarnessError("no turn") }
      return answer
    }
    let first = try turn(.start(ReplicationTurn.Start(.pull, "/b")))
    #expect(first.requests.map(\.request) == [HTTPRequest("GET", "/b/x")])
    #expect(first.state == .started)
    let second = try turn(.response(number: first.requests[0].number, HTTPResponse(200)))
    #expect(second.requests.isEmpty)
    #expect(second.wakeAfter == 500)
    environment.nowNanoseconds = 100
    // A duplicate response does not wake the session.
    let late = try turn(.response(number: first.requests[0].number, HTTPResponse(200)))
    #expect(late.wakeAfter == 400)
    let third = try turn(.timer)
    #expect(third.requests.map(\.request) == [HTTPRequest("PUT", "/b/y", body: ["n": 1])])
    let event: ReplicationTurn.Event =
      switch end {
      case "complete": .response(number: third.requests[0].number, HTTPResponse(201))
      case "stopped": .cancel
      default: .lost(number: third.requests[0].number)
      }
    #expect(try turn(event) == ReplicationTurn.Answer([], state: ReplicatorState(rawValue: end)!))
    #expect(try implementation.perform(StoreOperation("a", .close), environment) == .ok(.done))
  }

  @Test func sessionsInsideEachOtherGoOnAsTheyNest() throws {
    // `start` sends a request and reads on: it performs nested requests until its own response
    // arrives.
    let implementation = try implementation(
      replicate: #"""
        run() {
          mine=$((number + 1)); number=$mine; own=$id
          printf '{"ask":%s,"id":%s,"exchange":{"method":"GET","path":"/b"}}\n' "$mine" "$own"
          while IFS= read -r line; do
            case $line in
            *'"ask":'$mine,*) break;;
            *'"id":'*) id=${line#*'"id":'}; id=${id%%,*}; (number=$mine; run); ;;
            esac
          done
          printf '{"id":%s,"ok":{"requests":[],"state":"complete"}}\n' "$own"
        }
        run
        """#)
    let environment = RunEnvironment(seed: 7)
    let start = ReplicationTurn.Event.start(ReplicationTurn.Start(.pull, "/b"))
    func turn(_ event: ReplicationTurn.Event, _ session: JSONString) throws
      -> ReplicationTurn.Answer
    {
      let operation = replicate(event, session)
      guard case .ok(.turn(let answer)) = try implementation.perform(operation, environment)
      else { throw HarnessError("no turn") }
      return answer
    }
    let outer = try turn(start, "outer").requests[0].number
    let inner = try turn(start, "inner").requests[0].number
    #expect(inner > outer)
    // The outer session cannot continue before the inner one completes.
    let held = try turn(.response(number: outer, HTTPResponse(200)), "outer")
    #expect(held.state == .started)
    #expect(held.wakeAfter != nil)
    #expect(try turn(.response(number: inner, HTTPResponse(200)), "inner").state == .complete)
    #expect(try turn(.timer, "outer").state == .complete)
  }
}
