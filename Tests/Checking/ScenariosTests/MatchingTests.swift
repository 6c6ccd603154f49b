import Datastore
import JSON
import Testing

@testable import Scenarios

/// A response, an expectation, and whether they match.
struct MatchingCase: CustomTestStringConvertible, Sendable {
  var op: StoreAction = .read(id: "d")
  let expect: String
  let outcome: String
  let agrees: Bool

  var testDescription: String { "\(expect) \(agrees ? "matches" : "refuses") \(outcome)" }

  func match(_ bindings: Bindings = Bindings()) throws -> Match {
    let expectation = try ExpectedOutcome(
      try JSONValue.parse(expect), of: op, path: "expect")
    let outcome = try Outcome(try JSONValue.parse(outcome), of: op)
    return expectation.match(outcome, bindings)
  }
}

@Suite struct MatchingTests {
  static let document = #"{"ok": {"id": "d", "rev": "2-b", "deleted": false, "body": {"n": 1}}}"#

  static let reads: [MatchingCase] = [
    MatchingCase(expect: #"{"ok": {}}"#, outcome: document, agrees: true),
    MatchingCase(expect: #"{"ok": {"rev": "2-b"}}"#, outcome: document, agrees: true),
    MatchingCase(expect: #"{"ok": {"rev": "2-B"}}"#, outcome: document, agrees: false),
    MatchingCase(expect: #"{"ok": {"rev": {"$any": true}}}"#, outcome: document, agrees: true),
    MatchingCase(expect: #"{"ok": {"rev": {"$absent": true}}}"#, outcome: document, agrees: false),
    MatchingCase(expect: #"{"ok": {"rev": {"$bind": "r"}}}"#, outcome: document, agrees: true),
    MatchingCase(
      expect: #"{"ok": {"rev": {"$bind": "r", "generation": 2}}}"#, outcome: document,
      agrees: true),
    MatchingCase(
      expect: #"{"ok": {"rev": {"$bind": "r", "generation": 3}}}"#, outcome: document,
      agrees: false),
    // 82 is the value of a parser that treats the letter as a digit.
    MatchingCase(
      expect: #"{"ok": {"rev": {"$bind": "r", "generation": 82}}}"#,
      outcome: #"{"ok": {"id": "d", "rev": "1x-b", "deleted": false, "body": {}}}"#,
      agrees: false),
    MatchingCase(expect: #"{"ok": {"deleted": false}}"#, outcome: document, agrees: true),
    MatchingCase(expect: #"{"ok": {"deleted": true}}"#, outcome: document, agrees: false),
    // Bodies match as a whole, as JSON values.
    MatchingCase(expect: #"{"ok": {"body": {"n": 1.0}}}"#, outcome: document, agrees: true),
    MatchingCase(expect: #"{"ok": {"body": {}}}"#, outcome: document, agrees: false),
    MatchingCase(expect: #"{"ok": {"body": {"n": 2}}}"#, outcome: document, agrees: false),
    MatchingCase(expect: #"{"ok": {"body": {"$any": true}}}"#, outcome: document, agrees: false),
    MatchingCase(
      expect: #"{"ok": {"body": {"$any": true}}}"#,
      outcome: #"{"ok": {"id": "d", "rev": "1-a", "body": {"$any": true}}}"#, agrees: true),
    // A described body matches on the given members, with matchers; no member name is reserved.
    described(#"{}"#, true),
    described(#"{"a": 1.0, "list": [1, {"$any": true}]}"#, true),
    described(#"{"$only": {"a": 1, "list": {"$any": true}, "values": {"$any": true}}}"#, true),
    described(#"{"$only": {"a": 1, "list": {"$any": true}}}"#, false),
    described(#"{"values": {"h": {"$bind": "h", "hexDigits": 4}}, "b": {"$absent": true}}"#, true),
    described(#"{"values": {"h": {"$bind": "h", "hexDigits": 3}}}"#, false),
    described(#"{"values": {"$only": {"h": {"$any": true}}}}"#, true),
    described(#"{"values": {"$only": {}}}"#, false),
    described(#"{"values": {"$only": {"h": "00aF", "i": {"$any": true}}}}"#, false),
    described(#"{"list": [1]}"#, false),
    described(#"{"list": [1, {"b": 2, "c": {"$absent": true}}]}"#, true),
    described(#"{"list": [1, {"b": 3}]}"#, false),
    described(#"{"a": {"$absent": true}}"#, false),
    described(#"{"a": {"$bind": "x", "hexDigits": 1}}"#, false),
    described(#"{"b": {"$any": true}}"#, false),
    // Strings compare by bytes: composed and decomposed forms differ.
    MatchingCase(
      expect: #"{"ok": {"body": {"n": "\u00e9"}}}"#,
      outcome: #"{"ok": {"id": "d", "rev": "1-a", "body": {"n": "e\u0301"}}}"#, agrees: false),
    // Errors match on the kind and the given fields.
    MatchingCase(
      expect: #"{"error": {"kind": "notFound"}}"#,
      outcome: #"{"error": {"kind": "notFound", "reason": "deleted", "message": "m"}}"#,
      agrees: true),
    MatchingCase(
      expect: #"{"error": {"kind": "notFound", "reason": "missing"}}"#,
      outcome: #"{"error": {"kind": "notFound", "reason": "deleted"}}"#, agrees: false),
    MatchingCase(
      expect: #"{"error": {"kind": "conflict"}}"#, outcome: document, agrees: false),
    MatchingCase(
      expect: #"{"ok": {}}"#, outcome: #"{"error": {"kind": "conflict"}}"#, agrees: false),
    MatchingCase(expect: #"{"ok": {}}"#, outcome: #"{"unknown": {}}"#, agrees: false),
    MatchingCase(
      expect: #"{"oneOf": [{"error": {"kind": "conflict"}}, {"error": {"kind": "forbidden"}}]}"#,
      outcome: #"{"error": {"kind": "forbidden"}}"#, agrees: true),
    MatchingCase(
      expect: #"{"oneOf": [{"error": {"kind": "conflict"}}, {"error": {"kind": "forbidden"}}]}"#,
      outcome: #"{"error": {"kind": "busy"}}"#, agrees: false),
  ]

  static func described(_ pattern: String, _ agrees: Bool) -> MatchingCase {
    MatchingCase(
      expect: #"{"ok": {"bodyMatches": \#(pattern)}}"#,
      outcome: """
        {"ok": {"id": "d", "rev": "1-a", "body": {"a": 1, "list": [1, {"b": 2}],
          "values": {"h": "00aF"}}}}
        """, agrees: agrees)
  }

  static let purged = #"{"ok": {"purged": ["1-a", "2-b", "3-c"]}}"#

  static func purge(_ expect: String, _ agrees: Bool) -> MatchingCase {
    MatchingCase(
      op: .purge(id: "d", revs: []), expect: #"{"ok": {"purged": \#(expect)}}"#, outcome: purged,
      agrees: agrees)
  }

  static let lists: [MatchingCase] = [
    purge(#"["1-a", "2-b", "3-c"]"#, true),
    purge(#"["1-a", "3-c", "2-b"]"#, false),
    purge(#"["1-a", "2-b"]"#, false),
    purge(#"["1-a", "2-b", "3-c", "4-d"]"#, false),
    purge(#"["1-a", {"$any": true}, {"$bind": "x", "generation": 3}]"#, true),
    purge(#"{"$unordered": ["3-c", "1-a", "2-b"]}"#, true),
    purge(#"{"$unordered": ["3-c", "1-a"]}"#, false),
    purge(#"{"$unordered": ["3-c", "1-a", "1-a"]}"#, false),
    purge(#"{"$unordered": [{"$any": true}, "1-a", {"$any": true}]}"#, true),
    // The first choice for a binding fails here, so the search must backtrack.
    purge(
      #"{"$unordered": [{"$bind": "x"}, {"$bind": "y", "generation": 1}, "2-b"]}"#, true),
    purge(
      #"{"$unordered": [{"$bind": "x", "generation": 2}, {"$bind": "y", "generation": 2}, "1-a"]}"#,
      false),
  ]

  /// The leaves of a document: the winner first, the others in any order.
  static let leaves: [MatchingCase] = {
    func leaves(_ expect: String, _ actual: String, _ agrees: Bool) -> MatchingCase {
      func list(_ names: String) -> String {
        names.map { $0 == "?" ? #"{"$any": true}"# : #"{"rev": "1-\#($0)"}"# }
          .joined(separator: ", ")
      }
      return MatchingCase(
        op: .leaves(id: "d"), expect: #"{"ok": {"leaves": [\#(list(expect))]}}"#,
        outcome: #"{"ok": {"leaves": [\#(list(actual))]}}"#, agrees: agrees)
    }
    return [
      leaves("wab", "wab", true), leaves("wab", "wba", true), leaves("wab", "awb", false),
      leaves("wab", "waa", false), leaves("wab", "wa", false), leaves("wa", "wab", false),
      leaves("w?b", "wba", true), leaves("w?b", "wac", false), leaves("?ab", "wba", true),
      leaves("w", "w", true), leaves("", "", true), leaves("", "w", false),
    ]
  }()

  @Test(arguments: reads + lists + leaves) func decides(_ matching: MatchingCase) throws {
    switch try matching.match() {
    case .match: #expect(matching.agrees)
    case .mismatch(let mismatches):
      #expect(!matching.agrees)
      #expect(!mismatches.isEmpty)
    case .undecided: Issue.record("undecided")
    }
  }

  @Test func bindsAcrossMembersWithBacktracking() throws {
    let leaves = MatchingCase(
      op: .leaves(id: "d"),
      expect: """
        {"ok": {"leaves": {"$unordered": [
          {"rev": {"$bind": "x"}}, {"rev": {"$bind": "y"}, "deleted": true}]}}}
        """,
      outcome: """
        {"ok": {"leaves": [{"rev": "2-a", "deleted": true}, {"rev": "2-b", "deleted": false}]}}
        """, agrees: true)
    guard case .match(let bindings) = try leaves.match() else {
      Issue.record("refused")
      return
    }
    #expect(bindings["x"] == "2-b")
    #expect(bindings["y"] == "2-a")
  }

  @Test func refersToWhatWasBound() throws {
    var bindings = Bindings()
    bindings["r"] = "2-b"
    let expect = #"{"ok": {"rev": {"$ref": "r"}}}"#
    let matching = MatchingCase(expect: expect, outcome: Self.document, agrees: true)
    guard case .match = try matching.match(bindings) else {
      Issue.record("refused the bound value")
      return
    }
    bindings["r"] = "2-a"
    guard case .mismatch(let mismatches) = try matching.match(bindings) else {
      Issue.record("accepted another value")
      return
    }
    #expect(
      mismatches == [
        Mismatch(
          path: ValuePath([.member("ok"), .member("rev")]), expected: "2-a", actual: "2-b",
          remark: "bound as r")
      ])
  }

  @Test func recordsLeaveOutFalseDeleted() throws {
    let matching = MatchingCase(
      op: .getRevisions([]),
      expect: #"{"ok": {"results": [{"records": [{"path": ["1-a"], "deleted": false}]}]}}"#,
      outcome: """
        {"ok": {"results": [{"id": "d", "rev": "1-a", "records": [
          {"id": "d", "path": ["1-a"], "body": {}}]}]}}
        """, agrees: true)
    guard case .match = try matching.match() else {
      Issue.record("refused")
      return
    }
  }

  @Test func manyEqualElementsDoNotExplode() throws {
    let same = Array(repeating: #"{"$any": true}"#, count: 30).joined(separator: ", ")
    let revs = Array(repeating: #""1-a""#, count: 31).joined(separator: ", ")
    let matching = MatchingCase(
      op: .purge(id: "d", revs: []),
      expect: #"{"ok": {"purged": {"$unordered": [\#(same), {"$bind": "x", "generation": 2}]}}}"#,
      outcome: #"{"ok": {"purged": [\#(revs)]}}"#, agrees: false)
    guard case .mismatch = try matching.match() else {
      Issue.record("accepted or undecided")
      return
    }
  }

  /// Lists that match without a search take linear time at any length.
  @Test(arguments: [1, 2000]) func longListsInAnyOrder(_ count: Int) throws {
    func row(_ number: Int, _ rev: String) -> String {
      #"{"id": "d\#(number)", "missing": ["\#(number % 7 + 1)-x"], "possibleAncestors": [\#(rev)]}"#
    }
    let numbers = Array(0..<count)
    let actual = numbers.map { row($0, #""1-a\#($0)""#) }
    let expectations = [
      numbers.reversed().map { row($0, #""1-a\#($0)""#) },
      numbers.reversed().map { row($0, #"{"$bind": "r\#($0)", "generation": 1}"#) },
    ]
    for (place, rows) in expectations.enumerated() {
      for isRight in [true, false] {
        let rows = isRight ? rows : Array(rows.dropLast()) + [row(0, #""1-z""#)]
        let matching = MatchingCase(
          op: .revsDiff([]),
          expect: #"{"ok": {"results": {"$unordered": [\#(rows.joined(separator: ","))]}}}"#,
          outcome: #"{"ok": {"results": [\#(actual.joined(separator: ","))]}}"#, agrees: isRight)
        switch try matching.match() {
        case .match(let bindings):
          #expect(isRight)
          #expect(place == 0 || bindings["r0"] == "1-a0")
        case .mismatch(let mismatches):
          #expect(!isRight)
          #expect(mismatches.count == 1)
        case .undecided: Issue.record("undecided")
        }
      }
    }
  }

  /// Each pattern matches alone, but two match the same element only.
  @Test func patternsWithoutBindingsFindTheirElements() throws {
    func answers(_ patterns: String) throws -> Match {
      try MatchingCase(
        op: .revsDiff([]), expect: #"{"ok": {"results": {"$unordered": [\#(patterns)]}}}"#,
        outcome: """
          {"ok": {"results": [
            {"id": "a", "missing": ["1-a"], "possibleAncestors": []},
            {"id": "a", "missing": ["1-b"], "possibleAncestors": []},
            {"id": "b", "missing": ["1-a"], "possibleAncestors": []}]}}
          """, agrees: true
      ).match()
    }
    // The first pattern must not take the only element that the second matches.
    let right = #"{"id": "a"}, {"missing": ["1-a"]}, {"id": "a", "missing": ["1-a"]}"#
    guard case .match = try answers(right) else {
      Issue.record("refused")
      return
    }
    let wrong = #"{"id": "b"}, {"id": "b", "missing": ["1-a"]}, {"id": "a"}"#
    guard case .mismatch = try answers(wrong) else {
      Issue.record("accepted or undecided")
      return
    }
  }

  /// Orders of equal elements are equivalent, so such a list is decided at any length.
  @Test func equalElementsAreTriedOnce() throws {
    let binds = (0..<12).map { #"{"$bind": "x\#($0)"}"# }.joined(separator: ", ")
    let revs = Array(repeating: #""1-a""#, count: 12).joined(separator: ", ")
    let matching = MatchingCase(
      op: .resolve(id: "d", leaves: [], keep: "1-a", body: nil),
      expect: #"{"ok": {"tombstones": {"$unordered": [\#(binds)]}, "rev": {"$ref": "x0"}}}"#,
      outcome: #"{"ok": {"tombstones": [\#(revs)], "rev": "2-z"}}"#, agrees: false)
    guard case .mismatch = try matching.match() else {
      Issue.record("accepted or undecided")
      return
    }
  }

  @Test func saysWhenItGivesUp() throws {
    let binds = (0..<12).map { #"{"$bind": "x\#($0)"}"# }.joined(separator: ", ")
    let revs = (0..<12).map { #""1-\#($0)""# }.joined(separator: ", ")
    // Only a search through all orders could decide, so the result is undecided.
    let ok = #"{"ok": {"tombstones": {"$unordered": [\#(binds)]}, "rev": {"$ref": "x0"}}}"#
    for expect in [ok, #"{"oneOf": [\#(ok), {"error": {"kind": "busy"}}]}"#] {
      let matching = MatchingCase(
        op: .resolve(id: "d", leaves: [], keep: "1-a", body: nil), expect: expect,
        outcome: #"{"ok": {"tombstones": [\#(revs)], "rev": "2-z"}}"#, agrees: false)
      #expect(try matching.match() == .undecided)
    }
  }
}
