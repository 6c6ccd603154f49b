import JSON

@testable import TrafficLint

/// Recorded traffic as the steps of one session, which tests change.
struct Traffic {
  var steps: [Step]

  /// One exchange.
  struct Step {
    var method = "GET"
    var target: String
    /// JSON; nil for none.
    var body: String?
    /// Bytes that are not JSON.
    var bytes: [UInt8]?
    var headers: [String: String] = [:]
    /// Nil if no response arrived.
    var status: Int? = 200
    var answer: String?
    var client = "c"
    var start: Int?
    var end: Int?
  }

  func replacing(_ number: Int, with step: Step) -> Traffic {
    var copy = self
    copy.steps[number - 1] = step
    return copy
  }

  func removing(_ numbers: Int...) -> Traffic {
    Traffic(steps: steps.indices.filter { !numbers.contains($0 + 1) }.map { steps[$0] })
  }

  func inserting(_ added: [Step], after number: Int) -> Traffic {
    Traffic(steps: steps[..<number] + added + steps[number...])
  }

  /// The lines of the proxy's form.
  var lines: [String] {
    steps.enumerated().map { place, step in
      var request: JSONObject = [
        "method": .text(step.method), "target": .text(step.target),
        "headers": .object(
          JSONObject(
            step.headers.sorted { $0.key < $1.key }.map { (JSONString($0.key), .text($0.value)) })),
      ]
      request["body"] = step.body.map { Self.json($0) }
      request["bytes"] = step.bytes.map { .text(Self.base64($0)) }
      var line: JSONObject = [
        "n": .integer(Int64(place + 1)), "client": .text(step.client), "request": .object(request),
      ]
      line["ms"] = step.start.map { .integer(Int64($0)) }
      line["end"] = step.end.map { .integer(Int64($0)) }
      if let status = step.status {
        var response: JSONObject = ["status": .integer(Int64(status))]
        response["body"] = step.answer.map { Self.json($0) }
        line["response"] = .object(response)
      } else {
        line["cut"] = true
      }
      return JSONValue.object(line).serialized()
    }
  }

  var report: LintReport { get throws { try Self.check(lines) } }

  /// The ids of the violated clauses, in order.
  var clauses: [String] { get throws { try report.counts.map(\.clause.id) } }

  static func check(_ lines: [String]) throws -> LintReport {
    var reader = TranscriptReader()
    let linter = TrafficLinter()
    for line in lines {
      for exchange in try reader.add(Array(line.utf8)[...]) { linter.add(exchange) }
    }
    for exchange in try reader.finish() { linter.add(exchange) }
    return linter.finish()
  }

  /// A text that is not JSON stands for itself, so that a test shows the error.
  static func json(_ text: String) -> JSONValue { (try? JSONValue.parse(text)) ?? .text(text) }

  static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(0) { sum, place in
        sum << 8 | (place < group.count ? Int(group[start + place]) : 0)
      }
      for place in 0..<4 {
        text.append(place <= group.count ? letters[bits >> (18 - 6 * place) & 63] : "=")
      }
    }
    return text
  }
}

extension Traffic {
  /// A complete session of 10 exchanges without a violation: documents d and e from /s to /t.
  static let session = Traffic(steps: [
    information("s"), information("t"), missingCheckpoint("s"), missingCheckpoint("t"),
    changes([row("1-a", "d", "1-a"), row("2-b", "e", "2-b")], last: "2-b"),
    diff(#"{"d":["1-a"],"e":["2-b"]}"#, #"{"d":{"missing":["1-a"]},"e":{"missing":["2-b"]}}"#),
    bulkGet([("d", "1-a"), ("e", "2-b")], [d, e]), bulkDocs([d, e]),
    checkpoint("s", "2-b"), checkpoint("t", "2-b"),
  ])

  static let d = #"{"_id":"d","_rev":"1-a","_revisions":{"start":1,"ids":["a"]}}"#
  static let e = #"{"_id":"e","_rev":"2-b","_revisions":{"start":2,"ids":["b","a"]}}"#

  static func information(_ database: String, client: String = "c") -> Step {
    Step(
      target: "/\(database)",
      answer: #"{"db_name":"\#(database)","instance_start_time":"1","update_seq":"2-b"}"#,
      client: client)
  }

  static func missingCheckpoint(_ database: String) -> Step {
    Step(target: "/\(database)/_local/p", status: 404, answer: #"{"error":"not_found"}"#)
  }

  static func readCheckpoint(_ database: String, _ sequence: String, session: String = "x") -> Step
  {
    Step(
      target: "/\(database)/_local/p", answer: checkpointBody(sequence, session: session))
  }

  static func checkpoint(_ database: String, _ sequence: String, session: String = "x") -> Step {
    Step(
      method: "PUT", target: "/\(database)/_local/p",
      body: checkpointBody(sequence, session: session), status: 201, answer: #"{"ok":true}"#)
  }

  static func checkpointBody(_ sequence: String, session: String) -> String {
    #"{"session_id":"\#(session)","source_last_seq":"\#(sequence)","history":"#
      + #"[{"session_id":"\#(session)","recorded_seq":"\#(sequence)"}]}"#
  }

  static func row(_ sequence: String, _ id: String, _ revision: String) -> String {
    #"{"seq":"\#(sequence)","id":"\#(id)","changes":[{"rev":"\#(revision)"}]}"#
  }

  static func changes(
    _ rows: [String], last: String?, query: String = "style=all_docs&since=0"
  ) -> Step {
    let end = last.map { #","last_seq":"\#($0)""# } ?? ""
    return Step(
      target: "/s/_changes?\(query)",
      answer: #"{"results":[\#(rows.joined(separator: ","))]\#(end)}"#)
  }

  static func diff(_ asked: String, _ answer: String, status: Int = 200, client: String = "c")
    -> Step
  {
    Step(
      method: "POST", target: "/t/_revs_diff", body: asked, status: status, answer: answer,
      client: client)
  }

  static func bulkGet(
    _ wishes: [(id: String, revision: String)], _ docs: [String],
    query: String = "revs=true&latest=true", status: Int = 200
  ) -> Step {
    let asked = wishes.map { #"{"id":"\#($0.id)","rev":"\#($0.revision)"}"# }
    let results = docs.map { doc in
      let id = json(doc).objectValue?["_id"]?.textValue?.string ?? ""
      return #"{"id":"\#(id)","docs":[{"ok":\#(doc)}]}"#
    }
    return Step(
      method: "POST", target: "/s/_bulk_get?\(query)",
      body: #"{"docs":[\#(asked.joined(separator: ","))]}"#, status: status,
      answer: #"{"results":[\#(results.joined(separator: ","))]}"#)
  }

  static func bulkDocs(_ docs: [String], answer: String = "[]", status: Int? = 201) -> Step {
    Step(
      method: "POST", target: "/t/_bulk_docs",
      body: #"{"new_edits":false,"docs":[\#(docs.joined(separator: ","))]}"#, status: status,
      answer: answer)
  }

  static func openRevisions(_ doc: String, query: String = "") -> Step {
    Step(
      target: #"/s/e?open_revs=%5B%222-b%22%5D&revs=true&latest=true\#(query)"#,
      answer: #"[{"ok":\#(doc)}]"#)
  }
}
