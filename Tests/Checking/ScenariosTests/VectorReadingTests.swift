import Datastore
import JSON
import Testing

@testable import Scenarios

@Suite struct VectorReadingTests {
  static let whole = """
    {"family": "tree", "about": "How branches grow.", "vectors": [
      {"id": "tree-all", "clauses": ["TREE-001", "TREE-002"], "profile": "couchdb",
       "capabilities": ["purge", "atomicBatch"], "note": "All of the format.", "opened": false,
       "provenance": {"product": "CouchDB", "version": "3.4.3", "source": "recording 7"},
       "steps": [
         {"do": {"op": "create", "store": "a", "body": {"$ref": "data"}},
          "expect": {"ok": {"id": {"$bind": "id"}, "rev": {"$bind": "r", "generation": 1}}}},
         {"do": {"op": "insertRevisions", "store": "a", "records": [
           {"id": {"$ref": "id"}, "path": ["2-b", {"$ref": "r"}], "body": {}}]},
          "expect": {"ok": {"results": [{"ok": {}}]}}},
         {"do": {"op": "batch", "store": "a", "writes": [
           {"op": "delete", "id": "x", "rev": {"$ref": "r"}}]},
          "expect": {"error": {"kind": "notFound", "reason": "missing", "write": 0}}},
         {"do": {"op": "changes", "store": "a"},
          "expect": {"ok": {"rows": [{"seq": {"$any": true}, "id": {"$ref": "id"}, "leaves":
            {"$unordered": [{"rev": "2-b", "deleted": false}]}}], "last": {"$bind": "s"}}}},
         {"do": {"op": "changes", "store": "a", "since": {"$ref": "s"}}},
         {"do": {"op": "getRevisions", "store": "a", "docs": [
           {"id": "d", "revs": ["2-b", {"$ref": "r"}]}]},
          "expect": {"oneOf": [{"ok": {"results": [
             {"records": {"$absent": true}}, {"missing": "missing"}]}},
            {"error": {"kind": "badRequest"}}]}}]},
      {"id": "tree-described", "clauses": ["TREE-001"], "profile": "core", "note": "A body.",
       "steps": [
         {"do": {"op": "read", "store": "a", "id": "d"},
          "expect": {"ok": {"bodyMatches": {"a": [{"$bind": "h", "hexDigits": 64}], "b": {"$only":
            {"c": {"$any": true}, "values": {"$ref": "h"}}}}}}}]}]}
    """

  @Test func roundTrips() throws {
    let json = try JSONValue.parse(Self.whole)
    let file = try VectorFile(json)
    #expect(file.json == json)
    #expect(try VectorFile(file.json) == file)
  }

  @Test func readsWhatIsWritten() throws {
    let vector = try VectorFile(try JSONValue.parse(Self.whole)).vectors[0]
    #expect(vector.profile == .couchdb)
    #expect(vector.capabilities == [.purge, .atomicBatch])
    #expect(!vector.isOpened && !vector.isCore)
    #expect(vector.provenance?.version == "3.4.3")
    #expect(vector.steps.count == 6)
  }

  @Test func readsWhoGeneratedIt() throws {
    let text = Self.whole.replacing(
      #""provenance": {"product": "CouchDB", "version": "3.4.3", "source": "recording 7"}"#,
      with: #""generated": {"generator": "forests", "scope": 5}"#)
    let file = try VectorFile(try JSONValue.parse(text))
    #expect(file.vectors[0].generated == Vector.Generated(generator: "forests", scope: 5))
    #expect(file.vectors[0].provenance == nil)
    #expect(file.json == (try JSONValue.parse(text)))
  }

  @Test func opensWhatNoStepOpens() throws {
    func step(_ operation: StoreOperation) -> Step { Step(OperationTemplate(operation)) }
    var vector = Vector(
      id: "a-b", clauses: ["A-001"], note: "n",
      steps: [
        step(StoreOperation("b", .info)), step(StoreOperation("a", .info)),
        step(StoreOperation("b", .info)),
        step(StoreOperation("c", .open())), step(StoreOperation("c", .info)),
      ])
    #expect(vector.storesToOpen == ["b", "a"])
    vector.isOpened = false
    #expect(vector.storesToOpen == [])
  }

  @Test func fillsHoles() throws {
    let template = try OperationTemplate(
      try JSONValue.parse(
        #"{"op": "update", "store": "a", "id": "d", "rev": {"$ref": "r"}, "body": {"$ref": "r"}}"#
      ))
    var bindings = Bindings()
    bindings["r"] = "7-x"
    let filled = StoreOperation("a", .update(id: "d", rev: "7-x", body: ["$ref": "r"]))
    #expect(try template.operation(bindings) == filled)
    #expect(throws: DecodingFailure(path: "rev", message: "'r' is not bound")) {
      try template.operation(Bindings())
    }
    bindings["r"] = 7
    #expect(throws: DecodingFailure.self) { try template.operation(bindings) }
  }
}

/// A vector with one fault, and the path that the error names.
struct InvalidVector: CustomTestStringConvertible, Sendable {
  var id = "tree-x"
  var clauses = #"["TREE-001"]"#
  var more = ""
  var steps: [String] = []
  let path: String
  let message: String

  var testDescription: String { "\(path): \(message)" }

  var text: String {
    let steps = steps.isEmpty ? [#"{"do": {"op": "info", "store": "a"}}"#] : steps
    return """
      {"family": "tree", "about": "a", "vectors": [{"id": "\(id)", "clauses": \(clauses),
        "profile": "core", "note": "n"\(more), "steps": [\(steps.joined(separator: ","))]}]}
      """
  }
}

@Suite struct InvalidVectorTests {
  static let info = #"{"do": {"op": "info", "store": "a"}}"#

  static func read(_ expect: String) -> String {
    #"{"do": {"op": "read", "store": "a", "id": "d"}, "expect": \#(expect)}"#
  }

  static let cases: [InvalidVector] = [
    InvalidVector(id: "Tree-X", path: "id", message: "lower-case words"),
    InvalidVector(id: "tree--x", path: "id", message: "lower-case words"),
    InvalidVector(clauses: "[]", path: "clauses", message: "at least one clause"),
    InvalidVector(clauses: #"["A-001", "A-001"]"#, path: "clauses", message: "duplicate clause"),
    InvalidVector(clauses: #""A-001""#, path: "clauses", message: "expected an array"),
    InvalidVector(more: #", "colour": 1"#, path: "colour", message: "unknown member"),
    InvalidVector(
      more: #", "generated": {"generator": "g"}"#, path: "generated.scope",
      message: "missing member"),
    InvalidVector(
      more: #", "generated": {"generator": "g", "scope": 1}, "#
        + #""provenance": {"product": "p", "version": "1", "source": "s"}"#,
      path: "generated", message: "expected provenance or generated, found both"),
    InvalidVector(
      more: #", "capabilities": ["fly"]"#, path: "capabilities[0]", message: "not one of resolve"),
    InvalidVector(
      steps: [#"{"do": {"op": "jump", "store": "a"}}"#], path: "steps[0].do.op",
      message: "unknown operation 'jump'"),
    InvalidVector(
      steps: [#"{"do": {"op": "info", "store": "a", "limt": 1}}"#], path: "steps[0].do.limt",
      message: "unknown member"),
    InvalidVector(
      steps: [#"{"do": {"op": "compact", "store": "a"}}"#], path: "steps[0].do",
      message: "needs the capability 'compact'"),
    InvalidVector(
      steps: [#"{"do": {"op": "read", "store": "a", "id": {"$ref": "x"}}}"#],
      path: "steps[0].do.id", message: "no earlier step binds 'x'"),
    InvalidVector(
      steps: [#"{"do": {"op": "info", "store": {"$ref": "x"}}}"#], path: "steps[0].do.store",
      message: "expected a reference in place of"),
    InvalidVector(
      steps: [#"{"do": {"op": "read", "store": "a", "id": {"$bind": "x"}}}"#],
      path: "steps[0].do.id.$ref", message: "missing member"),
    InvalidVector(
      steps: [read(#"{"ok": {"rev": {"$ref": "x"}}}"#)], path: "steps[0].expect.ok.rev",
      message: "no earlier step binds 'x'"),
    InvalidVector(
      steps: [read(#"{"ok": {"rev": {"$bind": "x"}, "id": {"$bind": "x"}}}"#)],
      path: "steps[0].expect.ok.id", message: "'x' is already bound"),
    InvalidVector(
      steps: [read(#"{"ok": {"rve": "1-a"}}"#)], path: "steps[0].expect.ok.rve",
      message: "unknown member; known here: id, rev, deleted, body"),
    InvalidVector(
      steps: [read(#"{"ok": {"rev": 1}}"#)], path: "steps[0].expect.ok.rev",
      message: "expected a string"),
    InvalidVector(
      steps: [read(#"{"ok": {"$any": true}}"#)], path: "steps[0].expect.ok",
      message: "expected the members of a result"),
    InvalidVector(
      steps: [read(#"{"ok": {"rev": {"$some": true}}}"#)], path: "steps[0].expect.ok.rev.$some",
      message: "unknown member; known here: $bind, $ref, $unordered, $absent, $any"),
    InvalidVector(
      steps: [read(#"{"ok": {"rev": {"$absent": false}}}"#)],
      path: "steps[0].expect.ok.rev.$absent", message: "expected true"),
    InvalidVector(
      steps: [
        #"{"do": {"op": "getRevisions", "store": "a", "docs": [{"id": "d", "revs": ["1-a"]}]}, "#
          + #""expect": {"ok": {"results": [{"$absent": true}]}}}"#
      ],
      path: "steps[0].expect.ok.results[0]", message: "expected '$absent' in place of a member"),
    InvalidVector(
      steps: [read(#"{"ok": {"bodyMatches": {"$only": {"c": {"$absent": true}}}}}"#)],
      path: "steps[0].expect.ok.bodyMatches.$only.c",
      message: "expected '$absent' in place of a member"),
    InvalidVector(
      steps: [read(#"{"ok": {"rev": {"$unordered": []}}}"#)], path: "steps[0].expect.ok.rev",
      message: "expected '$unordered' in place of a list"),
    InvalidVector(
      steps: [read(#"{"ok": {"deleted": {"$bind": "x", "generation": 1}}}"#)],
      path: "steps[0].expect.ok.deleted.generation",
      message: "expected a revision id, which has a generation"),
    InvalidVector(
      steps: [read(#"{"ok": {"deleted": {"$bind": "x", "hexDigits": 1}}}"#)],
      path: "steps[0].expect.ok.deleted.hexDigits", message: "expected 1 or more, for a text"),
    InvalidVector(
      steps: [read(#"{"ok": {"rev": {"$bind": "x", "hexDigits": 0}}}"#)],
      path: "steps[0].expect.ok.rev.hexDigits", message: "expected 1 or more, for a text"),
    InvalidVector(
      steps: [read(#"{"ok": {"body": {}, "bodyMatches": {}}}"#)], path: "steps[0].expect.ok",
      message: "found both"),
    InvalidVector(
      steps: [read(#"{"ok": {"rev": {"$only": {}}}}"#)], path: "steps[0].expect.ok.rev",
      message: "expected '$only' below 'bodyMatches'"),
    InvalidVector(
      steps: [read(#"{"ok": {"bodyMatches": {"a": {"$unordered": []}}}}"#)],
      path: "steps[0].expect.ok.bodyMatches.a", message: "expected '$unordered' in place of a list"),
    InvalidVector(
      steps: [read(#"{"ok": {"bodyMatches": {"values": {"$ref": "x"}}}}"#)],
      path: "steps[0].expect.ok.bodyMatches.values", message: "no earlier step binds 'x'"),
    InvalidVector(
      steps: [#"{"do": {"op": "info", "store": "a"}, "expect": {"ok": {"bodyMatches": {}}}}"#],
      path: "steps[0].expect.ok.bodyMatches", message: "unknown member"),
    InvalidVector(
      steps: [read(#"{"error": {"kind": "angry"}}"#)], path: "steps[0].expect.error.kind",
      message: "unknown error kind"),
    InvalidVector(
      steps: [read(#"{"error": {"kind": "conflict", "reason": "missing"}}"#)],
      path: "steps[0].expect.error.reason", message: "unknown member"),
    InvalidVector(
      steps: [read(#"{"error": {"kind": "conflict", "message": "m"}}"#)],
      path: "steps[0].expect.error.message", message: "unknown member"),
    InvalidVector(
      steps: [read(#"{"ok": {}, "error": {"kind": "conflict"}}"#)],
      path: "steps[0].expect.error", message: "unknown member"),
    InvalidVector(
      steps: [read("{}")], path: "steps[0].expect", message: "expected one of ok, error, oneOf"),
    InvalidVector(
      steps: [read(#"{"oneOf": [{"ok": {}}]}"#)], path: "steps[0].expect.oneOf",
      message: "expected two or more"),
    InvalidVector(
      steps: [read(#"{"oneOf": [{"ok": {}}, {"error": {"kind": "busy"}}]}"#), info],
      path: "steps[0].expect", message: "only in the last step"),
  ]

  @Test(arguments: cases) func isRefused(_ invalid: InvalidVector) throws {
    let reading = VectorFile.Reading(try JSONValue.parse(invalid.text))
    #expect(reading.findings.count == 1)
    let failure = try #require(reading.findings.first?.failure)
    #expect(JSONString(failure.path) == JSONString("vectors[0].\(invalid.path)"))
    #expect(failure.message.contains(invalid.message), "\(failure.message)")
    #expect(throws: failure) { try VectorFile(try JSONValue.parse(invalid.text)) }
  }

  @Test func oneWrongVectorLeavesTheOthers() throws {
    let reading = VectorFile.Reading(
      try JSONValue.parse(
        """
        {"family": "tree", "about": "a", "vectors": [
          {"id": "tree-wrong"},
          {"id": "tree-right", "clauses": ["TREE-001"], "profile": "core", "note": "n",
           "steps": [\(Self.info)]}]}
        """))
    #expect(reading.file?.vectors.map(\.id) == ["tree-right"])
    #expect(reading.places == [1])
    #expect(reading.findings.map(\.vector) == ["tree-wrong"])
  }
}
