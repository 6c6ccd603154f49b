import Conformance
import Datastore
import JSON
import Testing

@testable import Adapters

/// A crash, hang or protocol error, and the expected diagnosis.
struct Breakdown: CustomTestStringConvertible, Sendable {
  let name: String
  let script: String
  let says: String
  /// The time limit of an operation in seconds; short for adapters that never respond.
  var operationSeconds = 20.0
  /// Several, because the end of a process and its last bytes arrive in either order.
  var runs = 5

  var testDescription: String { name }
}

/// protocol.md, Errors of an adapter: a malformed response fails only the vector in progress.
@Suite struct IsolationTests {
  static let agree = ScriptedAdapter.agree

  static let breakdowns: [Breakdown] = [
    Breakdown(name: "crash", script: "kill -SEGV $$", says: "the adapter was killed by SIGSEGV"),
    Breakdown(name: "abort", script: "kill -ABRT $$", says: "the adapter was killed by SIGABRT"),
    Breakdown(name: "killed", script: "kill -KILL $$", says: "SIGKILL"),
    Breakdown(
      name: "crash below a shell", script: "sh -c 'kill -SEGV $$'; exit $?",
      says: "exited with code 139, in a shell SIGSEGV"),
    Breakdown(name: "exit 0", script: "exit 0", says: "the adapter exited with code 0"),
    Breakdown(name: "exit 3", script: "exit 3", says: "the adapter exited with code 3"),
    Breakdown(
      name: "half a line and the end", script: #"printf '{"id":%s,"o' "$id"; exit 0"#,
      says: #"the adapter exited with code 0, after an incomplete line: {"id":"#),
    Breakdown(
      name: "half a line and silence", script: #"printf '{"id":%s,"o' "$id"; sleep 60"#,
      says: "no response in time, only an incomplete line: {\"id\":", operationSeconds: 2, runs: 2),
    Breakdown(
      name: "hang", script: "sleep 60", says: "no response in time", operationSeconds: 2, runs: 2),
    Breakdown(
      name: "slow drip", script: "while :; do printf ' '; sleep 0.05; done",
      says: "no response in time, only an incomplete line", operationSeconds: 2, runs: 2),
    Breakdown(
      name: "answer after the time", script: "sleep 4; \(agree)", says: "no response in time",
      operationSeconds: 2, runs: 2),
    Breakdown(
      name: "garbage", script: "echo Debug: here", says: "malformed response: not JSON: Debug: here"
    ),
    Breakdown(name: "an empty line", script: "echo", says: "not JSON: an empty line"),
    Breakdown(
      name: "no object", script: "echo '[]'", says: "malformed response: not a JSON object: []"),
    Breakdown(
      name: "another protocol", script: #"echo '{"jsonrpc":"2.0"}'"#,
      says: "malformed response: neither id nor ask"),
    Breakdown(
      name: "enormous line", script: "head -c 67200000 /dev/zero | tr '\\0' x; echo",
      says: "a line of more than 64 MiB", operationSeconds: 120, runs: 2),
    Breakdown(
      name: "wrong id", script: #"printf '{"id":%s,"ok":{}}\n' $((id + 1))"#, says: "wrong id"),
    Breakdown(
      name: "an id of another kind", script: #"printf '{"id":%s.0,"ok":{}}\n' "$id""#,
      says: "the id of the response is not an integer"),
    Breakdown(
      name: "double answer", script: "\(agree); \(agree)",
      says: "duplicate or late response to request"),
    Breakdown(
      name: "garbage after the answer", script: "\(agree); echo oops", says: "not JSON: oops"),
    Breakdown(
      name: "neither ok nor error", script: #"printf '{"id":%s,"fine":{}}\n' "$id""#,
      says: "invalid response to close: expected ok or error"),
    Breakdown(
      name: "another shape", script: #"printf '{"id":%s,"ok":{"rev":"1-a"}}\n' "$id""#,
      says: "invalid response to close"),
    Breakdown(
      name: "a fork that keeps the pipe", script: "sleep 60 & exit 0",
      says: "the adapter exited with code 0"),
    Breakdown(
      name: "a closed pipe", script: "exec 1>&-; sleep 60",
      says: "the adapter closed its standard output",
      runs: 2),
    Breakdown(
      name: "an unknown question",
      script: #"printf '{"ask":1,"id":%s,"dance":{}}\n' "$id""#,
      says: "invalid ask: ask: expected one of time, random, exchange, sleep"),
    Breakdown(
      name: "a question about another request",
      script: #"printf '{"ask":1,"id":0,"time":{}}\n'"#, says: "request 0 is not in progress"),
    Breakdown(
      name: "an exchange without a session",
      script: #"printf '{"ask":1,"id":%s,"exchange":{"method":"GET","path":"/b"}}\n' "$id""#,
      says: "the adapter requested an exchange or sleep during close"),
  ]

  @Test(arguments: breakdowns)
  func isBlamedOnItsVector(_ breakdown: Breakdown) throws {
    let adapter = ScriptedAdapter(script: "echo about to break >&2; \(breakdown.script)")
    let implementation = try adapter.implementation(operationSeconds: breakdown.operationSeconds)
    for _ in 0..<breakdown.runs {
      let verdicts = try ScriptedAdapter.verdicts(of: implementation)
      #expect(verdicts[0] == .pass)
      #expect(verdicts[2] == .pass)
      guard case .fail(let witness) = verdicts[1] else {
        Issue.record("b did not fail: \(verdicts[1])")
        return
      }
      #expect(witness.diagnosis.joined().contains(breakdown.says), "\(witness.diagnosis)")
      #expect(witness.log.contains("about to break"))
    }
    try implementation.shutdown()
  }

  @Test func aVectorHasATimeAsWell() throws {
    let adapter = ScriptedAdapter(script: "sleep 0.7; \(Self.agree)")
    let implementation = try AdapterImplementation(
      adapter.place, runner: "tests",
      limits: AdapterLimits(operation: .seconds(20), vector: .milliseconds(500)))
    guard case .fail(let witness) = try ScriptedAdapter.verdicts(of: implementation)[1] else {
      Issue.record("the vector passed despite its time limit")
      return
    }
    #expect(witness.diagnosis == ["no response in time"])
  }

  @Test func aRunTakesAsLongAsItTakes() throws {
    let adapter = ScriptedAdapter(script: "sleep 0.3; \(Self.agree)")
    let implementation = try AdapterImplementation(
      adapter.place, runner: "tests",
      limits: AdapterLimits(operation: .seconds(20), vector: .milliseconds(200)))
    try implementation.begin(.run("b"))
    let environment = RunEnvironment(seed: 1)
    #expect(try implementation.perform(StoreOperation("a", .close), environment) == .ok(.done))
  }

  @Test func whatTheNextProcessSaysOfItselfCounts() throws {
    // Each process reports a different version.
    let adapter = ScriptedAdapter(
      script: "exit 0", greeting: #""protocol":1,"name":"scripted","version":"'$$'""#)
    let implementation = try adapter.implementation()
    guard case .fail(let witness) = try ScriptedAdapter.verdicts(of: implementation)[2] else {
      Issue.record("the changed description was accepted")
      return
    }
    #expect(
      witness.diagnosis.joined().contains(
        "two processes of this adapter describe themselves differently"))
  }

  @Test(arguments: [
    ("exit 4", "the adapter exited with code 4"),
    ("echo welcome", "malformed response: not JSON: welcome"),
    (
      #"echo '{"id":0,"error":{"message":"no licence"}}'"#, "the adapter rejected hello: no licence"
    ),
    (
      #"echo '{"id":0,"ok":{"protocol":2,"name":"n","version":"1"}}'"#,
      "ok.protocol: expected version 1, found 2"
    ),
    (#"echo '{"id":0,"ok":{"protocol":1,"version":"1"}}'"#, "ok.name: missing"),
    (
      #"echo '{"id":0,"ok":{"protocol":1,"name":"n","version":"1","capabilities":["fly"]}}'"#,
      "'fly' is not one of"
    ),
    (
      #"echo '{"id":0,"ok":{"protocol":1,"name":"n","version":"1","crashes":["powerLoss"]}}'"#,
      "ok.crashes: expected kill"
    ),
    ("/nowhere/at-all", "not found"),
  ])
  func aStartThatFailsIsNoVerdict(script: String, says: String) throws {
    let error = try #require(throws: HarnessError.self) {
      _ = try AdapterImplementation(.command(script), runner: "tests")
    }
    #expect(error.breakdown == nil)
    #expect(error.message.contains("the adapter did not start"))
    #expect(error.message.contains(says), "\(error.message)")
  }

  @Test func afterThreeFailedStartsNobodyTriesAgain() throws {
    let folder = try DataFolder()
    let adapter = ScriptedAdapter(script: "touch \(folder.path)/broken; exit 0")
    let command = "test -e \(folder.path)/broken && exit 9; \(adapter.command)"
    let implementation = try AdapterImplementation(.command(command), runner: "tests")
    var messages: [String] = []
    for _ in 0..<3 {
      for verdict in try ScriptedAdapter.verdicts(of: implementation) {
        if case .harnessError(let failure) = verdict { messages.append(failure.message) }
      }
    }
    #expect(messages.count == 7)
    #expect(messages[0].contains("the adapter exited with code 9"))
    #expect(messages[6] == "the adapter failed to start 3 times in a row")
  }
}
