import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

/// A wrong response and its expected diagnosis; empty if no diagnosis is expected.
struct FailureFactsCase: CustomTestStringConvertible, Sendable {
  let op: StoreAction
  let expect: String
  let outcome: String
  let hints: [String]

  var testDescription: String { "\(expect) against \(outcome)" }
}

@Suite struct FailureFactsTests {
  static func read(_ expected: String, _ actual: String, _ hints: String...) -> FailureFactsCase {
    FailureFactsCase(
      op: .read(id: "d"), expect: #"{"ok": {\#(expected)}}"#,
      outcome: #"{"ok": {"id": "d", "rev": "1-a", "body": {}, \#(actual)}}"#
        .replacing(
          #""rev": "1-a", "body": {}, "rev""#, with: #""body": {}, "rev""#
        ).replacing(#""body": {}, "body""#, with: #""body""#),
      hints: hints)
  }

  static func list(_ expected: [String], _ actual: [String], _ hints: String...) -> FailureFactsCase
  {
    func rows(_ ids: [String]) -> String {
      ids.map { #"{"id": "\#($0)", "rev": "1-a"}"# }.joined(separator: ",")
    }
    return FailureFactsCase(
      op: .list(), expect: #"{"ok": {"rows": [\#(rows(expected))]}}"#,
      outcome: #"{"ok": {"rows": [\#(rows(actual))]}}"#, hints: hints)
  }

  static let cases: [FailureFactsCase] = [
    read(#""rev": "10-a""#, #""rev": "9-b""#),
    read(#""rev": "3-a""#, #""rev": "2-b""#),
    read(#""rev": "2-a""#, #""rev": "3-b""#),
    read(
      #""body": {"k": "\u00e9"}"#, #""body": {"k": "e\u0301"}"#,
      "the texts differ only in their Unicode normalisation"),
    read(#""rev": "1-AB""#, #""rev": "1-ab""#, "the texts differ only in the case of letters"),
    read(
      #""body": {"n": 9007199254740993}"#, #""body": {"n": 9007199254740992}"#,
      "9007199254740993 is now the nearest double: it has lost digits"),
    read(#""body": {"n": 3}"#, #""body": {"n": 4}"#),
    list(
      ["\u{FF5E}", "\u{1F600}"], ["\u{1F600}", "\u{FF5E}"],
      "ok.rows is ordered by UTF-16 code units, not by bytes of UTF-8"),
    list(["a", "b", "c"], ["c", "b", "a"], "ok.rows has the expected elements in another order"),
    list(["a", "b"], ["a", "c"]),
    FailureFactsCase(
      op: .read(id: "d"), expect: #"{"ok": {}}"#,
      outcome: #"{"error": {"kind": "notFound", "reason": "deleted"}}"#, hints: []),
    FailureFactsCase(
      op: .read(id: "d", rev: "1-a"), expect: #"{"ok": {}}"#,
      outcome: #"{"error": {"kind": "notFound", "reason": "deleted"}}"#, hints: []),
    FailureFactsCase(
      op: .purge(id: "d", revs: []), expect: #"{"ok": {}}"#,
      outcome: #"{"error": {"kind": "unsupported", "what": "purge"}}"#, hints: []),
  ]

  @Test(arguments: cases) func facts(_ wrong: FailureFactsCase) throws {
    let expectation = try ExpectedOutcome(
      try JSONValue.parse(wrong.expect), of: wrong.op, path: "expect")
    let outcome = try Outcome(try JSONValue.parse(wrong.outcome), of: wrong.op)
    guard case .mismatch(let mismatches) = expectation.match(outcome, Bindings()) else {
      Issue.record("no mismatch")
      return
    }
    let diagnosis = FailureFacts(
      operation: StoreOperation("a", wrong.op), outcome: outcome, expectation: expectation,
      mismatches: mismatches, description: FakeDatastore().description)
    #expect(diagnosis.sentences == wrong.hints)
  }
}
