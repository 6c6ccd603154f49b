@testable import TrafficLint

extension ClauseTests {
  private static let s = Traffic.session

  private static let rows = (1...14).map { Traffic.row("\($0)-x", "k\($0)", "1-a") }

  private static func asked(_ diffs: [Traffic.Step]) -> Traffic {
    Traffic(
      steps: Array(s.steps[..<4]) + [Traffic.changes(rows, last: "14-x")] + diffs + [
        Traffic.checkpoint("s", "14-x"), Traffic.checkpoint("t", "14-x"),
      ])
  }

  static func attached(_ attachment: String, query: String) -> Traffic {
    let doc =
      #"{"_id":"e","_rev":"2-b","_revisions":{"start":2,"ids":["b","a"]},"_attachments":{"f":"#
      + attachment + "}}"
    return s.replacing(
      6,
      with: Traffic.diff(
        #"{"d":["1-a"],"e":["2-b"]}"#,
        #"{"d":{"missing":["1-a"]},"e":{"missing":["2-b"],"possible_ancestors":["1-a"]}}"#)
    ).replacing(7, with: Traffic.bulkGet([("d", "1-a")], [Traffic.d]))
      .inserting([Traffic.openRevisions(doc, query: query)], after: 7)
  }

  static let sent = #"{"data":"YQ==","revpos":1,"content_type":"text/plain"}"#
  static let stub = #"{"stub":true,"revpos":1,"content_type":"text/plain"}"#
  static let since = "&atts_since=%5B%221-a%22%5D"

  static let feedAndWaste: [Violation] = [
    .init(
      .feedStyle,
      s.replacing(
        5,
        with: Traffic.changes(
          [Traffic.row("1-a", "d", "1-a"), Traffic.row("2-b", "e", "2-b")], last: "2-b",
          query: "since=0")),
      correct: s.replacing(
        5,
        with: Traffic.changes(
          [Traffic.row("1-a", "d", "1-a"), Traffic.row("2-b", "e", "2-b")], last: "2-b",
          query: "since=0&style=main_only"))),
    .init(
      .feedSince,
      s.inserting(
        [Traffic.changes([], last: "2-b", query: "style=all_docs&since=2")], after: 8),
      correct: s.inserting(
        [Traffic.changes([], last: "2-b", query: "style=all_docs&since=2-b")], after: 8)),
    .init(
      .fetchKnown,
      s.replacing(
        6, with: Traffic.diff(#"{"d":["1-a"],"e":["2-b"]}"#, #"{"e":{"missing":["2-b"]}}"#)
      ).replacing(8, with: Traffic.bulkDocs([Traffic.e])),
      correct: s.replacing(
        6, with: Traffic.diff(#"{"d":["1-a"],"e":["2-b"]}"#, #"{"e":{"missing":["2-b"]}}"#)
      ).replacing(7, with: Traffic.bulkGet([("e", "2-b")], [Traffic.e]))
        .replacing(8, with: Traffic.bulkDocs([Traffic.e]))),
    .init(
      .fetchAgain, s.inserting([Traffic.bulkGet([("d", "1-a")], [Traffic.d])], after: 8),
      // Before the acknowledgment, a fetch may be repeated.
      correct: s.inserting([Traffic.bulkGet([("d", "1-a")], [Traffic.d])], after: 7)),
    .init(
      .writeAgain, s.inserting([Traffic.bulkDocs([Traffic.d])], after: 8),
      correct: s.inserting([Traffic.bulkDocs([Traffic.d], status: nil)], after: 7)),
    .init(
      .askAgain, s.inserting([Traffic.diff(#"{"d":["1-a"]}"#, "{}")], after: 8),
      // The feed lists the document again.
      correct: s.inserting(
        [
          Traffic.changes(
            [Traffic.row("3-c", "d", "1-a")], last: "3-c", query: "style=all_docs&since=2-b"),
          Traffic.diff(#"{"d":["1-a"]}"#, "{}"),
        ], after: 8)),
    .init(
      .askOneByOne, asked((1...14).map { Traffic.diff(#"{"k\#($0)":["1-a"]}"#, "{}") }),
      correct: asked([
        Traffic.diff(
          "{" + (1...14).map { #""k\#($0)":["1-a"]"# }.joined(separator: ",") + "}", "{}")
      ])),
    .init(
      .attachmentsAgain, attached(sent, query: ""), correct: attached(stub, query: since)),
    .init(.emptyRequest, s.inserting([Traffic.bulkGet([], [])], after: 7)),
  ]

  private static func rejected(_ body: String, type: String? = nil, status: Int = 400) -> Traffic {
    var step = Traffic.diff(body, "{}", status: status)
    step.headers["Content-Type"] = type
    return s.inserting([step], after: 5)
  }

  private static func multipart(_ type: String, _ text: String) -> Traffic {
    let step = Traffic.Step(
      method: "PUT", target: "/t/d?new_edits=false", bytes: Array(text.utf8),
      headers: ["Content-Type": type], status: 201, answer: #"{"ok":true,"id":"d","rev":"1-a"}"#)
    return s.inserting([step], after: 7).replacing(9, with: Traffic.bulkDocs([Traffic.e]))
  }

  private static let part =
    "--x\r\nContent-Type: application/json\r\n\r\n\(Traffic.d)\r\n--x--"

  static let forms: [Violation] = [
    .init(
      .requestJSON,
      s.inserting(
        [
          Traffic.Step(
            method: "POST", target: "/t/_revs_diff", bytes: Array("{\"d\":[".utf8), status: 400)
        ], after: 5)),
    .init(
      .writeIdentified,
      s.inserting([Traffic.bulkDocs([#"{"_id":"x"}"#], answer: "{}", status: 400)], after: 7)),
    .init(
      .writeHistory,
      s.inserting(
        [
          Traffic.bulkDocs(
            [#"{"_id":"d","_rev":"1-a","_revisions":{"start":1,"ids":["b"]}}"#], answer: "{}",
            status: 400)
        ], after: 7)),
    .init(.requestRevision, rejected(#"{"q":["0-a"]}"#), correct: rejected(#"{"q":["10-a"]}"#)),
    .init(
      .multipartForm,
      s.inserting(
        [
          Traffic.Step(
            method: "PUT", target: "/t/d?new_edits=false", bytes: Array(part.utf8),
            headers: ["Content-Type": "multipart/related"], status: 400)
        ], after: 7),
      correct: multipart("multipart/related; boundary=\"x\"", part)),
    .init(.requestShape, rejected(#"{"d":"1-a"}"#)),
    .init(
      .requestType, rejected(#"{"d":["1-a"]}"#, type: "text/plain", status: 415),
      correct: rejected(#"{"d":["1-a"]}"#, type: "application/json; charset=utf-8", status: 500)),
    .init(
      .revisionList,
      s.inserting([Traffic.Step(target: "/s/d?open_revs=1-a", status: 400)], after: 6),
      correct: s.inserting([Traffic.Step(target: "/s/d?open_revs=all", status: 500)], after: 6)),
  ]
}
