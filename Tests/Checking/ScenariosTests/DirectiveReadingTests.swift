import Datastore
import JSON
import Testing

@testable import Scenarios

/// Directives in vector files: steps that the runner performs itself.
struct DirectiveReadingTests {
  @Test(arguments: [
    #"{"replicate":{"source":"a","target":"b"}}"#,
    #"{"replicate":{"source":"a","target":"b","filter":{"live":true},"batch":3},"expect":{"ok":{"state":"complete","processed":2}}}"#,
    #"{"replicate":{"source":"a","target":"b","cutOff":{"at":"target","op":"insertRevisions","nth":2,"performed":true}}}"#,
    #"{"replicate":{"source":"a","target":"b","cutOff":{"at":"source","op":"changes","nth":1,"performed":false}}}"#,
    #"{"replicate":{"source":"a","target":"b","stop":{"at":"target","op":"revsDiff","nth":2}}}"#,
    #"{"replicate":{"source":"a","target":"b","meanwhile":{"at":"target","op":"info","nth":2,"do":[{"op":"destroy","store":"b"},{"op":"open","store":"b"}]}}}"#,
    #"{"replicate":{"source":"a","target":"b","by":"target"}}"#,
    #"{"loseCheckpoint":{"store":"a"}}"#,
  ])
  func comesBack(text: String) throws {
    let step = try Step(try JSONValue.parse(text), path: "")
    #expect(step.json.serialized() == text)
    #expect(step.template == nil)
  }

  @Test(arguments: [
    (#"{"replicate": {"source": "a"}}"#, "replicate.target"),
    (#"{"replicate": {"source": "a", "target": "b", "by": "a"}}"#, "replicate.by"),
    (
      #"{"replicate": {"source": "a", "target": "b", "by": "target", "stop": {"at": "target", "op": "info", "nth": 1}}}"#,
      "replicate.by"
    ),
    (#"{"replicate": {"source": "a", "target": "b", "batch": 0}}"#, "replicate.batch"),
    (#"{"replicate": {"source": "a", "target": "b", "filter": {}}}"#, "replicate.filter"),
    (
      #"{"replicate": {"source": "a", "target": "b", "cutOff": {"at": "x", "op": "info", "nth": 1, "performed": true}}}"#,
      "replicate.cutOff.at"
    ),
    (
      #"{"replicate": {"source": "a", "target": "b", "cutOff": {"at": "source", "op": "list", "nth": 1, "performed": true}}}"#,
      "replicate.cutOff.op"
    ),
    (
      #"{"replicate": {"source": "a", "target": "b", "cutOff": {"at": "source", "op": "info", "nth": 0, "performed": true}}}"#,
      "replicate.cutOff.nth"
    ),
    (
      #"{"replicate": {"source": "a", "target": "b", "stop": {"at": "source", "op": "info", "nth": 1, "performed": true}}}"#,
      "replicate.stop.performed"
    ),
    (
      #"{"replicate": {"source": "a", "target": "b", "meanwhile": {"at": "source", "op": "info", "nth": 1, "do": []}}}"#,
      "replicate.meanwhile.do"
    ),
    (
      #"{"replicate": {"source": "a", "target": "b", "cutOff": {"at": "source", "op": "info", "nth": 1, "performed": true}, "stop": {"at": "source", "op": "info", "nth": 1}}}"#,
      "replicate.stop"
    ),
    (#"{"replicate": {"source": "a", "target": "b"}, "do": {}}"#, "do"),
    (
      #"{"replicate": {"source": "a", "target": "b"}, "expect": {"ok": {"written": 1}}}"#,
      "expect.ok.written"
    ),
    (#"{"loseCheckpoint": {"store": "a"}, "expect": {"ok": {"state": "x"}}}"#, "expect.ok.state"),
    (#"{"loseCheckpoint": {}}"#, "loseCheckpoint.store"),
  ])
  func whatIsWrongIsFound(text: String, path: String) throws {
    let json = try JSONValue.parse(text)
    let failure = #expect(throws: DecodingFailure.self) { try Step(json, path: "") }
    #expect(failure?.path == path)
  }

  @Test func whatTheRuleSpellsOut() {
    let through = Step(.replicate(StoreReplication(source: "a", target: "b")))
    #expect(through.effectiveExpectation.json == ["ok": ["state": "complete"]])
    func expectation(_ event: StoreReplication.Event) -> JSONValue {
      let interruption = StoreReplication.Interruption(
        isAtSource: true, operation: "info", event)
      let replication = StoreReplication(source: "a", target: "b", interruption: interruption)
      return Step(.replicate(replication)).effectiveExpectation.json
    }
    #expect(expectation(.cutOff(isPerformed: false)) == ["ok": [:]])
    #expect(expectation(.stop) == ["ok": [:]])
    #expect(expectation(.meanwhile([])) == ["ok": ["state": "complete"]])
  }

  @Test func theirStoresAreOpened() throws {
    let steps = [
      Step(.replicate(StoreReplication(source: "b", target: "a"))), Step(.loseCheckpoint("c")),
      Step(OperationTemplate(StoreOperation("a", .open()))),
    ]
    let vector = Vector(id: "a-b", clauses: ["A-001"], note: "n", steps: steps)
    #expect(vector.storesToOpen == ["b", "c"])
    #expect(vector.findings().isEmpty)
  }

  @Test func whatIsDoneMeanwhileNeedsItsCapability() {
    let purge = StoreOperation("c", .purge(id: "d", revs: ["1-a"]))
    let interruption = StoreReplication.Interruption(
      isAtSource: true, operation: "changes", .meanwhile([purge]))
    let step = Step(
      .replicate(StoreReplication(source: "a", target: "b", interruption: interruption)))
    var vector = Vector(id: "a-b", clauses: ["A-001"], note: "n", steps: [step])
    #expect(vector.storesToOpen == ["a", "b", "c"])
    #expect(vector.findings().map(\.path) == ["steps[0].replicate"])
    vector.capabilities = [.purge]
    #expect(vector.findings().isEmpty)
  }
}
