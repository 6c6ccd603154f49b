@testable import TrafficLint

extension ClauseTests {
  private static let s = Traffic.session

  /// The session resumes, and nothing is new.
  private static func resumed(
    source: Traffic.Step, target: Traffic.Step, since: String = "2-b", _ rest: Traffic.Step...
  ) -> Traffic {
    Traffic(
      steps: [
        Traffic.information("s"), Traffic.information("t"), source, target,
        Traffic.changes([], last: "2-b", query: "style=all_docs&since=\(since)"),
      ] + rest)
  }

  private static func commit(_ instance: String) -> [Traffic.Step] {
    [
      Traffic.Step(
        method: "POST", target: "/s/_ensure_full_commit", status: 201,
        answer: #"{"ok":true,"instance_start_time":"\#(instance)"}"#)
    ]
  }

  private static func write(_ database: String, _ body: String) -> Traffic.Step {
    Traffic.Step(
      method: "PUT", target: "/\(database)/_local/p", body: body, status: 201,
      answer: #"{"ok":true}"#)
  }

  private static func both(_ body: String) -> Traffic {
    s.replacing(9, with: write("s", body)).replacing(10, with: write("t", body))
  }

  private static func longHistory(_ count: Int) -> String {
    let entries = Array(repeating: #"{"session_id":"x","recorded_seq":"2-b"}"#, count: count)
    return #"{"session_id":"x","source_last_seq":"2-b","history":["#
      + entries.joined(separator: ",") + "]}"
  }

  static let orderAndCheckpoints: [Violation] = [
    .init(.databaseInformation, s.removing(1)),
    .init(.askedBeforeFetch, s.removing(6)),
    .init(
      .checkpointRead, s.removing(4)),
    .init(
      .writtenAfterFetch,
      s.replacing(8, with: Traffic.bulkDocs([Traffic.d, Traffic.e, #"{"_id":"x","_rev":"1-x"}"#]))),
    .init(
      .fetchWithHistory,
      s.replacing(
        7,
        with: Traffic.bulkGet(
          [("d", "1-a"), ("e", "2-b")], [Traffic.d, Traffic.e], query: "latest=true"))),
    .init(
      .fetchLatest,
      s.replacing(
        7,
        with: Traffic.bulkGet(
          [("d", "1-a"), ("e", "2-b")], [Traffic.d, Traffic.e], query: "revs=true"))),
    .init(
      .recreatedDatabase, s.inserting(commit("2"), after: 8),
      correct: s.inserting(commit("1"), after: 8)),
    .init(
      .checkpointUnasked,
      s.replacing(6, with: Traffic.diff(#"{"d":["1-a"]}"#, #"{"d":{"missing":["1-a"]}}"#))
        .replacing(7, with: Traffic.bulkGet([("d", "1-a")], [Traffic.d]))
        .replacing(8, with: Traffic.bulkDocs([Traffic.d])),
      correct: s.replacing(9, with: Traffic.checkpoint("s", "2-b"))),
    .init(
      .checkpointUnfetched,
      s.replacing(7, with: Traffic.bulkGet([("d", "1-a")], [Traffic.d]))
        .replacing(8, with: Traffic.bulkDocs([Traffic.d])),
      // A checkpoint before the row is safe.
      correct: s.replacing(7, with: Traffic.bulkGet([("d", "1-a")], [Traffic.d]))
        .replacing(8, with: Traffic.bulkDocs([Traffic.d]))
        .replacing(9, with: Traffic.checkpoint("s", "1-a"))
        .replacing(10, with: Traffic.checkpoint("t", "1-a"))),
    .init(
      .checkpointFailedFetch,
      s.replacing(
        7, with: Traffic.bulkGet([("d", "1-a"), ("e", "2-b")], [], status: 500)
      ).removing(8),
      correct: s.inserting(
        [Traffic.bulkGet([("d", "1-a"), ("e", "2-b")], [], status: 500)], after: 6)),
    .init(.checkpointUnwritten, s.replacing(8, with: Traffic.bulkDocs([Traffic.d]))),
    .init(
      .checkpointUnacknowledged,
      s.replacing(8, with: Traffic.bulkDocs([Traffic.d, Traffic.e], status: nil))),
    .init(
      .checkpointFailedWrite,
      s.replacing(8, with: Traffic.bulkDocs([Traffic.d, Traffic.e], answer: "{}", status: 500)),
      correct: s.inserting(
        [Traffic.bulkDocs([Traffic.d, Traffic.e], answer: "{}", status: 500)], after: 7)),
    .init(
      .checkpointRowError,
      s.replacing(
        8,
        with: Traffic.bulkDocs(
          [Traffic.d, Traffic.e],
          answer: #"[{"id":"d","rev":"1-a","error":"internal_server_error"}]"#)),
      correct: s.replacing(
        8,
        with: Traffic.bulkDocs(
          [Traffic.d, Traffic.e], answer: #"[{"id":"d","rev":"1-a","error":"forbidden"}]"#))),
    .init(
      .checkpointSequence,
      s.replacing(9, with: Traffic.checkpoint("s", "9-x"))
        .replacing(10, with: Traffic.checkpoint("t", "9-x"))),
    .init(
      .checkpointOneSide,
      s.replacing(10, with: Traffic.changes([], last: "2-b", query: "style=all_docs&since=2-b")),
      // The replicator may stop between the two writes.
      correct: s.removing(10)),
    .init(.checkpointDiffers, s.replacing(10, with: Traffic.checkpoint("t", "1-a"))),
    .init(
      .checkpointBackwards,
      s.inserting([Traffic.checkpoint("s", "1-a"), Traffic.checkpoint("t", "1-a")], after: 10),
      correct: s.inserting(
        [Traffic.checkpoint("s", "1-a"), Traffic.checkpoint("t", "1-a")], after: 8)),
    .init(.checkpointHistory, both(longHistory(51)), correct: both(longHistory(50))),
    .init(
      .resumeAboveCommon,
      resumed(source: Traffic.readCheckpoint("s", "2-b"), target: Traffic.missingCheckpoint("t")),
      correct: resumed(
        source: Traffic.readCheckpoint("s", "2-b"), target: Traffic.readCheckpoint("t", "2-b"))),
    .init(.checkpointForm, both(#"{"session_id":"x","source_last_seq":"2-b"}"#)),
    .init(
      .checkpointNewestEntry,
      both(
        #"{"session_id":"x","source_last_seq":"2-b","history":"#
          + #"[{"session_id":"y","recorded_seq":"2-b"}]}"#)),
    .init(
      .checkpointUnchanged,
      resumed(
        source: Traffic.readCheckpoint("s", "2-b"), target: Traffic.readCheckpoint("t", "2-b"),
        Traffic.checkpoint("s", "2-b", session: "y"), Traffic.checkpoint("t", "2-b", session: "y")),
      correct: resumed(
        source: Traffic.readCheckpoint("s", "1-a"), target: Traffic.readCheckpoint("t", "1-a"),
        since: "1-a", Traffic.checkpoint("s", "2-b", session: "y"),
        Traffic.checkpoint("t", "2-b", session: "y"))),
  ]
}
