import Datastore
import JSON
import Testing

@testable import Scenarios

@Suite struct FillTests {
  static let limits = ImplementationDescription.Limits(
    bodyBytesMax: 2_000_000, idBytesMax: 300, depthMax: 70)

  /// The operation of a step that creates a document, with one fill.
  static func made(
    _ form: String, at place: String = #"["do", "body", "t"]"#, repetition: Int64 = 0
  ) throws -> JSONValue {
    let step = try Step(
      .parse(
        """
        {"do": {"op": "create", "store": "a", "id": "d", "body": {"t": "", "fill": [1]}},
         "fill": [{"at": \(place), \(form)}]}
        """), path: "")
    let made = try step.made(for: limits, repetition: repetition)
    return try #require(made.template?.json)
  }

  static func text(_ form: String) throws -> JSONValue? {
    try made(form).objectValue?["body"]?.objectValue?["t"]
  }

  @Test(arguments: [
    (##""text": {"bytes": 3}"##, ##""xxx""##),
    (##""text": {"bytes": 0}"##, ##""""##),
    (##""text": {"bytes": 5, "of": "é"}"##, ##""ééx""##),
    (##""base64": {"bytes": 3}"##, ##""AAAA""##),
    (##""base64": {"bytes": 4}"##, ##""AAAAAA==""##),
    (##""base64": {"bytes": 5}"##, ##""AAAAAAA=""##),
    (
      ##""list": {"count": 2, "of": {"id": "d#", "#": ["#-#", 1]}}"##,
      ##"[{"id": "d1", "1": ["1-1", 1]}, {"id": "d2", "2": ["2-2", 1]}]"##
    ),
    (
      ##""list": {"count": 3, "from": 10, "step": -1, "digits": 3, "of": "#"}"##,
      ##"["010", "009", "008"]"##
    ),
    (##""list": {"count": 0, "of": "#"}"##, "[]"),
    (##""object": {"count": 2, "name": "m#", "of": "#"}"##, ##"{"m1": "1", "m2": "2"}"##),
    (##""nested": {"depth": 1, "of": "array"}"##, "[]"),
    (##""nested": {"depth": 3, "of": "array"}"##, "[[[]]]"),
    (##""nested": {"depth": 3, "of": "object"}"##, ##"{"a": {"a": {}}}"##),
    (##""number": 7"##, "7"),
    (##""number": {"limit": "idBytes", "plus": 1}"##, "301"),
    (##""number": {"limit": "attachmentBytes"}"##, "16777216"),
  ])
  func makes(form: String, value: String) throws {
    #expect(try Self.text(form) == JSONValue.parse(value))
  }

  @Test func sizesFollowTheLimits() throws {
    let text = try Self.text(#""text": {"bytes": {"limit": "bodyBytes", "plus": -8}}"#)
    #expect(text?.textValue?.utf8.count == 1_999_992)
    let json = try Self.made(
      #""nested": {"depth": {"limit": "depth"}, "of": "object"}"#, at: #"["do", "body"]"#)
    #expect(json.objectValue?["body"]?.shape.depth == 70)
  }

  @Test func aRepetitionHasItsNumber() throws {
    let form = #""number": {"from": 5, "step": 10}"#
    let json = try Self.made(form, repetition: 3)
    #expect(json.objectValue?["body"]?.objectValue?["t"] == 35)
  }

  /// A body is data, even if it looks like a form.
  @Test func nothingInsideABodyIsAForm() throws {
    let body = #"{"fill": [{"at": ["do", "x"], "text": {"bytes": 3}}], "text": {"bytes": 3}}"#
    let step = try Step(
      .parse(#"{"do": {"op": "create", "store": "a", "body": \#(body)}}"#), path: "")
    #expect(step.form == nil)
    #expect(step.template?.json.objectValue?["body"] == (try JSONValue.parse(body)))
    let kept = try Self.made(#""text": {"bytes": 1}"#).objectValue?["body"]?.objectValue?["fill"]
    #expect(kept == [1])
  }

  /// Reading a file does not expand its fills.
  @Test func theSampleIsSmall() throws {
    let step = try Step(
      .parse(
        """
        {"do": {"op": "insertRevisions", "store": "a", "records": []},
         "expect": {"ok": {"results": []}},
         "fill": [{"at": ["do", "records"], "list": {"count": 1000, "of":
                    {"id": "d#", "path": ["1-a"], "body": {}}}},
                  {"at": ["expect", "ok", "results"], "list": {"count": 1000, "of": {"ok": {}}}}]}
        """), path: "")
    guard case .insertRevisions(let records)? = step.template?.sample.action else {
      Issue.record("not a step of records")
      return
    }
    #expect(records.count == 2)
    let made = try step.made(for: .minimum)
    guard case .insertRevisions(let all)? = made.template?.sample.action else { return }
    #expect(all.map(\.id.text.string).suffix(2) == ["d999", "d1000"])
  }

  @Test func formsRoundTrip() throws {
    let json = try JSONValue.parse(
      """
      {"id": "x-y", "clauses": ["X-001"], "profile": "core", "needs": {"idBytes": 300},
       "note": "Because.", "steps": [
        {"times": 2, "do": {"op": "create", "store": "a", "id": "", "body": {"t": "", "n": []}},
         "expect": {"ok": {"id": "d"}},
         "fill": [{"at": ["do", "id"], "text": {"bytes": {"limit": "idBytes", "plus": -1}}},
                  {"at": ["do", "body", "t"], "base64": {"bytes": 3}},
                  {"at": ["do", "body", "n"], "list":
                    {"count": 2, "from": 3, "step": -1, "digits": 2, "of": ["#"]}}]}]}
      """)
    let vector = try Vector(json)
    #expect(vector.json == json)
    #expect(vector.testedLimits == [.idBytes])
    #expect(vector.needs.limits == [.idBytes: 300])
  }

  @Test(arguments: [
    #"{"at": ["do", "body", "x"], "text": {"bytes": 3}}"#,
    #"{"at": ["do", "body", "t", 0], "text": {"bytes": 3}}"#,
    #"{"at": ["body", "t"], "text": {"bytes": 3}}"#,
    #"{"at": ["do"], "text": {"bytes": 3}}"#,
    #"{"at": ["do", "body", "t"]}"#,
    #"{"at": ["do", "body", "t"], "text": {"bytes": 3}, "number": 1}"#,
    #"{"at": ["do", "body", "t"], "text": {"bytes": -1}}"#,
    #"{"at": ["do", "body", "t"], "text": {"bytes": 16777217}}"#,
    #"{"at": ["do", "body", "t"], "text": {"bytes": 9223372036854775807}}"#,
    #"{"at": ["do", "body", "t"], "text": {"bytes": 3, "of": ""}}"#,
    #"{"at": ["do", "body", "t"], "text": {"bytes": {"limit": "rows"}}}"#,
    #"{"at": ["do", "body", "t"], "nested": {"depth": 401, "of": "array"}}"#,
    #"{"at": ["do", "body", "t"], "nested": {"depth": 4, "of": "text"}}"#,
    #"{"at": ["do", "body", "t"], "number": {"limit": "idBytes", "plus": -9223372036854775808}}"#,
    #"{"at": ["do", "body", "t"], "list": {"count": 3, "step": 9223372036854775807, "of": 1}}"#,
    #"{"at": ["do", "body", "t"], "list": {"count": 3, "from": -9223372036854775808, "of": 1}}"#,
  ])
  func wrongFormsAreRejected(fill: String) throws {
    let json = try JSONValue.parse(
      """
      {"do": {"op": "create", "store": "a", "id": "d", "body": {"t": ""}}, "fill": [\(fill)]}
      """)
    #expect(throws: DecodingFailure.self) { try Step(json, path: "steps[0]") }
  }

  /// A sequence that a differential run found is written in a few lines.
  @Test func longTextsBecomeForms() throws {
    let long = JSONString(String(repeating: "x", count: 70_000))
    let operation = StoreOperation("a", .create(id: "d", body: ["t": .string(long), "u": "xx"]))
    let step = try Step(OperationTemplate(operation)).shortened()
    #expect(step.json.serializedBytes().count < 300)
    #expect(try step.made(for: .minimum).template?.sample == operation)
  }
}
