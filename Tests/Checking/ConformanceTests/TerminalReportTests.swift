import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

@Suite struct TerminalReportTests {
  @Test func tellsAFailureWhole() throws {
    let vectors = [
      try Fixtures.passing(), try Fixtures.conflicting(),
      try Fixtures.passing("tree-purge", more: #", "capabilities": ["purge"]"#),
    ]
    let report = Fixtures.report(vectors, FakeDatastore(.noConflicts))
    #expect(
      TerminalReport(report).text == """
        TREE  1/2  1 skipped
        EDIT  0/1  1 failed

        FAIL edit-stale  core/tree.json
          A stale edit must not win.
          EDIT-001 MUST Only a leaf can be edited.
          1       create {"store":"a","id":"d","body":{"n":1}} → ok {"id":"d","rev":"1-5d61f2770041fe35"}
          2       update {"store":"a","id":"d","rev":"1-5d61f2770041fe35","body":{}}
                  → ok {"id":"d","rev":"2-45bf457bd9398ae1"}
          step 3  {"op": "update", "store": "a", "id": "d", "rev": "1-5d61f2770041fe35", "body": {}}
          diff    - expected  + actual
                  - {"error":{"kind":"conflict"}}
                  + {"ok":{"id":"d","rev":"3-27f7271c4fc81c04"}}
          hint    accepts an operation that must be rejected as conflict
          again   touchstone run --filter edit-stale

        fake 1 · 2 of 3 vectors
        core 1/2
        not offered: purge
        not conformant (grade contract): 1 vector failed

        """)
  }

  @Test func elidesWhatAgrees() throws {
    let vector = try Fixtures.vector(
      """
      {"steps": [
        {"do": {"op": "create", "store": "a", "id": "d", "body": {"a": 1, "b": [1, 2, 3], "c": 4}}},
        {"do": {"op": "read", "store": "a", "id": "d"},
         "expect": {"ok": {"deleted": true, "body": {"a": 1, "b": [1, 5, 3], "d": 4}}}}]}
      """)
    let text = TerminalReport(Fixtures.report([vector])).text
    #expect(
      text.contains(
        """
          diff    - expected  + actual
                  ok
                  - "deleted": true
                  + "deleted": false
                    … 3 more members
                  ok.body.b
                  - [1]: 5
                  + [1]: 2
                    … 2 more elements
                  ok.body
                  - "d": 4
                  + "c": 4
                    … 2 more members
        """), "\(text)")
  }

  @Test func saysWhatHasNoVerdict() throws {
    let report = Fixtures.report([try Fixtures.passing()], FakeDatastore(.harnessError("create")))
    #expect(
      TerminalReport(report).text == """
        TREE  0/1  1 without a verdict

        NO VERDICT tree-pass  core/tree.json
          step 1: no response to create

        fake 1 · 1 of 1 vector
        core 0/1
        no verdict (grade contract): 1 vector without a verdict

        """)
  }

  @Test func isShortWhenAllIsWell() throws {
    #expect(
      TerminalReport(Fixtures.report([try Fixtures.passing()])).text == """
        TREE  1/1

        fake 1 · 1 of 1 vector
        core 1/1
        conformant (grade contract)

        """)
  }

  @Test func leavesOutWhatWasNotSelected() throws {
    let vectors = [
      try Fixtures.passing(), try Fixtures.passing("tree-b", more: #", "profile": "couchdb""#),
    ]
    let selection = Selection(globs: [Glob("tree-pass")])
    let text = TerminalReport(Fixtures.report(vectors, FakeDatastore(), selection)).text
    #expect(
      text == """
        TREE  1/1

        fake 1 · 1 of 2 vectors
        core 1/1
        conformant (grade contract)

        """)
  }

  @Test func namesADeviationWithoutCallingItAFailure() throws {
    let vectors = [
      try Fixtures.passing(), try Fixtures.conflicting("edit-quick", clauses: #"["EDIT-002"]"#),
    ]
    let text = TerminalReport(Fixtures.report(vectors, FakeDatastore(.noConflicts))).text
    #expect(text.contains("EDIT  0/1  1 deviates\n"))
    #expect(text.contains("DEVIATES edit-quick"))
    #expect(text.contains("\nconformant (grade contract)\n"))
  }

  /// Returns failing vectors, each with one step more than the previous one.
  private func failing(_ count: Int, more: String = "") throws -> [CorpusVector] {
    try (0..<count).map { place in
      let creation = #"{"do": {"op": "create", "store": "a", "body": {}}}, "#
      return try Fixtures.vector(
        """
        {"id": "edit-\(String(UnicodeScalar(UInt8(97 + place))))", "clauses": ["EDIT-001"]\(more), "steps": [
          \(String(repeating: creation, count: count - place))
          {"do": {"op": "create", "store": "a", "body": {}}, "expect": {"error": {"kind": "conflict"}}}]}
        """)
    }
  }

  private func printed(_ text: String, _ mark: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("\(mark) ") }
      .map { String($0.split(separator: " ")[1]) }
  }

  @Test func printsTheSimplestFailuresAndCountsTheRest() throws {
    let purge = try Fixtures.vector(
      #"{"id": "tree-purge", "capabilities": ["compact"], "steps": ["#
        + #"{"do": {"op": "compact", "store": "a"}, "expect": {"error": {"kind": "conflict"}}}]}"#)
    let vectors = [purge] + (try failing(11))
    let report = Fixtures.report(vectors, FakeDatastore(capabilities: [.compact]))
    let text = TerminalReport(report, width: 80).text
    // Vectors with fewer steps come first, but all core vectors precede those of capabilities.
    #expect(printed(text, "FAIL") == "kjihgfedcb".map { "edit-\($0)" })
    #expect(
      text.contains(
        """

        12 failures. The 10 simplest are printed above; --all prints all.
        By rule:
            11  EDIT-001  Only a leaf can be edited.
             1  TREE-001  A tree is a tree.
        By form:
            11  create: accepts an operation that must be rejected as conflict
             1  compact: accepts an operation that must be rejected as conflict

        """), "\(text)")
    let all = TerminalReport(report, width: 80, showsAll: true).text
    #expect(printed(all, "FAIL").count == 12)
    #expect(!all.contains("By rule"))
  }

  @Test func harnessErrorsOfOneKindAreOneBlock() throws {
    let vectors = try (10..<25).map { try Fixtures.passing("tree-\($0)") }
    let report = Fixtures.report(vectors, FakeDatastore(.harnessError("create")))
    let text = TerminalReport(report, width: 80).text
    #expect(
      text.contains(
        """
        NO VERDICT 15 vectors
          step 1: no response to create
          tree-10, tree-11, tree-12, tree-13, tree-14, tree-15, tree-16, tree-17
          tree-18, tree-19, tree-20, tree-21
          … 3 more

        """), "\(text)")
    #expect(TerminalReport(report, width: 80, showsAll: true).text.contains("tree-24"))
  }

  @Test func familiesThatAreNotOfferedTakeOneLine() throws {
    let vectors = [
      try Fixtures.passing(),
      try Fixtures.vector(
        #"{"id": "edit-purge", "clauses": ["EDIT-001"], "capabilities": ["purge"], "steps": ["#
          + #"{"do": {"op": "purge", "store": "a", "id": "d", "revs": ["1-a"]}}]}"#),
    ]
    let text = TerminalReport(Fixtures.report(vectors), width: 80).text
    #expect(
      text == """
        TREE  1/1
        Skipped, because the store does not offer them: EDIT (1 vector)

        fake 1 · 1 of 2 vectors
        core 1/1
        not offered: purge
        conformant (grade contract)

        """)
  }

  @Test func coloursOnlyWhenAsked() throws {
    let vectors = [try Fixtures.passing(), try Fixtures.conflicting()]
    let report = Fixtures.report(vectors, FakeDatastore(.noConflicts))
    let plain = TerminalReport(report).text
    let coloured = TerminalReport(report, style: TextStyle(isColoured: true)).text
    #expect(!plain.contains("\u{1B}"))
    #expect(coloured.contains("\u{1B}[31mFAIL\u{1B}[0m"))
  }

  @Test func showsOnlyTheLastStepsOfALongVector() throws {
    let steps = (0..<20).map {
      #"{"do": {"op": "create", "store": "a", "id": "d\#($0)", "body": {}}}"#
    }
    let last = #"{"do": {"op": "create", "store": "a", "id": "d0", "body": {}}}"#
    let vector = try Fixtures.vector(#"{"steps": [\#((steps + [last]).joined(separator: ","))]}"#)
    let lines = Runner(FakeDatastore()).verdict(on: vector).description.split(separator: "\n")
    #expect(lines.contains("  …       8 earlier steps"))
    #expect(lines.contains { $0.hasPrefix("  9       create") })
    #expect(lines.contains { $0.hasPrefix("  step 21") })
  }

  @Test func linesFitTheWidth() throws {
    let long = String(repeating: "word ", count: 100)
    let vector = try Fixtures.vector(
      """
      {"note": "\(long)", "steps": [
        {"do": {"op": "create", "store": "a", "id": "d", "body": {"long": "\(long)"}}},
        {"do": {"op": "read", "store": "a", "id": "d"},
         "expect": {"ok": {"body": {"long": "\(long)!"}}}}]}
      """)
    let text = TerminalReport(Fixtures.report([vector]), width: 80).text
    for line in text.split(separator: "\n") { #expect(line.unicodeScalars.count <= 80, "\(line)") }
    #expect(text.contains("word w … (548 bytes)"), "\(text)")
    // Long values with a common prefix are cut to show the difference.
    #expect(
      text.contains(
        """
                  - "long": …  word word word !"
                  + "long": …  word word word "
        """), "\(text)")
  }
}

@Suite struct TextLayoutTests {
  @Test func wrapsWords() {
    #expect(
      TextLayout.wrapped("one two three four", width: 12, indent: "  ")
        == ["  one two", "  three four"])
    #expect(TextLayout.wrapped("", width: 12, indent: "") == [])
  }

  @Test func joinsPhrasesWithoutTearingThem() {
    #expect(
      TextLayout.joined(["core 1/1", "purge not offered", "flush 2/2"], by: " · ", width: 30)
        == ["core 1/1 · purge not offered", "flush 2/2"])
  }

  @Test(arguments: [
    ("plain", "plain"), ("a\u{1B}[2Jb", #"a\u{1B}[2Jb"#), ("a\nb", #"a\nb"#),
    ("a\u{202E}b", #"a\u{202E}b"#), ("é\u{301}", "é\u{301}"), ("a\u{9B}b", #"a\u{009B}b"#),
  ])
  func spellsControlsOut(_ text: String, _ printable: String) {
    #expect(JSONString(TextLayout.printable(text)) == JSONString(printable))
  }
}
