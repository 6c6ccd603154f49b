import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

@Suite struct ReportPageTests {
  /// Text that attempts to be markup, a script, a comment, an attribute, a style or bidi control.
  static let hostile =
    "</script><script>alert(1)</script><img src=x onerror=alert(2)>\" ' & --> ]]> </style> \u{202E}\u{0}"

  /// Returns a report in which every text of the vector, the store and the list is hostile.
  static func hostileReport() throws -> RunReport {
    let text = JSONValue.text(hostile).serialized()
    let vector = try Fixtures.vector(
      """
      {"note": \(text), "steps": [
        {"do": {"op": "create", "store": "a", "id": \(text), "body": {\(text): \(text)}}},
        {"do": {"op": "read", "store": \(text), "id": \(text)}, "expect": {"ok": {"rev": \(text)}}}]}
      """)
    let evil = CorpusVector(
      vector.vector,
      clauses: [
        Clause(id: "TREE-001", level: .must, text: JSONString(hostile), source: JSONString(hostile))
      ], file: hostile)
    let corpus = Corpus(clauses: evil.clauses, vectors: [evil], integrity: .released)
    let witness = Witness(
      vector: evil, step: 2,
      transcript: [
        Witness.Exchange(
          operation: ["op": "create", "store": "a", "id": .text(hostile), "body": [:]],
          outcome: ["ok": ["id": .text(hostile), "rev": .text("1-\(hostile)")]]),
        Witness.Exchange(
          operation: [
            "op": "update", "store": "a", "id": .text(hostile), "rev": .text("1-\(hostile)"),
          ],
          outcome: ["ok": ["id": .text(hostile), "rev": .text("2-\(hostile)")]]),
      ],
      exchange: Witness.Exchange(
        operation: ["op": .text(hostile), "store": "a", "id": .text(hostile)],
        outcome: ["ok": ["rev": .text(hostile)]]),
      expected: ["ok": ["rev": .text(hostile)]],
      mismatches: [
        Mismatch(path: ValuePath(), expected: .text(hostile), actual: .text(hostile + "!"))
      ], diagnosis: [hostile], rerun: hostile)
    let description = ImplementationDescription(name: hostile, version: hostile)
    return RunReport(
      implementation: description, corpus: corpus,
      results: [RunReport.Result(vector: evil, verdict: .fail(witness))])
  }

  /// Checks that a page contains only the elements and attributes of the page itself.
  private static func check(_ page: String) {
    // The page has one script, its own, and the policy permits no other.
    #expect(page.ranges(of: "<script").count == 1 && page.ranges(of: "</script").count == 1)
    #expect(page.contains("script-src 'sha256-") && !page.contains("script-src 'unsafe"))
    #expect(!page.contains("<img") && !page.contains("alert(1)</"))
    #expect(!page.contains("\u{202E}") && !page.utf8.contains(0))
    #expect(page.split(separator: "</style>").count == 2)
    #expect(!page.contains("http://") && !page.contains("https://"))
    #expect(page.contains("content=\"default-src 'none'; "))
  }

  @Test func whatIsHostileIsText() throws {
    let report = try Self.hostileReport()
    let page = ReportFormat.html.text(of: report)
    Self.check(page)
    #expect(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"))
    #expect(page.contains("class=\"tree\""))
    let label = Self.hostile
    let matrix = RunMatrix([(label, report), ("b", report)])
    Self.check(ReportPage(matrix).html)
    let list = KnownFailures([
      KnownFailures.Entry(
        vectors: Glob("*"), message: Glob("*"), reason: JSONString(Self.hostile),
        link: JSONString(Self.hostile)
      )
    ])
    Self.check(
      ReportPage(report.compared(with: list, on: CalendarDay(daysSince1970: 0))).html)
    for format in [ReportFormat.badgeSVG, .badgeJSON] {
      #expect(!format.text(of: report).contains("<script"))
    }
  }

  @Test func theSameRunMakesTheSameBytes() throws {
    let report = try MachineReportTests.report()
    #expect(ReportPage(report).html == ReportPage(report).html)
    let again = try MachineReportTests.report()
    #expect(Array(ReportPage(report).html.utf8) == Array(ReportPage(again).html.utf8))
  }

  @Test func everyVerdictHasASign() throws {
    let page = ReportPage(try MachineReportTests.report()).html
    #expect(page.contains("<h1>fake 1</h1>"))
    #expect(
      page.contains(
        "<p class=\"verdict fail\"><i class=\"m fail\" title=\"failed\">✕</i> <b>not conformant</b>"
      ))
    #expect(page.contains("<h2>Failures <span class=\"faint\">2</span></h2>"))
    #expect(page.contains("<b class=\"mono\">edit-stale</b>"))
    #expect(page.contains("<h2>No verdict <span class=\"faint\">1</span></h2>"))
    #expect(page.contains("a &lt;pipe&gt; &amp; &quot;more&quot;"))
    #expect(
      page.contains(
        "title=\"EDIT-002: deviates from a recommendation, or from a rule of grade contract alone\">△</a>"
      ))
    #expect(page.contains("<code>update d rev: "))
    #expect(page.contains("capability purge not offered"))
  }

  /// Only the first 100 failures are shown in full, so that the page stays readable.
  @Test func ofManyFailuresTheFirstAreTold() throws {
    let vectors = try (1...400).map { try Fixtures.conflicting("edit-stale-\($0)") }
    let page = ReportPage(Fixtures.report(vectors, FakeDatastore(.noConflicts))).html
    #expect(page.contains("<details class=\"failure\" id=\"failure-edit-stale-100\">"))
    #expect(page.contains("<li id=\"failure-edit-stale-101\">"))
    #expect(page.contains("300 more"))
    #expect(page.utf8.count < 500_000, "\(page.utf8.count)")
  }

  @Test func severalImplementationsStandSideBySide() throws {
    let page = ReportPage(try RunMatrixTests.matrix()).html
    #expect(page.contains("<h1>3 implementations, same vectors</h1>"))
    #expect(page.contains("<h2>Differences <span class=\"faint\">1</span></h2>"))
    #expect(page.contains("<span class=\"letter\">B</span> hasty"))
    #expect(page.contains("not offered"))
    #expect(page.contains("step 3 update: accepts an operation that must be rejected as conflict"))
  }

  @Test func longNumbersAreCutInSteps() {
    let long = String(repeating: "c8", count: 16)
    #expect(
      ReportPage.shortened("read d rev: 7-\(long) → 7-\(long)")
        == "read d rev: 7-c8c8c8… → 7-c8c8c8…")
    #expect(ReportPage.shortened("7-c81b é") == "7-c81b é")
    #expect(ReportPage.prose("`a` and <") == "<code>a</code> and &lt;")
    #expect(ReportPage.prose("`a` and <`b") == "`a` and &lt;`b")
  }

  @Test func aBadgeSaysWhatTheRunSays() throws {
    let report = try MachineReportTests.report()
    #expect(
      ReportFormat.badgeJSON.text(of: report) == """
        {"schemaVersion":1,"label":"touchstone","message":"not conformant · contract · core 1/4","color":"red"}

        """)
    let svg = ReportFormat.badgeSVG.text(of: report)
    #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width="))
    #expect(svg.contains("<title>touchstone: not conformant · contract · core 1/4</title>"))
    let good = Fixtures.report([try Fixtures.passing()])
    #expect(
      ReportFormat.badgeJSON.text(of: good).contains(
        #""conformant · contract · core 1/1","color":"brig"#))
  }
}
