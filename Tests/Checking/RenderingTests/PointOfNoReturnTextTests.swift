import Datastore
import JSON
import Scenarios
import Testing

@testable import Rendering

struct PointOfNoReturnTextTests {
  private typealias Point = Trace.PointOfNoReturn

  /// The event in which replica `b` stores the document.
  private static let stored = Trace.PointOfNoReturn(
    .event(entries: 4..<6), document: "d", before: Point.Tally(saving: 3, tried: 40),
    after: Point.Tally(tried: 24))

  private func trace(_ point: Trace.PointOfNoReturn) -> Trace {
    var trace = SampleTrace.lostWrite()
    trace.pointOfNoReturn = point
    return trace
  }

  @Test func theEventIsNamed() {
    #expect(SampleTrace.lostWrite().pointOfNoReturnText == nil)
    #expect(
      trace(Self.stored).pointOfNoReturnText
        == "Point of no return: stores d 1-aaaa (1.020 s, replica b, step s2). Before it, 3 of 40 "
        + "continuations end without a loss or a difference in d; after it, none of 24. Replication "
        + "between all pairs without checkpoints does not repair it either.")
    var point = Self.stored
    (point.before.saving, point.remedy) = (1, .withoutCheckpoints)
    point.whileRunning = Point.Tally(saving: 8, tried: 8)
    #expect(
      trace(point).pointOfNoReturnText
        == "Point of no return: stores d 1-aaaa (1.020 s, replica b, step s2). If all replication "
        + "ends before it, 1 of 40 continuations ends without a loss or a difference in d; if it "
        + "ends after it, none of 24. If it goes on, all of 8 avoid the finding. Replication "
        + "between all pairs without checkpoints would still repair it.")
    point.whileRunning = nil
    point.remedy = .allPairs
    var trace = trace(point)
    trace.findings[0].oracle = "convergence"
    #expect(
      trace.pointOfNoReturnText?.contains("1 of 40 continuations ends with the same d at all")
        == true)
    #expect(
      trace.pointOfNoReturnText?.hasSuffix(
        "between all pairs of replicas would still repair it.") == true)
  }

  @Test func aRunWithoutSuchAnEvent() {
    var point = Self.stored
    point.document = nil
    point.place = .beginning
    var trace = trace(point)
    trace.findings[0].oracle = "liveness"
    #expect(
      trace.pointOfNoReturnText
        == "No point of no return: no continuation of the beginning converges, 0 of 24.")
    point.place = .afterTheRun
    point.after = point.before
    trace = self.trace(point)
    #expect(
      trace.pointOfNoReturnText
        == "No point of no return: after the last event, 3 of 40 continuations end without a loss "
        + "or a difference.")
    #expect(!Timeline(trace).rows.contains { $0.mark == .noReturn })
  }

  /// The row follows the event with all of its changes, and both are in the short timeline.
  @Test func theTimelineMarksTheEvent() throws {
    let timeline = Timeline(trace(Self.stored))
    let place = try #require(timeline.rows.firstIndex { $0.mark == .noReturn })
    #expect(timeline.rows[place - 1].words == "stores d 1-aaaa")
    #expect(timeline.rowOfNoReturn == place - 1)
    let row = timeline.rows[place]
    #expect(
      row.words == "no return: 3 of 40 avoid it before, 0 of 24 after"
    )
    #expect(row.words.unicodeScalars.count <= 52)
    #expect(row.isTransition && row.lane == nil && row.time == 1_020_000_000)
    // An event that only a detailed timeline shows.
    var point = Self.stored
    point.place = .event(entries: 3..<4)
    let other = Timeline(trace(point))
    #expect(other.rowOfNoReturn.map { other.rows[$0].mark } == .requestOut)
    let lines = TextTimeline().lines(of: trace(point))
    #expect(lines.contains { $0.contains("> |  s2") || $0.contains("asks b: insertRevisions") })
    #expect(lines.count { $0.contains(" N N ") } == 1)
  }

  /// A step reads the leaves before it resolves a conflict; a rejected operation may be the event.
  @Test func aReadIsNotTheEvent() {
    var trace = SampleTrace.lostWrite()
    let resolve = StoreAction.resolve(
      id: "d", leaves: ["1-aaaaaaaa"], keep: "1-aaaaaaaa", body: [:])
    let operations: [(StoreAction, Outcome)] = [
      (.leaves(id: "d"), .ok(.leaves([Leaf(rev: "1-aaaaaaaa", deleted: false)]))),
      (resolve, .error(DatastoreError(.conflict, "not the leaves"))),
    ]
    let count = trace.entries.count
    trace.entries += operations.map { action, outcome in
      Trace.Entry(
        time: 3_000_000_000, replica: "a",
        event: .performed(StoreOperation("notes", action), outcome), step: "s7")
    }
    trace.pointOfNoReturn = Point(
      .event(entries: count..<count + 2), document: "d", before: Point.Tally(saving: 3, tried: 40),
      after: Point.Tally(tried: 24))
    #expect(
      trace.pointOfNoReturnText?.contains(
        "no return: resolve d 1 leaves, keep 1-aaaa: conflict (3.000 s, replica a, step s7).")
        == true)
  }

  /// Without a point the timeline is as before.
  @Test func theRowIsTheOnlyDifference() {
    var rows = Timeline(trace(Self.stored)).rows.map(\.words)
    rows.removeAll { $0.utf8.starts(with: "no return".utf8) }
    #expect(rows == Timeline(SampleTrace.lostWrite()).rows.map(\.words))
  }

  @Test func thePageShowsIt() {
    let html = FailurePage(trace(Self.stored)).html
    #expect(html.contains("<p class=\"point\">Point of no return: stores d 1-aaaa (1.020 s"))
    #expect(
      html.contains(
        "no return: 3 of 40 avoid it before, 0 of 24 after</text>"))
    #expect(!FailurePage(SampleTrace.lostWrite()).html.contains("class=\"point\""))
    // The outcomes of the steps are those of their operations.
    #expect(!html.contains("<td>no return"))
  }

  @Test func namesAreOnlyText() {
    var trace = SampleTrace.lostWrite(of: "<b>\u{1b}")
    trace.pointOfNoReturn = Self.stored
    trace.pointOfNoReturn?.document = "<b>\u{1b}"
    let html = FailurePage(trace).html
    #expect(html.contains("a difference in &lt;b&gt;"))
    #expect(!html.contains("<b>\\") && trace.pointOfNoReturnText?.contains("\u{1b}") == false)
  }
}
