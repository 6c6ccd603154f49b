import Datastore
import JSON
import Scenarios
import Testing

@testable import Rendering

struct FailurePageTests {
  private func occurrences(of part: String, in text: String) -> Int {
    var count = 0
    var rest = text[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }

  @Test func thePageSaysWhatIsWrong() {
    let html = FailurePage(SampleTrace.lostWrite(), command: "touchstone replay 7").html
    #expect(html.contains("<p class=\"purpose\">This page shows one failed run of a simulation: "))
    #expect(html.contains("<h1>A write was stored at replica b and lost there.</h1>"))
    #expect(
      html.contains("<p class=\"exact\">b does not know 1-aaaaaaaa of d, which step s1 wrote"))
    #expect(html.contains("<dt>seed</dt><dd>7</dd>"))
    #expect(html.contains("<code>touchstone replay 7</code>"))
    #expect(
      html.contains(
        "Step s1 wrote 1-aaaa of d at a and the write was acknowledged. In the end b does not have it."
      ))
    #expect(html.contains("1 acknowledged write: 1 lost"))
    #expect(html.contains("class=\"cut\""))
    #expect(html.contains("class=\"outage\""))
    #expect(html.contains("class=\"cross\""))
  }

  /// The trace distinguishes a revision that a replica lost from one that never arrived.
  @Test func theHeadingSaysWhatHappened() {
    var trace = SampleTrace.lostWrite()
    trace.entries.removeAll { entry in
      if case .holds = entry.event { entry.replica == "b" } else { false }
    }
    #expect(FailurePage(trace).plainSentence == "A write never reached replica b.")
    trace.findings[0].shape = "lost deletion"
    #expect(FailurePage(trace).plainSentence == "A deletion never reached replica b.")
    trace.writes[0].missing = ["a", "b"]
    #expect(
      FailurePage(trace).plainSentence
        == "A deletion was acknowledged and is missing at all replicas.")
    trace.findings[0].oracle = "winner"
    #expect(FailurePage(trace).plainSentence.hasPrefix("b does not know 1-aaaaaaaa"))
    trace.findings[0].plain = "Replica b returned <nothing>."
    #expect(FailurePage(trace).html.contains("<h1>Replica b returned &lt;nothing&gt;.</h1>"))
  }

  /// The page loads nothing from elsewhere.
  @Test func thePageStandsAlone() {
    let html = FailurePage(SampleTrace.lostWrite()).html
    for part in ["http:", "https:", "src=", "<link", "@import", "url(h"] {
      #expect(!html.contains(part))
    }
  }

  @Test(arguments: [
    "</script><script>alert(1)</script>", "\"><img onerror=x>", "<!--", "]]>", "'\"&<>",
    "\u{2028}\u{0}",
  ])
  func namesAreOnlyText(name: String) throws {
    let plain = FailurePage(SampleTrace.lostWrite(of: "d", replica: "a"), command: "x").html
    let trace = SampleTrace.lostWrite(
      of: DocumentID(JSONString(name)), replica: ReplicaName(JSONString(name)))
    let html = FailurePage(trace, command: name).html
    for tag in ["<script", "</script", "<img", "<!--", "<svg", "<div", "<text"] {
      #expect(occurrences(of: tag, in: html) == occurrences(of: tag, in: plain), "\(tag)")
    }
    #expect(!html.utf8.contains(0))
  }

  @Test func theDataIsJSON() throws {
    let page = FailurePage(SampleTrace.lostWrite(of: "</script>&"))
    let data = try JSONValue.parse(embedded(page.data))
    #expect(data == (try JSONValue.parse(page.data)))
    #expect(data.objectValue?["views"]?.objectValue?["short"]?.arrayValue?.count == 10)
  }

  @Test func oneTraceOnePage() {
    let trace = SampleTrace.long(900)
    #expect(FailurePage(trace).html == FailurePage(trace).html)
  }

  /// The page of a long run is cut to the rows that concern the finding.
  @Test func longRunsAreCut() {
    let page = FailurePage(SampleTrace.long(3000))
    #expect(page.short.rows.count <= FailurePage.shortLimit)
    #expect(page.short.items.contains { if case .gap = $0 { true } else { false } })
    let shown = page.short.rows.map { page.timeline.rows[$0] }
    #expect(shown.contains { $0.mark == .finding })
    #expect(shown.contains { $0.mark == .crash })
    #expect(!shown.contains { $0.documents.contains("e1") })
    #expect(page.html.utf8.count < 2_000_000)
  }

  @Test func aGoodRunHasAPageToo() {
    var trace = SampleTrace.lostWrite()
    (trace.findings, trace.writes) = ([], [])
    let html = FailurePage(trace).html
    #expect(html.contains("<h1>No checker reported a finding.</h1>"))
    #expect(!html.contains("Lost writes"))
  }

  @Test func aRunWithoutEvents() {
    var trace = Trace(Scenario(seed: 1, replicas: ["a"], steps: []))
    #expect(FailurePage(trace).html.contains("<svg class=\"timeline\""))
    trace.findings = SampleTrace.lostWrite().findings
    #expect(FailurePage(trace).html.contains("absent"))
  }
}
