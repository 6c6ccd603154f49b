import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

@Suite struct KnownFailuresTests {
  private static let message =
    "step 3 update: accepts an operation that must be rejected as conflict"
  private static let today = CalendarDay("2026-11-22") ?? CalendarDay(daysSince1970: 0)

  private static func entry(
    _ vectors: String = "edit-stale", _ message: String = "accepts an operation",
    expires: JSONString? = nil
  ) -> KnownFailures.Entry {
    KnownFailures.Entry(
      vectors: Glob(JSONString(vectors)), message: Glob(JSONString(message)), reason: "We hurry.",
      expires: expires.flatMap { CalendarDay($0) })
  }

  /// Returns a report on a passing, a failing and a skipped vector, compared with some entries.
  private static func report(_ entries: KnownFailures.Entry...) throws -> RunReport {
    let vectors = [
      try Fixtures.passing(), try Fixtures.conflicting(),
      try Fixtures.passing("tree-purge", more: #", "capabilities": ["purge"]"#),
    ]
    return Fixtures.report(vectors, FakeDatastore(.noConflicts))
      .compared(with: KnownFailures(entries), on: today)
  }

  @Test func aFailureIsToldInOneLineWithoutValues() throws {
    let report = try Self.report()
    guard case .fail(let witness) = report.results[1].verdict else {
      Issue.record("it passed")
      return
    }
    #expect(witness.message == Self.message)
  }

  @Test(arguments: [
    (FakeDatastore.Misbehaviour.wrongRevision, "step 2 read: differs at ok.rev"),
    (.answers("read", .forbidden), "step 2 read: returns the error forbidden"),
    (.unsupported, "step 1 create: create is core: every implementation must offer it"),
  ])
  func otherWaysToFail(_ misbehaviour: FakeDatastore.Misbehaviour, _ message: String) throws {
    let vector = try Fixtures.vector(
      """
      {"steps": [
        {"do": {"op": "create", "store": "a", "id": "d", "body": {}},
         "expect": {"ok": {"rev": {"$bind": "r"}}}},
        {"do": {"op": "read", "store": "a", "id": "d"}, "expect": {"ok": {"rev": {"$ref": "r"}}}}]}
      """)
    let report = Fixtures.report([vector], FakeDatastore(misbehaviour))
    guard case .fail(let witness) = report.results[0].verdict else {
      Issue.record("it passed")
      return
    }
    #expect(witness.message == message)
  }

  @Test(arguments: [Self.entry(), Self.entry("edit-*", "step 3 * conflict")])
  func aKnownFailureFailsNoRun(_ entry: KnownFailures.Entry) throws {
    let report = try Self.report(entry)
    #expect(report.knownFailureProblems == [])
    let summary = RunSummary(report)
    #expect(summary.total.known == 1 && summary.total.requiredFailures == 0)
    #expect(summary.conclusion == .knownFailuresOnly(reasons: ["1 vector fails as listed"]))
    #expect(summary.offers.first?.grade == .notConformant)
    let text = TerminalReport(report).text
    #expect(!text.contains("FAIL "))
    #expect(
      text.contains("KNOWN edit-stale  core/tree.json\n  \(Self.message)\n  We hurry.\n"), "\(text)"
    )
    #expect(
      text.hasSuffix(
        "\nnot conformant, as listed (grade contract): 1 vector fails as listed\n"))
  }

  @Test(arguments: [
    (
      Self.entry("tree-pass"), "entry 1 ('tree-pass') is out of date: tree-pass passes now"
    ),
    (
      Self.entry("tree-pas"),
      "entry 1 ('tree-pas') matches no vector; correct the entry or remove it"
    ),
    (
      Self.entry("*-purge"),
      "entry 1 ('*-purge') matches only skipped vectors: capability purge not offered"
    ),
    (
      Self.entry("edit-stale", "loses"),
      "entry 1 ('edit-stale') expects edit-stale to fail with 'loses', "
        + "and it fails with '\(Self.message)'"
    ),
    (
      Self.entry(expires: "2026-11-21"),
      "entry 1 ('edit-stale') expired on 2026-11-21, today is 2026-11-22: We hurry."
    ),
  ])
  func aListThatIsNotRightFailsTheRun(_ entry: KnownFailures.Entry, _ problem: String) throws {
    let report = try Self.report(entry)
    #expect(report.knownFailureProblems == [problem])
    let conclusion = RunSummary(report).conclusion
    #expect(conclusion.name == "notConformant")
    #expect(conclusion.reasons.last == "1 error in the list of known failures")
    for format in [ReportFormat.html, .markdown, .jsonl, .junit, .tap] {
      #expect(format.text(of: report).contains("entry 1"), "\(format)")
    }
    #expect(TerminalReport(report).text.contains("LIST of known failures\n  entry 1"))
  }

  @Test func theLastDayCounts() throws {
    #expect(try Self.report(Self.entry(expires: "2026-11-22")).knownFailureProblems == [])
  }

  /// Entries about vectors outside of the selection are not checked.
  @Test func entriesAboutOtherVectorsSayNothing() throws {
    let vectors = [try Fixtures.passing(), try Fixtures.conflicting()]
    let report = Fixtures.report(
      vectors, FakeDatastore(.noConflicts), Selection(globs: [Glob("tree-*")]))
    let list = KnownFailures([Self.entry(expires: "2020-01-01")])
    #expect(report.compared(with: list, on: Self.today).knownFailureProblems == [])
  }

  @Test func aBaselineHoldsAndKeepsWhatHolds() throws {
    let bare = try Self.report()
    let list = KnownFailures(baselineOf: bare)
    #expect(list.entries.map(\.message.pattern.string) == [Self.message])
    let again = bare.compared(with: list, on: Self.today)
    #expect(again.knownFailureProblems == [] && again.results[1].knownFailure != nil)
    let explained = try Self.report(Self.entry("edit-*"))
    #expect(KnownFailures(baselineOf: explained).entries == [Self.entry("edit-*")])
  }

  @Test func machinesReadWhatIsKnown() throws {
    let report = try Self.report(Self.entry())
    let lines = ReportFormat.jsonl.text(of: report)
    #expect(
      lines.contains(
        #""knownFailure":{"vector":"edit-stale","message":"accepts an operation","reason":"We hurry."}"#
      ))
    #expect(lines.contains(#""known":1,"knownFailureProblems":[],"#))
    #expect(
      ReportFormat.junit.text(of: report).contains(
        #"<skipped message="known failure: \#(Self.message); We hurry."/>"#))
    #expect(
      ReportFormat.tap.text(of: report).contains(
        "not ok 2 - edit-stale # TODO known failure: We hurry.\n"))
    let page = ReportFormat.markdown.text(of: report)
    #expect(page.contains("| `edit-stale` | \(Self.message) | We hurry. |"), "\(page)")
  }

  @Test func aListIsReadAsItIsWritten() throws {
    let text = """
      {"format": "touchstone-known-failures", "version": 1, "failures": [
        {"vector": "a-*", "message": "b", "reason": "c", "link": "d", "expires": "2028-02-29"}]}
      """
    let json = try JSONValue.parse(text)
    let list = try KnownFailures(json)
    #expect(list.json == json)
    #expect(list.entries.first?.explanation == "c (d; until 2028-02-29)")
  }

  @Test(arguments: [
    (#"{"vector": "", "message": "b", "reason": "c"}"#, "failures[0].vector"),
    (#"{"vector": "a", "message": "b"}"#, "failures[0]"),
    (#"{"vector": "a", "message": "b", "reason": ""}"#, "failures[0].reason"),
    (
      #"{"vector": "a", "message": "b", "reason": "c", "expires": "2027-02-29"}"#,
      "failures[0].expires"
    ),
    (#"{"vector": "a", "message": "b", "reason": "c", "why": "d"}"#, "failures[0]"),
  ])
  func whatIsNoListIsRefused(_ entry: String, _ path: String) throws {
    let json = try JSONValue.parse(
      #"{"format": "touchstone-known-failures", "version": 1, "failures": [\#(entry)]}"#)
    let failure = #expect(throws: DecodingFailure.self) { try KnownFailures(json) }
    #expect(failure?.path.hasPrefix(path) == true, "\(String(describing: failure))")
  }

  @Test func daysAreThoseOfTheCalendar() {
    for text in ["1970-01-01", "2000-02-29", "2026-11-22", "9999-12-31"] {
      #expect(CalendarDay(JSONString(text))?.description == text)
    }
    for text in ["2026-2-1", "2026-00-01", "2026-13-01", "1900-02-29", "2026-04-31", "2026-11-2x"] {
      #expect(CalendarDay(JSONString(text)) == nil)
    }
    #expect(CalendarDay(daysSince1970: 20_779).description == "2026-11-22")
    #expect(CalendarDay(daysSince1970: 11_016).description == "2000-02-29")
    #expect(CalendarDay(daysSince1970: 0) < CalendarDay(daysSince1970: 31))
  }
}
