import JSON
import Testing

@testable import TrafficLint

/// Exchanges that overlap, several databases and several sessions.
@Suite struct OrderTests {
  private static let s = Traffic.session

  /// The session with times of 10 ms for each exchange, one after the other.
  private static var timed: Traffic {
    var traffic = s
    for place in traffic.steps.indices {
      traffic.steps[place].start = place * 10
      traffic.steps[place].end = place * 10 + 9
    }
    return traffic
  }

  @Test func aCheckpointBeforeTheAcknowledgmentIsAFinding() throws {
    var traffic = Self.timed
    #expect(try traffic.clauses == [])
    // The response to _bulk_docs arrives after the request of the first checkpoint.
    traffic.steps[7].end = 85
    #expect(try traffic.clauses == ["LNT-014"])
    let finding = try #require(try traffic.report.findings.first)
    #expect(finding.evidence.map(\.number) == [5, 8, 9])
    #expect(finding.evidence.map(\.line)[1] == "c: POST /t/_bulk_docs → 201")
    // Without the time of the response, its order is unknown.
    traffic.steps[7].end = nil
    #expect(try traffic.clauses == [])
  }

  @Test func equalTimesAreNoFinding() throws {
    var traffic = Self.timed
    traffic.steps[7].end = 80
    #expect(try traffic.clauses == [])
  }

  @Test func aSecondFetchBeforeTheResponseIsNoWaste() throws {
    var traffic = Self.timed.inserting([Traffic.bulkGet([("d", "1-a")], [Traffic.d])], after: 8)
    (traffic.steps[8].start, traffic.steps[8].end) = (72, 75)
    #expect(try traffic.clauses == [])
    (traffic.steps[8].start, traffic.steps[8].end) = (79, 79)
    #expect(try traffic.clauses == ["LNT-041"])
  }

  /// A response from the day before is not lost, and the order of requests is kept.
  @Test func timesMayGoBackwards() throws {
    var traffic = Self.timed
    traffic.steps[6].start = 1
    #expect(try traffic.clauses == [])
  }

  @Test func replicationInBothDirectionsHasNoFinding() throws {
    let swapped = Self.s.steps.map { step in
      var step = step
      let text = step.target.replacing("/s", with: "/x").replacing("/t", with: "/s")
      step.target = text.replacing("/x", with: "/t").replacing("/p", with: "/q")
      return step
    }
    // The first direction ends after the second one began.
    let mixed = Self.s.steps[..<5] + swapped[..<5] + Self.s.steps[5..<8] + swapped[5..<8]
    let ends = Self.s.steps[8...] + swapped[8...]
    #expect(try Traffic(steps: Array(mixed) + ends).clauses == [])
  }

  @Test func oneSourceAndTwoTargetsHaveNoFinding() throws {
    let other = Self.s.steps.map { step in
      var step = step
      let text = step.target.replacing("/t", with: "/u")
      step.target = text.replacing("/p", with: "/q")
      return step
    }
    #expect(try Traffic(steps: Self.s.steps + other).clauses == [])
    // The second target was not asked for these revisions, so the fetch is no waste.
    var unasked = Traffic(steps: Self.s.steps + other)
    unasked.steps[15].body = #"{"k":["1-k"]}"#
    unasked.steps[15].answer = "{}"
    #expect(try unasked.clauses == [])
    let clauses = try Traffic(steps: Self.s.steps + other).removing(18).clauses
    #expect(clauses == ["LNT-013"])
  }

  /// Without a visible target, nothing is known about writes.
  @Test func aPullIntoALocalStoreHasNoFinding() throws {
    #expect(try Self.s.removing(2, 4, 6, 8, 10).clauses == [])
  }

  @Test func aPushFromALocalStoreHasNoFinding() throws {
    #expect(try Self.s.removing(1, 3, 5, 7, 9).clauses == [])
  }

  /// Another client that reads the feed is no replicator.
  @Test func aReaderOfTheFeedHasNoFinding() throws {
    let feed = Traffic.changes([], last: "2-b", query: "since=0")
    #expect(try Traffic(steps: [feed, feed]).clauses == [])
  }

  @Test func rejectedDocumentsDoNotStopTheCheckpoint() throws {
    let answer = #"[{"id":"e","rev":"2-b","error":"unauthorized","reason":"r"}]"#
    let traffic = Self.s.replacing(
      8, with: Traffic.bulkDocs([Traffic.d, Traffic.e], answer: answer))
    #expect(try traffic.clauses == [])
  }

  @Test func aRevisionThatTheSourceLostDoesNotStopTheCheckpoint() throws {
    var fetch = Traffic.bulkGet([("d", "1-a"), ("e", "2-b")], [Traffic.d])
    fetch.answer = #"""
      {"results":[{"id":"d","docs":[{"ok":\#(Traffic.d)}]},
        {"id":"e","docs":[{"error":{"id":"e","rev":"2-b","error":"not_found","reason":"missing"}}]}]}
      """#
    let traffic = Self.s.replacing(7, with: fetch).replacing(8, with: Traffic.bulkDocs([Traffic.d]))
    #expect(try traffic.clauses == [])
  }

  /// A change after the checkpoint lists the document again, so nothing is lost.
  @Test func aLaterRowOfTheDocumentIsOutsideTheCheckpoint() throws {
    let rows = [
      Traffic.row("1-a", "d", "1-a"), Traffic.row("2-b", "e", "2-b"),
      Traffic.row("3-c", "d", "2-x"),
    ]
    let traffic = Self.s.replacing(5, with: Traffic.changes(rows, last: "3-c"))
      .replacing(6, with: Traffic.diff(#"{"e":["2-b"]}"#, #"{"e":{"missing":["2-b"]}}"#))
      .replacing(7, with: Traffic.bulkGet([("e", "2-b")], [Traffic.e]))
      .replacing(8, with: Traffic.bulkDocs([Traffic.e]))
    // A page may have one row for each document.
    #expect(try traffic.clauses == ["LNT-064"])
  }

  @Test func aContinuousFeedIsReadLineByLine() throws {
    let lines = [Traffic.row("1-a", "d", "1-a"), "", Traffic.row("2-b", "e", "2-b"), ""]
    let feed = Traffic.Step(
      target: "/s/_changes?style=all_docs&feed=continuous", answer: nil)
    let traffic = Self.s.replacing(5, with: feed)
      .replacing(6, with: Traffic.diff(#"{"d":["1-a"]}"#, #"{"d":{"missing":["1-a"]}}"#))
      .replacing(7, with: Traffic.bulkGet([("d", "1-a")], [Traffic.d]))
      .replacing(8, with: Traffic.bulkDocs([Traffic.d]))
    var texts = traffic.lines
    let bytes = Traffic.base64(Array(lines.joined(separator: "\n").utf8))
    texts[4] = texts[4].replacing(
      "{\"status\":200}", with: "{\"status\":200,\"bytes\":\"\(bytes)\"}")
    #expect(try Traffic.check(texts).counts.map(\.clause.id) == ["LNT-010"])
  }

  @Test func findingsOfOneClauseAreCountedAndLimited() throws {
    let rows = (1...50).map { Traffic.row("\($0)-x", "k\($0)", "1-a") }
    let traffic = Traffic(
      steps: Array(Self.s.steps[..<4]) + [
        Traffic.changes(rows, last: "50-x"), Traffic.diff(#"{"q":["1-a"]}"#, "{}"),
        Traffic.checkpoint("s", "50-x"), Traffic.checkpoint("t", "50-x"),
      ])
    let report = try traffic.report
    #expect(report.counts.map(\.count) == [50])
    #expect(report.findings.count == LintReport.shownMax)
  }

  /// A path before the name of the database, and a name with an encoded slash.
  @Test func pathsOfDatabasesAreRecognized() throws {
    let steps = Self.s.steps.map { step in
      var step = step
      step.target = "/couch/a%2Fb\(step.target)".replacing("/couch/a%2Fb/", with: "/couch/a%2Fb")
      return step
    }
    #expect(try Traffic(steps: steps).clauses == [])
    #expect(try Traffic(steps: steps).removing(8).clauses == ["LNT-013"])
  }
}
