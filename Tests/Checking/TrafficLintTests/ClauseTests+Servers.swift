@testable import TrafficLint

extension ClauseTests {
  private static let s = Traffic.session

  private static func diff(_ answer: String) -> Traffic {
    s.replacing(6, with: Traffic.diff(#"{"d":["1-a"],"e":["2-b"]}"#, answer))
  }

  private static func listed(_ rows: [String], last: String? = "2-b") -> Traffic {
    s.replacing(5, with: Traffic.changes(rows, last: last))
  }

  private static let rows = [Traffic.row("1-a", "d", "1-a"), Traffic.row("2-b", "e", "2-b")]

  private static func fetched(_ docs: [String]) -> Traffic {
    s.replacing(7, with: Traffic.bulkGet([("d", "1-a"), ("e", "2-b")], docs))
  }

  private static func put(_ revision: String) -> Traffic {
    let step = Traffic.Step(
      method: "PUT", target: "/t/d?new_edits=false", body: Traffic.d, status: 201,
      answer: #"{"ok":true,"id":"d","rev":"\#(revision)"}"#)
    return s.replacing(8, with: Traffic.bulkDocs([Traffic.e])).inserting([step], after: 8)
  }

  private static func askedByOther(_ answer: String) -> Traffic {
    s.inserting(
      [
        Traffic.information("t", client: "other"),
        Traffic.diff(#"{"d":["1-a"]}"#, answer, client: "other"),
      ], after: 8)
  }

  static let servers: [Violation] = [
    .init(
      .missingAcknowledged, askedByOther(#"{"d":{"missing":["1-a"]}}"#),
      correct: askedByOther("{}")),
    .init(
      .missingUnasked,
      diff(#"{"d":{"missing":["1-a"]},"e":{"missing":["2-b"]},"z":{"missing":["1-a"]}}"#)),
    .init(
      .ancestorGeneration,
      diff(
        #"{"d":{"missing":["1-a"]},"e":{"missing":["2-b"],"possible_ancestors":["2-z"]}}"#),
      correct: diff(
        #"{"d":{"missing":["1-a"]},"e":{"missing":["2-b"],"possible_ancestors":["1-z"]}}"#)),
    .init(.feedLastSequence, listed(rows, last: nil)),
    .init(.feedDuplicate, listed(rows + [rows[1]])),
    .init(.feedRow, listed(rows + [#"{"seq":"3-c","id":"q","changes":[]}"#])),
    .init(
      .bulkGetComplete,
      fetched([Traffic.d]).inserting([Traffic.bulkGet([("e", "2-b")], [Traffic.e])], after: 7)),
    .init(
      .attachmentsIgnored, attached(sent, query: since), correct: attached(stub, query: since)),
    .init(
      .responseJSON, s.inserting([Traffic.diff(#"{"d":["1-a"]}"#, "[]")], after: 5),
      correct: s.inserting([Traffic.diff(#"{"d":["1-a"]}"#, "[]", status: 500)], after: 5)),
    .init(
      .responseRevision,
      diff(
        #"{"d":{"missing":["1-a"]},"e":{"missing":["2-b"],"possible_ancestors":["xyz"]}}"#)),
    .init(
      .fetchedHistory,
      fetched([
        Traffic.d, #"{"_id":"e","_rev":"2-b","_revisions":{"start":1,"ids":["b"]}}"#,
      ])),
    .init(
      .fetchedOther,
      fetched([
        Traffic.d, Traffic.e, #"{"_id":"x","_rev":"1-x","_revisions":{"start":1,"ids":["x"]}}"#,
      ]),
      // A newer leaf in place of the requested one.
      correct: fetched([
        Traffic.d, #"{"_id":"e","_rev":"3-c","_revisions":{"start":3,"ids":["c","b","a"]}}"#,
      ]).replacing(
        8,
        with: Traffic.bulkDocs([
          Traffic.d, #"{"_id":"e","_rev":"3-c","_revisions":{"start":3,"ids":["c","b","a"]}}"#,
        ]))),
    .init(.acknowledgedOther, put("1-z"), correct: put("1-a")),
    .init(
      .bulkRowUnknown,
      s.replacing(
        8,
        with: Traffic.bulkDocs(
          [Traffic.d, Traffic.e], answer: #"[{"id":"zz","error":"forbidden"}]"#))),
  ]
}
