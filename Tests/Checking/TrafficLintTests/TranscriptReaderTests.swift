import JSON
import Testing

@testable import TrafficLint

@Suite struct TranscriptReaderTests {
  private static func error(_ lines: [String]) -> String? {
    do {
      _ = try Traffic.check(lines)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// The session as a HAR file.
  static func archive(_ traffic: Traffic, durations: [Int] = []) -> String {
    let entries = traffic.steps.enumerated().map { place, step -> JSONValue in
      var request: JSONObject = [
        "method": .text(step.method), "url": .text("http://me:secret@host:5984\(step.target)"),
        "headers": [["name": "Content-Type", "value": "application/json"]],
      ]
      request["postData"] = step.body.map {
        ["mimeType": "application/json", "text": .text($0)]
      }
      let content: JSONObject = [
        "size": 1, "mimeType": "application/json", "encoding": "base64",
        "text": .text(Traffic.base64(Array((step.answer ?? "").utf8))),
      ]
      return [
        "startedDateTime": .text("2026-11-20T21:56:3\(place / 10).\(place % 10)00+01:00"),
        "time": .integer(Int64(place < durations.count ? durations[place] : 50)),
        "request": .object(request),
        "response": [
          "status": .integer(Int64(step.status ?? 0)), "headers": [],
          "content": .object(content),
        ],
      ]
    }
    let value: JSONValue = ["log": ["version": "1.2", "entries": .array(entries)]]
    return value.pretty()
  }

  @Test func readsAnArchive() throws {
    let text = Self.archive(Traffic.session)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let report = try Traffic.check(lines)
    #expect(report.exchangeCount == 10)
    #expect(report.sessionCount == 1)
    #expect(report.counts.isEmpty)
    // The same in one line.
    #expect(try Traffic.check([lines.joined()]).counts.isEmpty)
    let late = Self.archive(Traffic.session, durations: Array(repeating: 50, count: 7) + [150])
    let found = try Traffic.check([late.replacing("\n", with: "")])
    #expect(found.counts.map(\.clause.id) == ["LNT-014"])
    // The times are rounded: 1 ms decides nothing.
    let rounded = Self.archive(Traffic.session, durations: Array(repeating: 50, count: 7) + [101])
    #expect(try Traffic.check([rounded.replacing("\n", with: "")]).counts.isEmpty)
    // Passwords in URLs are not shown.
    #expect(found.findings[0].evidence[0].line.hasPrefix("GET http://host:5984/s/_changes"))
  }

  @Test func anAbortedRequestHasNoResponse() throws {
    var traffic = Traffic.session
    traffic.steps[7].status = nil
    let text = Self.archive(traffic).replacing("\n", with: "")
    #expect(try Traffic.check([text]).counts.map(\.clause.id) == ["LNT-014"])
  }

  @Test func readsTheFormOfTheRecorder() throws {
    let lines = Traffic.session.steps.enumerated().map { place, step -> String in
      let line: JSONValue = [
        "i": .integer(Int64(place)), "t": 1.5, "method": .text(step.method),
        "path": .text(step.target), "h": ["Content-Type": "application/json"],
        "body": .text(step.body ?? ""), "status": .integer(Int64(step.status ?? 0)),
        "rct": "application/json",
        "resp": ["base64": .text(Traffic.base64(Array((step.answer ?? "").utf8)))],
      ]
      return line.serialized()
    }
    let report = try Traffic.check(lines)
    #expect(report.exchangeCount == 10)
    #expect(report.counts.isEmpty)
    #expect(
      try Traffic.check(Array(lines[..<7] + lines[8...])).counts.map(\.clause.id) == ["LNT-013"])
  }

  @Test(arguments: [
    ([], "line 1: no exchanges; expected a HAR file"),
    (["", " "], "line 3: no exchanges; expected a HAR file"),
    (["{}"], "line 1: unknown form; expected a HAR file"),
    (["[1]"], "line 1: unknown form; expected a HAR file"),
    (["{\"log\": ["], "byte 10: expected a value, found the end of the text: not complete JSON"),
    ([#"{"log":{}}"#], "log.entries: expected an array of exchanges (HAR 1.2)"),
    ([#"{"log":{"entries":[1]}}"#], "entry 1: expected an object, found a number"),
    ([#"{"log":{"entries":[{}]}}"#], "entry 1: startedDateTime: missing member"),
    (
      [#"{"log":{"entries":[{"startedDateTime":"today"}]}}"#],
      "entry 1: startedDateTime: expected a time such as 2026-11-20T21:56:30.453Z"
    ),
    ([#"{"request":1}"#], "line 1: n: missing member"),
    ([#"{"n":1,"request":1}"#], "line 1: request: expected an object, found a number"),
    ([#"{"n":1,"request":{"method":"GET"}}"#], "line 1: request.target: missing member"),
    (
      [#"{"n":1,"ms":-1,"request":{}}"#], "line 1: ms: expected a number of milliseconds from 0"
    ),
    (
      [#"{"n":1,"ms":1e300,"request":{}}"#],
      "line 1: ms: expected a number of milliseconds from 0"
    ),
    (
      [#"{"n":1,"request":{"method":"GET","target":"/","bytes":"?"}}"#],
      "line 1: request.bytes: expected base64"
    ),
    ([#"{"n":1,"request":{"method":"GET","target":"/"}}"#, "x"], "line 2: expected one exchange"),
    (
      [#"{"n":1,"request":{"method":"GET","target":"/"}}"#, #"{"n":2,"#],
      "line 2: expected one exchange as JSON: byte 7"
    ),
    ([#"{"i":1,"method":"GET","path":"/s","body":1}"#], "line 1: body: expected an object"),
  ])
  func badInputHasAnError(lines: [String], expected: String) throws {
    let error = try #require(Self.error(lines))
    #expect(error.hasPrefix(expected), "\(error)")
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:01.5Z", 1_500_000),
    ("2000-03-01T00:00:00.0000019+00:00", 951_868_800_000_001),
    ("2026-11-20T21:56:30.453+01:00", 1_795_208_190_453_000),
    ("1969-12-31T19:00:00-0500", 0),
  ])
  func timesAreRead(text: String, expected: Int64) {
    #expect(Timestamp.microseconds(JSONString(text)) == expected)
  }

  @Test(arguments: [
    "", "2026", "2026-13-01T00:00:00Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z",
  ])
  func otherTextsAreNoTimes(text: String) {
    #expect(Timestamp.microseconds(JSONString(text)) == nil)
  }

  /// Values of any kind at any member never stop the program.
  @Test func unexpectedValuesAreFindingsOrErrors() throws {
    let values = ["null", "true", "-1", "1.5", "\"x\"", "[]", "{}", "[[]]", "18446744073709551615"]
    let members = [
      "seq", "id", "changes", "rev", "last_seq", "results", "missing", "docs", "ok", "_id", "_rev",
      "_revisions", "start", "ids", "session_id", "source_last_seq", "history", "recorded_seq",
      "new_edits", "instance_start_time", "update_seq", "status", "method", "target", "headers",
      "n",
    ]
    for line in Traffic.session.lines.indices {
      for member in members {
        for value in values {
          var lines = Traffic.session.lines
          lines[line] = Self.replacing(member, in: lines[line], by: value)
          _ = Self.error(lines)
        }
      }
    }
  }

  private static func replacing(_ member: String, in text: String, by value: String) -> String {
    func changed(_ json: JSONValue) -> JSONValue {
      switch json {
      case .array(let items): return .array(items.map(changed))
      case .object(let object):
        return .object(
          JSONObject(
            object.members.map { item in
              (item.name, item.name.string == member ? Traffic.json(value) : changed(item.value))
            }))
      default: return json
      }
    }
    return changed(Traffic.json(text)).serialized()
  }
}
