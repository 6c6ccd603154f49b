import JSON
import Testing

@testable import TrafficLint

/// Correct traffic that resembles a violation.
@Suite struct FalseAlarmTests {
  private static let s = Traffic.session

  private static func moved(_ steps: [Traffic.Step], _ pairs: [(String, String)]) -> [Traffic.Step]
  {
    steps.map { step in
      var step = step
      for (from, to) in pairs { step.target = step.target.replacing(from, with: to) }
      return step
    }
  }

  /// Pulls into a local store and pushes from there to another server: two checkpoints.
  @Test func aHubHasNoFinding() throws {
    let pull = Self.s.removing(2, 4, 6, 8, 10).steps
    let push = Self.moved(Self.s.removing(1, 3, 5, 7, 9).steps, [("/p", "/q")])
    #expect(try Traffic(steps: pull + push).clauses == [])
    // The push is ahead of the checkpoint of the pull.
    #expect(try Traffic(steps: Array(pull[..<4]) + push + Array(pull[4...])).clauses == [])
    // The pull fetches what the push has written.
    #expect(try Traffic(steps: Array(pull[..<3]) + push + Array(pull[3...])).clauses == [])
  }

  /// Push and pull with one server: the checkpoint of the push has local sequences.
  @Test func synchronizationWithOneServerHasNoFinding() throws {
    let pull = Self.s.removing(2, 4, 6, 8, 10).steps
    var push = Self.moved(Self.s.removing(1, 2, 3, 5, 7, 9).steps, [("/t", "/s"), ("/p", "/q")])
    push[3].body = Traffic.checkpointBody("12", session: "y")
    let begin = Array(pull[..<2]) + Array(push[..<1])
    let rest = Array(pull[2...]) + Array(push[1...])
    #expect(try Traffic(steps: begin + rest).clauses == [])
  }

  /// Two clients replicate the same databases at the same time.
  @Test func twoClientsHaveNoFinding() throws {
    let other = Self.s.steps.map { step in
      var step = step
      step.client = "other"
      return step
    }
    let mixed = zip(Self.s.steps, other).flatMap { [$0, $1] }
    #expect(try Traffic(steps: mixed).clauses == [])
    // One asks before the other one writes, and fetches after that.
    let begin = Array(Self.s.steps[..<6]) + Array(other[..<8])
    let late = begin + Array(Self.s.steps[6...])
    #expect(try Traffic(steps: late).clauses == [])
    // A third one is told that the target has the revisions.
    let third = [
      Traffic.information("t", client: "third"),
      Traffic.diff(#"{"d":["1-a"],"e":["2-b"]}"#, "{}", client: "third"),
    ]
    #expect(try Traffic(steps: begin + third + Array(Self.s.steps[6...])).clauses == [])
  }

  @Test func anApplicationHasNoFinding() throws {
    let steps = [
      Traffic.changes([Traffic.row("1-a", "d", "1-a")], last: "1-a", query: "since=now"),
      Traffic.Step(target: "/s/d?rev=1-a", answer: Traffic.d),
      Traffic.Step(target: "/s/d", answer: Traffic.d),
      Traffic.Step(
        method: "PUT", target: "/s/_local/settings", body: #"{"last_seq":7}"#, status: 201,
        answer: #"{"ok":true}"#),
      Traffic.Step(target: "/s/_local/settings", answer: #"{"last_seq":7}"#),
    ]
    #expect(try Traffic(steps: steps).clauses == [])
  }

  /// A client that stores its checkpoint itself begins at a sequence that is not in the transcript.
  @Test func aStoredSequenceHasNoFinding() throws {
    let steps = [
      Traffic.information("s"),
      Traffic.changes([], last: "9-x", query: "style=all_docs&since=8-w"),
      Traffic.changes([], last: "9-x", query: "style=all_docs&since=9-x"),
    ]
    #expect(try Traffic(steps: steps).clauses == [])
  }

  /// The next session lists everything again, and asks again.
  @Test func aSecondSessionAsksAgain() throws {
    let first = Self.s.removing(9, 10).steps
    let again = [
      Traffic.missingCheckpoint("s"), Traffic.missingCheckpoint("t"), Self.s.steps[4],
      Traffic.diff(#"{"d":["1-a"],"e":["2-b"]}"#, "{}"), Self.s.steps[8], Self.s.steps[9],
    ]
    #expect(try Traffic(steps: first + again).clauses == [])
    // A session that ended early leaves rows behind; the next one lists them again.
    let early = Array(Self.s.steps[..<6])
    #expect(try Traffic(steps: early + Self.s.steps[2...]).clauses == [])
    // A filter has a feed of its own.
    let filtered = Traffic.changes(
      [Traffic.row("1-a", "x", "1-a")], last: "2-b", query: "style=all_docs&since=0&filter=f/g")
    let other = Self.moved(Array(Self.s.steps[2..<4]), [("/p", "/q")]) + [filtered]
    #expect(
      try Traffic(steps: Array(Self.s.steps[..<2]) + other + Array(Self.s.steps[2...])).clauses
        == [])
  }

  @Test func aRepeatedRequestAfterAFailureHasNoFinding() throws {
    let diff = Traffic.diff(#"{"d":["1-a"],"e":["2-b"]}"#, "{}", status: 503)
    #expect(try Self.s.inserting([diff], after: 5).clauses == [])
    var unanswered = Self.s.steps[5]
    unanswered.status = nil
    #expect(try Self.s.inserting([unanswered], after: 5).clauses == [])
    let write = Traffic.bulkDocs([Traffic.d, Traffic.e], answer: "{}", status: 500)
    #expect(try Self.s.inserting([write, Self.s.steps[6]], after: 7).clauses == [])
    // The page of the feed is read again, and its rows are listed again.
    #expect(try Self.s.inserting([Self.s.steps[4]], after: 5).clauses == [])
  }

  @Test func aRevisionThatIsMissingAgainIsWrittenAgain() throws {
    let again = Traffic(
      steps: Self.s.steps + [
        Traffic.changes(
          [Traffic.row("3-c", "d", "1-a")], last: "3-c", query: "style=all_docs&since=2-b"),
        Traffic.diff(#"{"d":["1-a"]}"#, #"{"d":{"missing":["1-a"]}}"#),
        Traffic.bulkGet([("d", "1-a")], [Traffic.d]), Traffic.bulkDocs([Traffic.d]),
      ])
    // Only the server is wrong.
    #expect(try again.clauses == ["LNT-060"])
    // After the deletion of the database, it is right.
    let deletion = [
      Traffic.Step(method: "DELETE", target: "/t", answer: #"{"ok":true}"#),
      Traffic.Step(method: "PUT", target: "/t", status: 201, answer: #"{"ok":true}"#),
    ]
    #expect(try again.inserting(deletion, after: 10).clauses == [])
  }

  /// The response to `_revs_diff` was underway while the write was acknowledged.
  @Test func aWriteDuringARequestHasNoFinding() throws {
    var traffic = Self.s.inserting(
      [
        Traffic.information("t", client: "other"),
        Traffic.diff(#"{"d":["1-a"]}"#, #"{"d":{"missing":["1-a"]}}"#, client: "other"),
      ], after: 7)
    for place in traffic.steps.indices {
      (traffic.steps[place].start, traffic.steps[place].end) = (place * 10, place * 10 + 9)
    }
    traffic.steps[8].end = 105
    #expect(try traffic.clauses == [])
  }

  /// An ancestor may be stemmed, so the target may report it as missing.
  @Test func aStemmedAncestorHasNoFinding() throws {
    let child = #"{"_id":"d","_rev":"2-c","_revisions":{"start":2,"ids":["c","a"]}}"#
    let steps = [
      Traffic.information("t", client: "other"),
      Traffic.Step(
        method: "PUT", target: "/t/d?new_edits=false", body: child, status: 201,
        answer: #"{"ok":true,"id":"d","rev":"2-c"}"#, client: "other"),
      Traffic.diff(#"{"d":["1-a"]}"#, #"{"d":{"missing":["1-a"]}}"#, client: "other"),
    ]
    #expect(try Self.s.inserting(steps, after: 10).clauses == [])
  }

  @Test func singleRequestsWithoutWaitingRowsHaveNoFinding() throws {
    let steps = (1...20).flatMap { number in
      [
        Traffic.changes(
          [Traffic.row("\(number)-x", "k\(number)", "1-a")], last: "\(number)-x",
          query: "style=all_docs&since=\(number == 1 ? "0" : "\(number - 1)-x")"),
        Traffic.diff(#"{"k\#(number)":["1-a"]}"#, "{}"),
      ]
    }
    #expect(try Traffic(steps: Self.s.steps[..<4] + steps).clauses == [])
  }

  @Test func pairsWhileRowsWaitHaveNoFinding() throws {
    let rows = (1...40).map { Traffic.row("\($0)-x", "k\($0)", "1-a") }
    let diffs = (1...15).map { Traffic.diff(#"{"k\#($0)":["1-a"],"k\#($0 + 20)":["1-a"]}"#, "{}") }
    let steps = [Traffic.changes(rows, last: "40-x")] + diffs
    #expect(try Traffic(steps: Self.s.steps[..<4] + steps).clauses == [])
  }

  /// A replicator reads a known revision without history, such as for a page.
  @Test func aReadOfAKnownRevisionNeedsNoHistory() throws {
    let read = Traffic.Step(target: "/s/f?rev=1-f", answer: #"{"_id":"f","_rev":"1-f"}"#)
    #expect(try Self.s.inserting([read], after: 7).clauses == [])
  }

  @Test func aFetchWithoutHistoryIsOneFinding() throws {
    let plain = [#"{"_id":"d","_rev":"1-a"}"#, #"{"_id":"e","_rev":"3-c"}"#]
    let fetch = Traffic.bulkGet([("d", "1-a"), ("e", "2-b")], plain, query: "latest=true")
    let traffic = Self.s.inserting([fetch], after: 6)
    #expect(try traffic.clauses == ["LNT-005"])
  }

  /// The error of another revision does not answer for the requested one.
  @Test func eachRevisionNeedsItsOwnAnswer() throws {
    var fetch = Traffic.bulkGet([("d", "1-a"), ("e", "2-b")], [Traffic.d])
    func answer(_ revision: String) -> String {
      #"{"results":[{"id":"d","docs":[{"ok":\#(Traffic.d)}]},{"id":"e","docs":"#
        + #"[{"error":{"id":"e","rev":"\#(revision)","error":"internal"}}]}]}"#
    }
    fetch.answer = answer("2-b")
    #expect(try Self.s.inserting([fetch], after: 6).clauses == [])
    fetch.answer = answer("2-z")
    #expect(try Self.s.inserting([fetch], after: 6).clauses == ["LNT-066"])
  }

  @Test func attachmentsThatTheTargetLacksAreSent() throws {
    let new = #"{"data":"YQ==","revpos":2,"content_type":"text/plain"}"#
    #expect(try ClauseTests.attached(new, query: "").clauses == [])
    #expect(try ClauseTests.attached(new, query: ClauseTests.since).clauses == [])
    // A revision of another branch is no ancestor.
    let other = "&atts_since=%5B%221-z%22%5D"
    #expect(try ClauseTests.attached(ClauseTests.sent, query: other).clauses == [])
    #expect(try ClauseTests.attached(ClauseTests.stub, query: "").clauses == [])
  }

  @Test func aPossibleAncestorOfAnotherBranchIsNone() throws {
    let doc =
      #"{"_id":"e","_rev":"2-b","_revisions":{"start":2,"ids":["b","q"]},"_attachments":{"f":"#
      + ClauseTests.sent + "}}"
    let traffic = ClauseTests.attached(ClauseTests.sent, query: "")
      .replacing(8, with: Traffic.openRevisions(doc))
    #expect(try traffic.clauses == [])
  }

  /// A target without revisions: `_revs_diff` may be omitted after most were missing.
  @Test func omittedQuestionsAfterMissingOnesHaveNoFinding() throws {
    let more = #"{"_id":"g","_rev":"1-g","_revisions":{"start":1,"ids":["g"]}}"#
    let steps = [
      Traffic.changes(
        [Traffic.row("3-c", "g", "1-g")], last: "3-c", query: "style=all_docs&since=2-b"),
      Traffic.bulkGet([("g", "1-g")], [more]), Traffic.bulkDocs([more]),
    ]
    #expect(try Self.s.inserting(steps, after: 8).clauses == [])
    let known = Self.s.replacing(
      6, with: Traffic.diff(#"{"d":["1-a"],"e":["2-b"],"k":["1-k"]}"#, Self.s.steps[5].answer ?? "")
    )
    #expect(try known.inserting(steps, after: 8).clauses == ["LNT-002"])
  }

  @Test func aKnownRevisionMayBeWritten() throws {
    let steps = [
      Traffic.diff(#"{"x":["1-x"]}"#, "{}"), Traffic.bulkDocs([#"{"_id":"x","_rev":"1-x"}"#]),
    ]
    #expect(try Self.s.inserting(steps, after: 8).clauses == [])
  }

  /// A newer leaf that is rejected for good settles the requested one.
  @Test func aRejectedDescendantSettlesItsAncestor() throws {
    let newer = #"{"_id":"e","_rev":"3-c","_revisions":{"start":3,"ids":["c","b","a"]}}"#
    let fetch = Traffic.bulkGet([("d", "1-a"), ("e", "2-b")], [Traffic.d, newer])
    let answer = #"[{"id":"e","rev":"3-c","error":"forbidden","reason":"r"}]"#
    let traffic = Self.s.replacing(7, with: fetch)
    #expect(
      try traffic.replacing(8, with: Traffic.bulkDocs([Traffic.d, newer], answer: answer)).clauses
        == [])
    #expect(
      try traffic.replacing(8, with: Traffic.bulkDocs([Traffic.d, newer])).clauses == [])
  }

  @Test(arguments: [400, 401, 403, 413, 415]) func aRejectedPutSettles(status: Int) throws {
    let put = Traffic.Step(
      method: "PUT", target: "/t/d?new_edits=false", body: Traffic.d, status: status,
      answer: #"{"error":"forbidden"}"#)
    let traffic = Self.s.replacing(8, with: Traffic.bulkDocs([Traffic.e])).inserting(
      [put], after: 8)
    #expect(try traffic.clauses == [])
  }

  @Test(arguments: [404, 409, 412, 500, 503]) func aFailedPutDoesNotSettle(status: Int) throws {
    let put = Traffic.Step(
      method: "PUT", target: "/t/d?new_edits=false", body: Traffic.d, status: status,
      answer: #"{"error":"e"}"#)
    let traffic = Self.s.replacing(8, with: Traffic.bulkDocs([Traffic.e])).inserting(
      [put], after: 8)
    #expect(try traffic.clauses == ["LNT-015"])
  }

  /// An error row names its revision: other revisions of the document are written.
  @Test func anErrorRowConcernsItsRevision() throws {
    let answer = #"[{"id":"e","rev":"9-z","error":"internal_server_error"}]"#
    #expect(
      try Self.s.replacing(8, with: Traffic.bulkDocs([Traffic.d, Traffic.e], answer: answer))
        .clauses
        == [])
  }

  @Test func skippedDesignDocumentsHaveNoFinding() throws {
    let rows = [
      Traffic.row("1-a", "d", "1-a"), Traffic.row("2-b", "e", "2-b"),
      Traffic.row("3-c", "_design/x", "1-x"),
    ]
    let traffic = Self.s.replacing(5, with: Traffic.changes(rows, last: "3-c"))
      .replacing(9, with: Traffic.checkpoint("s", "3-c"))
      .replacing(10, with: Traffic.checkpoint("t", "3-c"))
    #expect(try traffic.clauses == [])
  }

  /// A write that failed and then has no response is not acknowledged.
  @Test func theLastWriteCounts() throws {
    let failed = Traffic.bulkDocs([Traffic.d, Traffic.e], answer: "{}", status: 500)
    let cut = Traffic.bulkDocs([Traffic.d, Traffic.e], status: nil)
    #expect(try Self.s.replacing(8, with: failed).inserting([cut], after: 8).clauses == ["LNT-014"])
  }

  /// A gap is one finding, not one for each later checkpoint.
  @Test func aGapIsReportedOnce() throws {
    let traffic = Self.s.replacing(8, with: Traffic.bulkDocs([Traffic.d]))
    #expect(try traffic.report.counts.map(\.count) == [1])
  }

  /// The history has the newest session that both sides know.
  @Test func aSessionResumesAtTheCommonEntry() throws {
    func read(_ database: String, _ sessions: [(String, String)]) -> Traffic.Step {
      let entries = sessions.map { #"{"session_id":"\#($0.0)","recorded_seq":"\#($0.1)"}"# }
      return Traffic.Step(
        target: "/\(database)/_local/p",
        answer: #"{"session_id":"\#(sessions[0].0)","source_last_seq":"\#(sessions[0].1)","#
          + #""history":[\#(entries.joined(separator: ","))]}"#)
    }
    func resumed(_ since: String) -> Traffic {
      Traffic(steps: [
        Traffic.information("s"), Traffic.information("t"),
        read("s", [("c", "7-c"), ("b", "5-b"), ("a", "3-a")]),
        read("t", [("b", "5-b"), ("a", "3-a")]),
        Traffic.changes([], last: "7-c", query: "style=all_docs&since=\(since)"),
      ])
    }
    #expect(try resumed("5-b").clauses == [])
    #expect(try resumed("3-a").clauses == [])
    #expect(try resumed("7-c").clauses == ["LNT-022"])
  }

  /// Sequences of old servers are numbers and arrays.
  @Test(arguments: [("7", "7"), (#"[7,"x"]"#, "%5B7%2C%22x%22%5D"), (#""7-x""#, "%227-x%22")])
  func sequencesOfAnyKindAreRead(sequence: String, query: String) throws {
    let page = Traffic.Step(
      target: "/s/_changes?style=all_docs&since=0",
      answer: #"{"results":[],"last_seq":\#(sequence)}"#)
    let next = Traffic.changes([], last: "8-y", query: "style=all_docs&since=\(query)")
    #expect(
      try Self.s.replacing(5, with: page).inserting([next], after: 5).removing(7, 8, 9, 10, 11)
        .clauses == [])
  }
}
