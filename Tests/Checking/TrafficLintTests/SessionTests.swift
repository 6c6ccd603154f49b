import Testing

@testable import TrafficLint

/// Sessions that end early, and checkpoints of one side.
@Suite struct SessionTests {
  private static let s = Traffic.session

  /// A session that resumes at both checkpoints and writes one document.
  private static func next(_ number: Int, from since: String) -> [Traffic.Step] {
    let doc = #"{"_id":"n","_rev":"\#(number)-n","_revisions":{"start":1,"ids":["n"]}}"#
      .replacing("\"start\":1", with: "\"start\":\(number)")
    return [
      Traffic.readCheckpoint("s", since), Traffic.readCheckpoint("t", since),
      Traffic.changes(
        [Traffic.row("\(number)-z", "n", "\(number)-n")], last: "\(number)-z",
        query: "style=all_docs&since=\(since)"),
      Traffic.diff(#"{"n":["\#(number)-n"]}"#, #"{"n":{"missing":["\#(number)-n"]}}"#),
      Traffic.bulkGet([("n", "\(number)-n")], [doc]), Traffic.bulkDocs([doc]),
      Traffic.checkpoint("s", "\(number)-z"), Traffic.checkpoint("t", "\(number)-z"),
    ]
  }

  /// Rows of a session that ended early do not concern a checkpoint that another process wrote.
  @Test func rowsOfAnEarlierSessionAreForgotten() throws {
    let early = Array(Self.s.steps[..<5])
    #expect(try Traffic(steps: early + Self.next(3, from: "2-b")).clauses == [])
  }

  @Test func aCrashBetweenTheTwoWritesIsNoFinding() throws {
    let crashed = Array(Self.s.steps[..<9])
    #expect(try Traffic(steps: crashed + Self.next(3, from: "2-b")).clauses == [])
    let twice = crashed + Array(Self.next(3, from: "2-b")[..<7]) + Self.next(4, from: "2-b")
    #expect(try Traffic(steps: twice).clauses == [])
  }

  @Test func sessionsThatNeverWriteTheOtherSideAreAFinding() throws {
    var steps = Array(Self.s.steps[..<9])
    for number in 3...5 { steps += Self.next(number, from: "2-b")[..<7] }
    #expect(try Traffic(steps: steps).clauses == ["LNT-018"])
  }

  /// The target of a session without a feed is asked again.
  @Test func aPushThatStartsAgainAsksAgain() throws {
    let push = Self.s.removing(1, 3, 5, 7, 9, 10).steps
    let again = [push[1], Traffic.diff(#"{"d":["1-a"],"e":["2-b"]}"#, "{}")]
    #expect(try Traffic(steps: push + again).clauses == [])
    #expect(try Traffic(steps: push + again[1...]).clauses == ["LNT-043"])
  }

  /// Only one side is read again, so what both have in common is unknown.
  @Test func anOldReadOfTheOtherSideDoesNotCount() throws {
    let steps = Self.next(3, from: "2-b")
    #expect(try Traffic(steps: Self.s.steps + [steps[0]] + steps[2...]).clauses == [])
  }

  /// The database is created again between two sessions with other checkpoints.
  @Test func aDatabaseIsCreatedAgainBetweenSessions() throws {
    var information = Traffic.information("s")
    information.answer = #"{"instance_start_time":"2","update_seq":"0"}"#
    let other = Self.s.steps[2...].map { step in
      var step = step
      step.target = step.target.replacing("/p", with: "/q")
      return step
    }
    let begin = Array(Self.s.steps[..<4])
    #expect(try Traffic(steps: begin + [information] + other).clauses == [])
  }

  /// A continuous feed is open while its rows are replicated.
  @Test func anOpenFeedListsItsRows() throws {
    var traffic = Self.s.replacing(8, with: Traffic.bulkDocs([Traffic.d]))
    for place in traffic.steps.indices {
      (traffic.steps[place].start, traffic.steps[place].end) = (place * 10, place * 10 + 9)
    }
    traffic.steps[4].end = 5000
    #expect(try traffic.clauses == [])
    traffic.steps[4].target += "&feed=continuous"
    #expect(try traffic.clauses == ["LNT-013"])
  }

  /// After the loss of both checkpoints, a new session records an older sequence.
  @Test func aNewSessionMayRecordAnOlderSequence() throws {
    let again = [
      Traffic.missingCheckpoint("s"), Traffic.missingCheckpoint("t"),
      Traffic.changes([Traffic.row("1-a", "d", "1-a")], last: "1-a"),
      Traffic.diff(#"{"d":["1-a"]}"#, "{}"), Traffic.checkpoint("s", "1-a", session: "y"),
      Traffic.checkpoint("t", "1-a", session: "y"),
    ]
    #expect(try Traffic(steps: Self.s.steps + again).clauses == [])
  }

  @Test func aReplicatorWithoutCheckpointsIsChecked() throws {
    let known = Self.s.replacing(
      6, with: Traffic.diff(#"{"d":["1-a"],"e":["2-b"]}"#, #"{"e":{"missing":["2-b"]}}"#)
    ).replacing(8, with: Traffic.bulkDocs([Traffic.e]))
    #expect(try known.removing(3, 4, 9, 10).clauses == ["LNT-040"])
    // With a checkpoint in the target only.
    let unwritten = Self.s.replacing(8, with: Traffic.bulkDocs([Traffic.d]))
    #expect(try unwritten.removing(3, 9).clauses == ["LNT-013"])
  }

  @Test func aHistoryWithMoreIDsThanGenerationsIsMalformed() throws {
    let doc = #"{"_id":"d","_rev":"1-a","_revisions":{"start":1,"ids":["a","b"]}}"#
    let write = Traffic.bulkDocs([doc], answer: "{}", status: 400)
    #expect(try Self.s.inserting([write], after: 7).clauses == ["LNT-052"])
  }
}
