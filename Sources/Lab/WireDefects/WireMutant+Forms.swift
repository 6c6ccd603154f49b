internal import JSON
internal import WireConformance

// The forms of mutants.

extension WireMutant {
  /// Changes the response to some requests.
  static func response(
    _ name: String, _ clause: String, says sentence: String, on when: When,
    change: @escaping @Sendable (WireCall, inout WireResponse) -> Void
  ) -> WireMutant {
    WireMutant(name, clause, says: sentence) { call, server throws(WireFailure) in
      var response = try server.send(call.request)
      if when(call) { change(call, &response) }
      return response
    }
  }

  /// Answers with another status.
  ///
  /// - Parameter from: the status of the correct response; nil for any.
  static func status(
    _ name: String, _ clause: String, says sentence: String, on when: When, from: Int64? = nil,
    to status: Int64
  ) -> WireMutant {
    .response(name, clause, says: sentence, on: when) { _, response in
      if from == nil || response.status == from { response.status = status }
    }
  }

  /// Changes the values at a path of the JSON body; nil removes them.
  static func value(
    _ name: String, _ clause: String, says sentence: String, on when: When, at path: String = "",
    change: @escaping @Sendable (JSONValue) -> JSONValue?
  ) -> WireMutant {
    let names = path.split(separator: ".").map(String.init)
    return .response(name, clause, says: sentence, on: when) { _, response in
      response.edit { $0.change(at: names, change) }
    }
  }

  /// Answers with another header field; nil removes it.
  static func header(
    _ name: String, _ clause: String, says sentence: String, on when: When, field: JSONString,
    to value: JSONString?
  ) -> WireMutant {
    .response(name, clause, says: sentence, on: when) { _, response in
      if response.header(field) != nil { response.set(field, value) }
    }
  }

  /// Changes some requests.
  static func request(
    _ name: String, _ clause: String, says sentence: String, on when: When,
    change: @escaping @Sendable (WireCall) -> WireRequest
  ) -> WireMutant {
    WireMutant(name, clause, says: sentence) { call, server throws(WireFailure) in
      try server.send(when(call) ? change(call) : call.request)
    }
  }

  /// Ignores a parameter of the query.
  static func ignores(
    _ name: String, _ clause: String, says sentence: String, on when: When,
    parameter: String
  ) -> WireMutant {
    .request(name, clause, says: sentence, on: when) { $0.with(parameter, nil) }
  }

  /// Ignores a header field of the request.
  static func ignores(
    _ name: String, _ clause: String, says sentence: String, on when: When, header: JSONString
  ) -> WireMutant {
    .request(name, clause, says: sentence, on: when) { $0.with(header: header, nil) }
  }

  /// Answers some requests without the server.
  static func instead(
    _ name: String, _ clause: String, says sentence: String, on when: When,
    answer: @escaping @Sendable (WireCall) -> WireResponse
  ) -> WireMutant {
    WireMutant(name, clause, says: sentence) { call, server throws(WireFailure) in
      when(call) ? answer(call) : try server.send(call.request)
    }
  }

  /// Sends another request if the response has a status.
  static func retry(
    _ name: String, _ clause: String, says sentence: String, on when: When, after status: Int64,
    change: @escaping Change
  ) -> WireMutant {
    WireMutant(name, clause, says: sentence) { call, server throws(WireFailure) in
      let response = try server.send(call.request)
      guard when(call), response.status == status, let other = try change(call, server) else {
        return response
      }
      return try server.send(other)
    }
  }

  typealias Change =
    @Sendable (WireCall, _ server: any WireTransport) throws(WireFailure) -> WireRequest?

  /// The request with the revision that the document has: the last writer wins.
  static let withCurrentRevision: Change = { call, server throws(WireFailure) in
    guard let revision = try server.winner(of: call)["_rev"].textValue else { return nil }
    var request = WireCall(call.with(json: { $0 = $0.without("_rev") }))
      .with("rev", revision.string)
    request.headers.removeAll { $0.name == "if-match" }
    return request
  }
}

extension WireTransport {
  /// Reads JSON.
  func json(_ path: String, query: String? = nil) throws(WireFailure) -> JSONValue {
    let request = WireRequest(
      "GET", JSONString(path), query: query.map { JSONString($0) },
      headers: [WireHeader("accept", "application/json")])
    return try send(request).json
  }

  /// The winner of the document that a request names.
  func winner(of call: WireCall) throws(WireFailure) -> JSONValue {
    try json(call.document, query: "conflicts=true")
  }

  /// Sends JSON.
  func send(
    _ method: JSONString, _ path: String, json: JSONValue
  ) throws(WireFailure) -> WireResponse {
    try send(
      WireRequest(
        method, JSONString(path),
        headers: [
          WireHeader("accept", "application/json"), WireHeader("content-type", "application/json"),
        ], body: json.serializedBytes()))
  }
}
