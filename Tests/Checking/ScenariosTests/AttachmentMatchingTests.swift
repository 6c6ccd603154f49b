import Datastore
import JSON
import Testing

@testable import Scenarios

/// An expectation lists all attachment names, and matches each attachment by the given members.
@Suite struct AttachmentMatchingTests {
  static func document(_ attachments: String) -> String {
    #"{"ok": {"id": "d", "rev": "1-a", "body": {}\#(attachments)}}"#
  }

  static let one = document(
    #", "attachments": {"a": {"type": "x/y", "length": 3, "revpos": 1, "stub": true}}"#)

  static func bound(_ name: JSONString, _ value: JSONValue) -> Bindings {
    var bindings = Bindings()
    bindings[name] = value
    return bindings
  }

  static func read(_ attachments: String, _ agrees: Bool, of outcome: String = one) -> MatchingCase
  {
    MatchingCase(
      expect: #"{"ok": {"attachments": \#(attachments)}}"#, outcome: outcome, agrees: agrees)
  }

  static let cases: [MatchingCase] = [
    MatchingCase(expect: #"{"ok": {"rev": "1-a"}}"#, outcome: one, agrees: true),
    read(#"{"a": {}}"#, true),
    read(#"{"a": {"length": 3, "stub": true}}"#, true),
    read(#"{"a": {"length": 4}}"#, false),
    read(#"{"a": {"data": {"$absent": true}, "type": {"$any": true}}}"#, true),
    read(#"{"a": {"revpos": {"$absent": true}}}"#, false),
    read(#"{"a": {"$any": true}}"#, true),
    read(#"{"a": {}, "b": {}}"#, false),
    read(#"{"b": {}}"#, false),
    read(#"{}"#, false),
    read(#"{"$any": true}"#, true),
    read(#"{"$absent": true}"#, false),
    read(#"{}"#, true, of: document("")),
    read(#"{"$absent": true}"#, true, of: document("")),
    read(#"{"a": {}}"#, false, of: document("")),
    // Names are bytes.
    read(#"{"\u00e9": {}}"#, false, of: document(#", "attachments": {"e\u0301": {"stub": true}}"#)),
  ]

  @Test(arguments: cases) func decides(_ matching: MatchingCase) throws {
    if case .match = try matching.match() {
      #expect(matching.agrees)
    } else {
      #expect(!matching.agrees)
    }
  }

  /// A binding inside of one attachment is also set for later attachments and steps.
  @Test func binds() throws {
    let expect = #"{"ok": {"attachments": {"a": {"length": {"$bind": "n"}}}}}"#
    let matching = MatchingCase(expect: expect, outcome: Self.one, agrees: true)
    #expect(try matching.match() == .match(Self.bound("n", 3)))
  }

  /// Attachments distinguish the records of an unordered list.
  @Test func recordsInAnyOrder() throws {
    let expect = """
      {"ok": {"results": [{"records": {"$unordered": [
        {"attachments": {}}, {"attachments": {"a": {"revpos": {"$bind": "n"}}}}]}}]}}
      """
    let outcome = """
      {"ok": {"results": [{"id": "d", "rev": "1-a", "records": [
        {"id": "d", "path": ["2-b"], "body": {}, "attachments": {"a": {"revpos": 2, "stub": true}}},
        {"id": "d", "path": ["2-c"], "body": {}}]}]}}
      """
    let action = StoreAction.getRevisions([RevisionQuery(id: "d", revs: ["1-a"], latest: true)])
    let matching = MatchingCase(op: action, expect: expect, outcome: outcome, agrees: true)
    #expect(try matching.match() == .match(Self.bound("n", 2)))
  }

  /// An extra attachment is one difference, which shows the attachment.
  @Test func namesThePlace() throws {
    let two = Self.document(#", "attachments": {"a": {"stub": true}, "b": {"data": ""}}"#)
    guard case .mismatch(let mismatches) = try Self.read(#"{"a": {}}"#, false, of: two).match()
    else {
      Issue.record("matches")
      return
    }
    #expect(mismatches.map { $0.path.description } == ["ok.attachments.b"])
    #expect(mismatches.first?.actual == ["data": ""])
  }

  /// Invalid expectations are rejected before the vector runs.
  @Test(arguments: [
    #"{"ok": {"attachments": {"a": {"revPos": 1}}}}"#, #"{"ok": {"attachments": []}}"#,
    #"{"ok": {"attachments": {"a": 1}}}"#, #"{"ok": {"attachments": {"a": {"$absent": true}}}}"#,
    #"{"ok": {"attachments": {"a": {"length": "3"}}}}"#,
  ])
  func misspelt(expect: String) {
    #expect(throws: DecodingFailure.self) {
      try MatchingCase(expect: expect, outcome: Self.one, agrees: false).match()
    }
  }

  /// Attachments of an operation are data, even if they look like references.
  @Test func attachmentsAreData() throws {
    let operation = #"""
      {"op": "create", "store": "a", "id": "d", "body": {},
       "attachments": {"$ref": {"data": ""}, "rev": {"stub": true}}}
      """#
    #expect(try OperationTemplate(try JSONValue.parse(operation)).references.isEmpty)
  }
}
