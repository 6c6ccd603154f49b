import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

/// The table of contents, the anchors, the links and the filter of the page of a report.
@Suite struct ReportPageLinkTests {
  /// The values of an attribute, in order.
  private static func values(_ name: String, in page: String) -> [String] {
    page.split(separator: " \(name)=\"").dropFirst().compactMap { rest in
      rest.firstIndex(of: "\"").map { String(rest[..<$0]) }
    }
  }

  private static func pages() throws -> [(name: String, html: String)] {
    let many = try (1...150).map { try Fixtures.conflicting("edit-stale-\($0)") }
    return [
      ("verdicts", ReportPage(try MachineReportTests.report()).html),
      ("many failures", ReportPage(Fixtures.report(many, FakeDatastore(.noConflicts))).html),
      ("several", ReportPage(try RunMatrixTests.matrix()).html),
      ("hostile", ReportPage(try ReportPageTests.hostileReport()).html),
      ("passed", ReportPage(Fixtures.report([try Fixtures.passing()])).html),
    ]
  }

  @Test func everyLinkLeadsToOneAnchor() throws {
    for (name, html) in try Self.pages() {
      let ids = Self.values("id", in: html)
      #expect(Set(ids).count == ids.count, "\(name)")
      let links = Self.values("href", in: html)
      #expect(links.count > 5, "\(name)")
      for link in links {
        #expect(link.hasPrefix("#") && ids.contains(String(link.dropFirst())), "\(name): \(link)")
      }
    }
  }

  @Test func everyRuleVectorAndFailureHasAnAnchor() throws {
    let report = try MachineReportTests.report()
    let html = ReportPage(report).html
    for clause in report.corpus.clauses { #expect(html.contains("<li id=\"rule-\(clause.id)\">")) }
    for result in report.results {
      #expect(html.contains("<li id=\"vector-\(result.vector.id)\">"))
      let isPassedOrSkipped = result.verdict == .pass || result.verdict.isSkip
      #expect(html.contains("id=\"failure-\(result.vector.id)\"") == !isPassedOrSkipped)
    }
  }

  @Test func rulesVectorsAndFailuresLinkToEachOther() throws {
    let html = ReportPage(try MachineReportTests.report()).html
    let failure = "<a class=\"mono bad\" href=\"#failure-edit-stale\">edit-stale</a>"
    #expect(html.contains("<div class=\"uses\">\(failure)"))
    #expect(
      html.contains(
        "<li id=\"vector-edit-stale\"><i class=\"m fail\">✕</i> \(failure) <a href=\"#rule-EDIT-"))
    #expect(html.contains("<p class=\"source faint\">vector in <a href=\"#vector-edit-stale\">"))
    #expect(html.contains("<ul class=\"rules\">\n<li><a class=\"mono\" href=\"#rule-EDIT-"))
  }

  /// A rule with many vectors links to the first, and the script shows the others.
  @Test func aRuleWithManyVectors() throws {
    let many = try (1...150).map { try Fixtures.conflicting("edit-stale-\($0)") }
    let html = ReportPage(Fixtures.report(many, FakeDatastore(.noConflicts))).html
    #expect(
      html.contains("href=\"#failure-edit-stale-12\">edit-stale-12</a> <a href=\"#vectors\" "))
    #expect(html.contains("data-filter=\"EDIT-001\">and 138 more</a>"))
  }

  @Test func theContents() throws {
    let html = ReportPage(try MachineReportTests.report()).html
    let contents = html.split(separator: "<ul class=\"contents\">")[1].split(separator: "</nav>")[0]
    #expect(
      Self.values("href", in: String(contents)).filter { !$0.hasPrefix("#family-") }
        == ["#offers", "#failures", "#no-verdict", "#rules", "#vectors", "#skipped"])
    #expect(contents.contains("<a href=\"#failures\">Failures</a> <span class=\"faint\">2</span>"))
    #expect(contents.contains("<a href=\"#family-EDIT\">EDIT</a>"))
    // Without the script the filter would do nothing.
    #expect(html.contains("<div class=\"filter\" id=\"filter-box\" hidden>"))
  }

  /// The header has a date and a machine if the caller states them.
  @Test func theOrigin() throws {
    var report = try MachineReportTests.report()
    let plain = ReportPage(report).html
    #expect(plain.contains("<dt>program</dt><dd>\(programName)</dd>"))
    #expect(!plain.contains("<dt>date</dt>") && !plain.contains("<dt>machine</dt>"))
    let vectors = report.corpus.vectors.count
    #expect(plain.contains("<dt>corpus</dt><dd>") && plain.contains(", \(vectors) vectors, "))
    report.origin = RunOrigin(
      day: try #require(CalendarDay("2027-01-31")), machine: "<Linux>, x86_64")
    let html = ReportPage(report).html
    #expect(html.contains("<dt>date</dt><dd>2027-01-31</dd>"))
    #expect(html.contains("<dt>machine</dt><dd>&lt;Linux&gt;, x86_64</dd>"))
    #expect(ReportPage(report).html == html)
    #expect(JSONLinesReport(report).text == JSONLinesReport(try MachineReportTests.report()).text)
  }
}
