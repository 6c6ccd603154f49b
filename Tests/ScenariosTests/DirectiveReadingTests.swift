import Datastore
import JSON
import Testing

@testable import Scenarios

/// Steps of vectors that the runner does itself, as they stand in files.
struct DirectiveReadingTests {
  @Test(arguments: [
    #"{"replicate":{"source":"a","target":"b"}}"#,
    #"{"replicate":{"source":"a","target":"b","filter":{"live":true},"batch":3},"expect":{"ok":{"state":"complete","processed":2}}}"#,
    #"{"replicate":{"source":"a","target":"b","cutOff":{"at":"target","op":"insertRevisions","nth":2,"performed":true}}}"#,
    #"{"replicate":{"source":"a","target":"b","cutOff":{"at":"source","op":"changes","nth":1,"performed":false}}}"#,
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
    let cutOff = StoreReplication.CutOff(isAtSource: true, operation: "info")
    let cut = Step(.replicate(StoreReplication(source: "a", target: "b", cutOff: cutOff)))
    #expect(cut.effectiveExpectation.json == ["ok": [:]])
  }

  @Test func theirStoresAreOpened() throws {
    let steps = [
      Step(.replicate(StoreReplication(source: "b", target: "a"))), Step(.loseCheckpoint("c")),
      Step(OperationTemplate(Operation("a", .open()))),
    ]
    let vector = Vector(id: "a-b", clauses: ["A-001"], note: "n", steps: steps)
    #expect(vector.storesToOpen == ["b", "c"])
    #expect(vector.findings().isEmpty)
  }
}
