import Datastore
import JSON
import Testing

@testable import Scenarios

/// A wrong response, and the expected differences.
struct MismatchCase: CustomTestStringConvertible, Sendable {
  let op: StoreAction
  let expect: String
  let outcome: String
  /// Each line contains the path, the expected and the actual value; `-` is no value.
  let mismatches: [String]

  var testDescription: String { "\(expect) against \(outcome)" }
}

@Suite struct MismatchTests {
  static let cases: [MismatchCase] = [
    MismatchCase(
      op: .read(id: "d"), expect: #"{"ok": {"rev": "2-b", "body": {"a": {"b": [1, 2]}, "c": 3}}}"#,
      outcome: #"{"ok": {"id": "d", "rev": "2-a", "body": {"a": {"b": [1, 3]}, "d": 4}}}"#,
      mismatches: [
        #"ok.rev "2-b" "2-a""#, "ok.body.a.b[1] 2 3", "ok.body.c 3 -", "ok.body.d - 4",
      ]),
    MismatchCase(
      op: .read(id: "d"),
      expect:
        #"{"ok": {"bodyMatches": {"a": {"$only": {"b": 1}}, "c": 2, "d": {"$absent": true}}}}"#,
      outcome: #"{"ok": {"id": "d", "rev": "2-a", "body": {"a": {"b": 2, "e": 3}, "d": 4}}}"#,
      mismatches: ["ok.body.a.b 1 2", "ok.body.a.e - 3", "ok.body.c 2 -", "ok.body.d - 4"]),
    MismatchCase(
      op: .read(id: "d"), expect: #"{"ok": {"rev": "2-b"}}"#,
      outcome: #"{"error": {"kind": "conflict"}}"#,
      mismatches: [#" {"ok":{"rev":"2-b"}} {"error":{"kind":"conflict"}}"#]),
    MismatchCase(
      op: .purge(id: "d", revs: []), expect: #"{"ok": {"purged": ["1-a", "2-b", "3-c"]}}"#,
      outcome: #"{"ok": {"purged": ["1-a", "3-c"]}}"#, mismatches: [#"ok.purged[1] "2-b" -"#]),
    MismatchCase(
      op: .purge(id: "d", revs: []), expect: #"{"ok": {"purged": ["1-a", "2-b", "3-c"]}}"#,
      outcome: #"{"ok": {"purged": ["2-b", "3-c"]}}"#, mismatches: [#"ok.purged[0] "1-a" -"#]),
    MismatchCase(
      op: .purge(id: "d", revs: []), expect: #"{"ok": {"purged": ["1-a", "3-c"]}}"#,
      outcome: #"{"ok": {"purged": ["1-a", "2-b", "3-c"]}}"#,
      mismatches: [#"ok.purged[1] - "2-b""#]),
    MismatchCase(
      op: .leaves(id: "d"),
      expect: """
        {"ok": {"leaves": {"$unordered": [{"rev": "2-b", "deleted": true}, {"rev": "2-a"}]}}}
        """,
      outcome: #"{"ok": {"leaves": [{"rev": "2-a"}, {"rev": "2-b"}]}}"#,
      mismatches: ["ok.leaves[1].deleted true false"]),
    MismatchCase(
      op: .leaves(id: "d"),
      expect: #"{"ok": {"leaves": [{"rev": "3-w"}, {"rev": "2-a"}, {"rev": "2-b"}]}}"#,
      outcome: #"{"ok": {"leaves": [{"rev": "3-w"}, {"rev": "2-c"}, {"rev": "2-a"}]}}"#,
      mismatches: [#"ok.leaves[1].rev "2-b" "2-c""#]),
    MismatchCase(
      op: .leaves(id: "d"), expect: #"{"ok": {"leaves": [{"rev": "3-w"}, {"rev": "2-a"}]}}"#,
      outcome: #"{"ok": {"leaves": [{"rev": "2-a"}, {"rev": "3-w"}]}}"#,
      mismatches: [#"ok.leaves[0].rev "3-w" "2-a""#, #"ok.leaves[1].rev "2-a" "3-w""#]),
    MismatchCase(
      op: .purge(id: "d", revs: []),
      expect: #"{"ok": {"purged": {"$unordered": ["1-a", "2-b", "3-c"]}}}"#,
      outcome: #"{"ok": {"purged": ["3-c"]}}"#,
      mismatches: [#"ok.purged[*] "1-a" -"#, #"ok.purged[*] "2-b" -"#]),
    MismatchCase(
      op: .info, expect: #"{"ok": {"last": {"$absent": true}}}"#,
      outcome: """
        {"ok": {"documents": 1, "deletedDocuments": 0, "last": "1-x", "incarnation": "i"}}
        """, mismatches: [#"ok.last - "1-x""#]),
  ]

  @Test(arguments: cases) func namesThePlace(_ mismatch: MismatchCase) throws {
    let expectation = try ExpectedOutcome(
      try JSONValue.parse(mismatch.expect), of: mismatch.op, path: "expect")
    let outcome = try Outcome(try JSONValue.parse(mismatch.outcome), of: mismatch.op)
    guard case .mismatch(let found) = expectation.match(outcome, Bindings()) else {
      Issue.record("no mismatch")
      return
    }
    let lines = found.map {
      "\($0.path) \($0.expected?.serialized() ?? "-") \($0.actual?.serialized() ?? "-")"
    }
    #expect(lines == mismatch.mismatches)
  }
}
