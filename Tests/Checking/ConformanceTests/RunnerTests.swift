import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

/// A vector, a misbehaviour, and the expected verdict.
struct RunnerCase: CustomTestStringConvertible, Sendable {
  let name: String
  let steps: String
  var more = ""
  var misbehaviour: FakeDatastore.Misbehaviour?
  var capabilities: Set<Capability> = []
  let verdict: String
  /// The step that the failure names; 0 is the opening.
  var step: Int?
  /// Part of the witness or of the reason.
  var mentions = ""

  var testDescription: String { name }
}

@Suite struct RunnerTests {
  static let create =
    #"{"do": {"op": "create", "store": "a", "id": "d", "body": {"n": 1}}, "#
    + #""expect": {"ok": {"id": "d", "rev": {"$bind": "r", "generation": 1}}}}"#
  static let read =
    #"{"do": {"op": "read", "store": "a", "id": "d"}, "#
    + #""expect": {"ok": {"rev": {"$ref": "r"}, "body": {"n": 1}}}}"#
  static let update =
    #"{"do": {"op": "update", "store": "a", "id": "d", "rev": {"$ref": "r"}, "body": {}}}"#
  static let stale =
    #"{"do": {"op": "update", "store": "a", "id": "d", "rev": {"$ref": "r"}, "body": {}}, "#
    + #""expect": {"error": {"kind": "conflict"}}}"#
  static let compact = #"{"do": {"op": "compact", "store": "a"}}"#
  static let insert =
    #"{"do": {"op": "insertRevisions", "store": "a", "records": "#
    + #"[{"id": "d", "path": ["1-a"], "body": {}}]}}"#

  static let mustPass: [RunnerCase] = [
    RunnerCase(name: "write and read", steps: "\(create), \(read)", verdict: "pass"),
    RunnerCase(name: "conflict", steps: "\(create), \(update), \(stale)", verdict: "pass"),
    RunnerCase(
      name: "nothing opened",
      steps: #"{"do": {"op": "info", "store": "a"}, "#
        + #""expect": {"error": {"kind": "noSuchStore"}}}"#, more: #", "opened": false"#,
      verdict: "pass"),
    RunnerCase(
      name: "one of",
      steps: #"{"do": {"op": "read", "store": "a", "id": "d"}, "expect": "#
        + #"{"oneOf": [{"ok": {}}, {"error": {"kind": "notFound", "reason": "missing"}}]}}"#,
      verdict: "pass"),
    RunnerCase(
      name: "capability offered", steps: compact, more: #", "capabilities": ["compact"]"#,
      capabilities: [.compact], verdict: "pass"),
    RunnerCase(name: "records without an expectation", steps: insert, verdict: "pass"),
  ]

  static let mustFail: [RunnerCase] = [
    RunnerCase(
      name: "wrong revision", steps: "\(create), \(read)", misbehaviour: .wrongRevision,
      verdict: "fail", step: 2, mentions: #"+ "rev": "9-wrong""#),
    RunnerCase(
      name: "wrong kind of error", steps: "\(create), \(update), \(stale)",
      misbehaviour: .wrongKind, verdict: "fail", step: 3, mentions: #"+ "kind": "forbidden""#),
    RunnerCase(
      name: "success instead of an error", steps: "\(create), \(update), \(stale)",
      misbehaviour: .noConflicts, verdict: "fail", step: 3,
      mentions: "accepts an operation that must be rejected as conflict"),
    RunnerCase(
      name: "missing member", steps: "\(create), \(read)", misbehaviour: .missingMember,
      verdict: "fail", step: 1, mentions: "invalid response to create: id: missing member"),
    RunnerCase(
      name: "missing member without an expectation",
      steps: #"{"do": {"op": "create", "store": "a", "id": "d", "body": {}}}"#,
      misbehaviour: .missingMember, verdict: "fail", step: 1,
      mentions: "invalid response to create: id: missing member"),
    RunnerCase(
      name: "unsupported, but declared", steps: compact,
      more: #", "capabilities": ["compact"]"#, misbehaviour: .unsupported,
      capabilities: [.compact], verdict: "fail", step: 1,
      mentions: "declares compact, but answers unsupported"),
    RunnerCase(
      name: "unsupported, but core", steps: create, misbehaviour: .unsupported, verdict: "fail",
      step: 1, mentions: "create is core: every implementation must offer it"),
    RunnerCase(
      name: "a lost response", steps: #"{"do": {"op": "info", "store": "a"}}"#,
      misbehaviour: .lostReply, verdict: "fail", step: 1, mentions: #"{"unknown":{}}"#),
    RunnerCase(
      name: "the store does not open", steps: create,
      misbehaviour: .answers("open", .storage(.corrupt)),
      verdict: "fail", step: 0, mentions: "opening"),
    RunnerCase(
      name: "a second creation of one document",
      steps: #"{"do": {"op": "create", "store": "a", "id": "d", "body": {}}}, "#
        + #"{"do": {"op": "create", "store": "a", "id": "d", "body": {}}}"#, verdict: "fail",
      step: 2),
    RunnerCase(
      name: "records refused without an expectation", steps: insert,
      misbehaviour: .recordsMeet(.forbidden), verdict: "fail", step: 1, mentions: "forbidden"),
  ]

  static let others: [RunnerCase] = [
    RunnerCase(
      name: "capability not offered", steps: compact, more: #", "capabilities": ["compact"]"#,
      verdict: "skipped", mentions: "capability compact not offered"),
    RunnerCase(
      name: "profile not offered", steps: create, more: #", "profile": "couchdb""#,
      verdict: "skipped", mentions: "profile couchdb not offered"),
    RunnerCase(
      name: "no response", steps: "\(create), \(read)", misbehaviour: .harnessError("read"),
      verdict: "harnessError", step: 2, mentions: "step 2: no response to read"),
    RunnerCase(
      name: "cannot be opened", steps: create, misbehaviour: .harnessError("open"),
      verdict: "harnessError", mentions: "no response to open"),
    RunnerCase(
      name: "cannot be reset", steps: create, misbehaviour: .brokenReset,
      verdict: "harnessError", mentions: "the pipe is closed"),
    RunnerCase(
      name: "busy when it is opened", steps: create, misbehaviour: .answers("open", .busy),
      verdict: "harnessError",
      mentions: "the store answered busy: alas to open, which is no verdict about its rules"),
    RunnerCase(
      name: "a full disk", steps: "\(create), \(read)",
      misbehaviour: .answers("read", .storage(.full)), verdict: "harnessError", step: 2,
      mentions: "the store answered storage(full): alas to read"),
    RunnerCase(
      name: "a broken disk", steps: create, misbehaviour: .answers("create", .storage(.io)),
      verdict: "harnessError", step: 1, mentions: "storage(io)"),
    RunnerCase(
      name: "a read-only disk where an error is expected",
      steps: "\(create), \(stale)", misbehaviour: .answers("update", .storage(.readOnly)),
      verdict: "harnessError", step: 2, mentions: "storage(readOnly)"),
    RunnerCase(
      name: "a record that fails on a full disk", steps: insert,
      misbehaviour: .recordsMeet(.storage(.full)), verdict: "harnessError", step: 1,
      mentions: "storage(full)"),
    RunnerCase(
      name: "an internal file that the store cannot read", steps: create,
      misbehaviour: .answers("create", .storage(.corrupt)), verdict: "fail", step: 1),
    RunnerCase(
      name: "an expected busy",
      steps: #"{"do": {"op": "info", "store": "a"}, "expect": {"error": {"kind": "busy"}}}"#,
      misbehaviour: .answers("info", .busy), verdict: "pass"),
    RunnerCase(
      name: "a bound value of the wrong kind",
      steps: #"{"do": {"op": "info", "store": "a"}, "expect": {"ok": {"last": {"$bind": "s"}}}}, "#
        + #"{"do": {"op": "read", "store": "a", "id": {"$ref": "s"}}}"#,
      verdict: "harnessError", step: 2,
      mentions: "invalid operation after filling in the bound names"),
  ]

  @Test(arguments: mustPass + mustFail + others) func verdicts(_ expected: RunnerCase) throws {
    let vector = try Fixtures.vector(#"{"steps": [\#(expected.steps)]\#(expected.more)}"#)
    let subject = FakeDatastore(expected.misbehaviour, capabilities: expected.capabilities)
    let verdict = Runner(subject).verdict(on: vector)
    #expect(verdict.name == expected.verdict, "\(verdict)")
    #expect(
      expected.mentions.isEmpty || verdict.description.contains(expected.mentions), "\(verdict)")
    switch verdict {
    case .fail(let witness):
      #expect(witness.step ?? 0 == expected.step)
      #expect(!witness.mismatches.isEmpty)
    case .harnessError(let failure): #expect(failure.step == expected.step)
    case .pass, .skipped: #expect(expected.step == nil)
    }
  }

  @Test func aFailingVectorLeavesTheOthersAlone() throws {
    let names = ["tree-a", "tree-b", "tree-c"]
    let vectors = try names.map { try Fixtures.conflicting($0) }
    let failing = try Fixtures.vector(
      """
      {"id": "tree-z", "steps": [{"do": {"op": "create", "store": "a", "id": "d", "body": {}}},
        {"do": {"op": "create", "store": "a", "id": "d", "body": {}}}]}
      """)
    let report = Fixtures.report([vectors[0], failing, vectors[1], failing, vectors[2]])
    #expect(
      report.results.map(\.verdict.name) == ["pass", "fail", "pass", "fail", "pass"])
  }

  @Test func everyVectorStartsFromNothing() throws {
    let vectors = [try Fixtures.conflicting("tree-a"), try Fixtures.conflicting("tree-b")]
    let report = Fixtures.report(vectors, FakeDatastore(.forgetsReset))
    // The second vector finds the document of the first, and the runner must report this.
    #expect(report.results.map(\.verdict.name) == ["pass", "fail"])
  }

  @Test func asksInOrderAndOpensEachStoreOnce() throws {
    let vector = try Fixtures.vector(
      """
      {"steps": [{"do": {"op": "info", "store": "b"}}, {"do": {"op": "info", "store": "a"}},
        {"do": {"op": "open", "store": "c"}}, {"do": {"op": "info", "store": "b"}}]}
      """)
    let subject = FakeDatastore()
    #expect(Runner(subject).verdict(on: vector) == .pass)
    #expect(
      subject.asked == ["reset", "open b", "open a", "info b", "info a", "open c", "info b"])
  }

  @Test func skippedVectorsAreNotAsked() throws {
    let vector = try Fixtures.passing(more: #", "capabilities": ["purge"]"#)
    let subject = FakeDatastore()
    _ = Runner(subject).verdict(on: vector)
    #expect(subject.asked == [])
  }

  @Test func theSeedFollowsFromTheID() {
    // The published value of FNV-1a for "a".
    #expect(VectorID("a").seed == 0xaf63_dc4c_8601_ec8c)
    #expect(VectorID("a").seed != VectorID("b").seed)
  }

  @Test func rerunsAreEqual() throws {
    let vector = try Fixtures.conflicting()
    let verdicts = (0..<2).map { _ in
      Runner(FakeDatastore(.noConflicts)).verdict(on: vector)
    }
    #expect(verdicts[0] == verdicts[1])
    #expect(verdicts[0].name == "fail")
  }
}
