import JSON
import Testing

@testable import WireConformance

/// A server that answers with a function, and records the requests.
final class ScriptedTransport: WireTransport {
  private(set) var requests: [WireRequest] = []
  private let answer: (WireRequest) throws(WireFailure) -> WireResponse

  init(_ answer: @escaping (WireRequest) throws(WireFailure) -> WireResponse) {
    self.answer = answer
  }

  func send(_ request: WireRequest) throws(WireFailure) -> WireResponse {
    requests.append(request)
    return try answer(request)
  }

  var lines: [String] { requests.map { "\($0.method) \($0.target)" } }
}

@Suite struct WireRunnerTests {
  private func vector(_ steps: [JSONValue], databases: Int64 = 1) throws -> WireVector {
    try WireVector(
      [
        "id": "wire-a", "clauses": ["WIR-001"], "databases": .integer(databases),
        "steps": .array(steps),
      ], path: "")
  }

  private static func step(_ path: JSONValue, _ response: JSONValue) -> JSONValue {
    ["request": ["method": "GET", "path": path], "response": response]
  }

  private static func response(_ status: Int64, _ body: JSONValue) -> WireResponse {
    WireResponse(
      status, headers: [WireHeader("ETag", "\"1-a\"")], body: body.serializedBytes())
  }

  @Test func valuesGoFromResponsesToRequests() throws {
    let first: JSONValue = [
      "request": ["method": "PUT", "path": "/{db}/a", "body": ["n": 1]],
      "response": [
        "status": [200, 201], "headers": ["etag": ["$capture": "etag"]],
        "body": ["rev": ["$capture": "rev"], "list": ["$capture": "list"]],
      ],
    ]
    let second: JSONValue = [
      "request": [
        "method": "POST", "path": "/{db}/{rev}", "headers": ["if-match": "{etag}"],
        "query": ["rev": "{rev}", "open": ["{rev}"], "latest": true],
        "body": ["all": ["$value": "list"], "text": "{rev} {1}"],
      ],
      "response": ["status": 201],
    ]
    let server = ScriptedTransport { _ in Self.response(201, ["rev": "1/a", "list": [1]]) }
    let verdict = try WireRunner(server, label: "t").run(
      try vector([first, second], databases: 2), number: 7)
    #expect(verdict == .pass)
    #expect(
      server.lines == [
        "PUT /touchstone-t-7-db", "PUT /touchstone-t-7-other", "PUT /touchstone-t-7-db/a",
        "POST /touchstone-t-7-db/1%2Fa?rev=1%2Fa&open=%5B%221%2Fa%22%5D&latest=true",
        "DELETE /touchstone-t-7-db", "DELETE /touchstone-t-7-other",
      ])
    #expect(server.requests[2].header("content-type") == "application/json")
    #expect(server.requests[3].header("if-match") == "\"1-a\"")
    #expect(server.requests[3].bodyText == #"{"all":[1],"text":"1/a {1}"}"#)
  }

  @Test func theFirstMismatchEndsTheVector() throws {
    let server = ScriptedTransport { request in
      request.method == "PUT" ? WireResponse(201) : Self.response(200, ["n": 2])
    }
    let verdict = try WireRunner(server, label: "t").run(
      try vector([
        Self.step("/{db}/a", ["status": 200, "body": ["n": 1]]), Self.step("/b", ["status": 200]),
      ]), number: 1)
    guard case .fail(let difference) = verdict else {
      Issue.record("it passed")
      return
    }
    #expect(difference.step == 1)
    #expect(difference.mismatch == WireMismatch(place: "body.n", expected: "1", actual: "2"))
    #expect(!server.lines.contains("GET /b"))
    #expect(server.lines.last == "DELETE /touchstone-t-1-other")
  }

  @Test func aStepMayTakeSeveralAttempts() throws {
    var step: JSONObject = [
      "request": ["method": "GET", "path": "/"], "response": ["status": 200], "attempts": 3,
    ]
    for (limit, verdict) in [(3, true), (4, false)] {
      var count = 0
      let server = ScriptedTransport { request in
        count += request.method == "GET" ? 1 : 0
        return WireResponse(count == limit ? 200 : 500)
      }
      let vector = try vector([.object(step)], databases: 0)
      #expect(try WireRunner(server, label: "t").run(vector, number: 1).isPass == verdict)
      #expect(count == 3)
    }
    step["attempts"] = 0
    #expect(throws: DecodingFailure.self) { try vector([.object(step)]) }
  }

  private static let responses: [(JSONValue, WireResponse, String?)] = [
    (["status": 200], response(200, 1), nil),
    (["status": [200, 202]], response(201, 1), "status"),
    (["status": 200, "headers": ["etag": "\"1-a\""]], response(200, 1), nil),
    (["status": 200, "headers": ["etag": ["$absent": true]]], response(200, 1), "header etag"),
    (["status": 200, "headers": ["age": ["$any": true]]], response(200, 1), "header age"),
    (["status": 200, "empty": true], WireResponse(200), nil),
    (["status": 200, "empty": true], response(200, 1), "body"),
    (["status": 200, "body": ["$any": true]], WireResponse(200), "body"),
    (["status": 200, "text": ["$text": ["prefix": "a"]]], WireResponse(200, body: [97, 98]), nil),
    (["status": 200, "text": "a"], WireResponse(200, body: [0xFF]), "body"),
    (["status": 200, "base64": "/w=="], WireResponse(200, body: [0xFF]), nil),
    (["status": 200, "base64": "/w=="], WireResponse(200), "body"),
    (["status": 200, "lines": [1, 2]], WireResponse(200, body: Array("1\n\r\n2\n".utf8)), nil),
    (["status": 200, "lines": [1]], WireResponse(200, body: Array("1\nx\n".utf8)), "body"),
    (["status": 200, "multipart": ["$any": true]], response(200, 1), "body"),
  ]

  @Test(arguments: responses)
  func responsesAreCompared(expected: JSONValue, response: WireResponse, place: String?) throws {
    var matcher = WireMatcher(values: WireValues())
    let found = matcher.mismatch(try WireExpectation(expected, path: ""), response)
    #expect(found?.place == place)
  }

  /// A server that does not answer fails the vector; without a server there is no verdict.
  @Test func requestsWithoutAResponse() throws {
    let vector = try vector([Self.step("/", ["status": 200])], databases: 0)
    let silent = ScriptedTransport { _ throws(WireFailure) in throw .noResponse("too late") }
    guard case .fail(let difference) = try WireRunner(silent, label: "t").run(vector, number: 1)
    else {
      Issue.record("it passed")
      return
    }
    #expect(difference.response == nil && difference.mismatch.actual == "too late")
    let absent = ScriptedTransport { _ throws(WireFailure) in throw .notConnected("refused") }
    #expect(throws: WireFailure.notConnected("refused")) {
      try WireRunner(absent, label: "t").run(vector, number: 1)
    }
  }

  private static let invalid: [(JSONValue, String)] = [
    (["method": "GET", "path": "/{db}/{rev}"], "steps[0]: no earlier step captures 'rev'"),
    (["method": "GET", "path": "a"], "steps[0].request.path: expected a path from /"),
    (
      ["method": "GET", "path": "/", "body": 1, "text": "a"], "steps[0].request: more than one body"
    ),
    (
      ["method": "GET", "path": "/", "base64": "?"],
      "steps[0].request.base64: not valid base64"
    ),
  ]

  @Test(arguments: invalid)
  func invalidRequestsAreRejected(request: JSONValue, message: String) {
    let error = #expect(throws: DecodingFailure.self) {
      try self.vector([["request": request, "response": ["status": 200]]])
    }
    #expect(error.map { "\($0)" } == message)
  }
}
