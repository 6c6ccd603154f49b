internal import Digest
internal import JSON

/// The result of a vector.
public enum WireVerdict: Hashable, Sendable {
  /// Every response matches.
  case pass
  /// A response does not match; the later steps were not run.
  case fail(WireDifference)

  /// Whether every response matches.
  public var isPass: Bool { self == .pass }
}

/// A response that does not match, with its request.
public struct WireDifference: Hashable, Sendable {
  /// The number of the step, from 1; 0 for the creation of the databases.
  public let step: Int
  /// The request.
  public let request: WireRequest
  /// The response; nil if the server sent none.
  public let response: WireResponse?
  /// The difference.
  public let mismatch: WireMismatch
}

/// A runner of vectors, which creates and removes the databases of each.
public struct WireRunner {
  private let transport: any WireTransport
  /// A word in the names of the databases: no other run at the same time has it.
  private let label: String

  /// Creates a runner.
  ///
  /// - Parameter label: lower-case letters, digits and hyphens.
  public init(_ transport: any WireTransport, label: String) {
    (self.transport, self.label) = (transport, label)
  }

  /// Runs a vector.
  ///
  /// - Parameter number: a number that no other vector of the run has.
  /// - Throws: `notConnected`; a request without a response is a failure of the vector.
  public func run(_ vector: WireVector, number: Int) throws(WireFailure) -> WireVerdict {
    var values = WireValues()
    let names = ["db", "other"]
    for name in names { values[JSONString(name)] = .text("touchstone-\(label)-\(number)-\(name)") }
    let databases = names.prefix(vector.databaseCount).compactMap {
      values[JSONString($0)]?.textValue
    }
    defer {
      // Also those that the vector itself may have created.
      for name in names {
        guard let database = values[JSONString(name)]?.textValue else { continue }
        _ = try? transport.send(WireRequest("DELETE", JSONString("/\(database)")))
      }
    }
    for database in databases {
      let request = WireRequest("PUT", JSONString("/\(database)"))
      let expected = WireExpectation(statuses: [201, 202], headers: [], body: .unchecked)
      var matcher = WireMatcher(values: values)
      if let difference = try difference(request, expected, step: 0, matcher: &matcher) {
        return .fail(difference)
      }
    }
    var matcher = WireMatcher(values: values)
    for (index, step) in vector.steps.enumerated() {
      let request = step.request.request(matcher.values)
      var found: WireDifference?
      for _ in 0..<step.attempts {
        found = try difference(request, step.response, step: index + 1, matcher: &matcher)
        if found == nil { break }
      }
      if let found { return .fail(found) }
    }
    return .pass
  }

  private func difference(
    _ request: WireRequest, _ expected: WireExpectation, step: Int, matcher: inout WireMatcher
  ) throws(WireFailure) -> WireDifference? {
    let response: WireResponse
    do throws(WireFailure) {
      response = try transport.send(request)
    } catch {
      guard case .noResponse(let reason) = error else { throw error }
      return WireDifference(
        step: step, request: request, response: nil,
        mismatch: WireMismatch(place: "response", expected: "a response", actual: reason))
    }
    return matcher.mismatch(expected, response).map {
      WireDifference(step: step, request: request, response: response, mismatch: $0)
    }
  }
}

extension WireMatcher {
  /// Returns the first difference of a response; nil if it matches.
  mutating func mismatch(
    _ expected: WireExpectation, _ response: WireResponse
  ) -> WireMismatch? {
    guard expected.statuses.contains(response.status) else {
      return WireMismatch(
        place: "status", expected: expected.statuses.map { "\($0)" }.joined(separator: " or "),
        actual: "\(response.status)")
    }
    for header in expected.headers {
      let value = response.header(header.name).map { JSONValue.string($0) }
      if let found = mismatch(header.pattern, value, at: "header \(header.name)") { return found }
    }
    func differs(_ expected: String) -> WireMismatch {
      WireMismatch(place: "body", expected: expected, actual: response.bodyText)
    }
    switch expected.body {
    case .unchecked: return nil
    case .empty: return response.body.isEmpty ? nil : differs("an empty body")
    case .bytes(let bytes):
      return response.body == bytes ? nil : differs("base64 \(Base64.encode(bytes))")
    case .json(let pattern):
      guard let json = try? JSONValue.parse(response.body) else { return differs("valid JSON") }
      return mismatch(pattern, json, at: "body")
    case .text(let pattern):
      guard let text = JSONString(validating: response.body) else { return differs("UTF-8") }
      return mismatch(pattern, .string(text), at: "body")
    case .multipart(let pattern):
      guard let type = response.header("content-type"),
        let json = WireMultipart.json(response.body, type: type)
      else { return differs("a valid multipart body") }
      return mismatch(pattern, json, at: "multipart")
    case .lines(let pattern):
      var lines: [JSONValue] = []
      for line in response.body.split(separator: UInt8(ascii: "\n")) {
        let line = line.filter { $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty else { continue }
        guard let json = try? JSONValue.parse(line) else {
          return differs("a line of JSON each")
        }
        lines.append(json)
      }
      return mismatch(pattern, .array(lines), at: "lines")
    }
  }
}

extension WireResponse {
  /// The body for readers: as text, or in base64 if it is not UTF-8.
  public var bodyText: String {
    JSONString(validating: body)?.string ?? "base64 \(Base64.encode(body))"
  }
}

extension WireRequest {
  /// The body for readers: as text, or in base64 if it is not UTF-8; nil without one.
  public var bodyText: String? {
    body.map { JSONString(validating: $0)?.string ?? "base64 \(Base64.encode($0))" }
  }
}

extension WireRequestTemplate {
  /// The request with values in place of their names.
  func request(_ values: WireValues) -> WireRequest {
    let path = values.expanded(self.path, encode: PercentEncoding.encode)
    var pairs: [String] = []
    for member in query.members {
      let value =
        switch values.expanded(member.value) {
        case .string(let text): text.string
        case let value: value.serialized()
        }
      pairs.append("\(member.name)=\(PercentEncoding.encode(value))")
    }
    var headers = fields(self.headers, values)
    let (bytes, type) = body.bytes(values)
    if let type, !headers.contains(where: { $0.name == "content-type" }) {
      headers.append(WireHeader("content-type", type))
    }
    if !headers.contains(where: { $0.name == "accept" }) {
      headers.append(WireHeader("accept", "application/json"))
    }
    return WireRequest(
      method, path, query: pairs.isEmpty ? nil : JSONString(pairs.joined(separator: "&")),
      headers: headers, body: bytes)
  }
}

/// The fields of a header with values in place of their names.
private func fields(_ headers: JSONObject, _ values: WireValues) -> [WireHeader] {
  headers.members.compactMap { member in
    values.expanded(member.value).textValue.map { WireHeader(member.name, $0) }
  }
}

extension WireRequestTemplate.Body {
  /// The bytes, and the type that the body has unless the request states another.
  fileprivate func bytes(_ values: WireValues) -> (bytes: [UInt8]?, type: JSONString?) {
    switch self {
    case .none: return (nil, nil)
    case .json(let json): return (values.expanded(json).serializedBytes(), "application/json")
    case .text(let text): return (Array(values.expanded(text).utf8), nil)
    case .bytes(let bytes): return (bytes, nil)
    case .multipart(let type, let parts):
      let bytes = WireMultipart.bytes(
        parts.map { part in
          let (content, type) = part.body.bytes(values)
          var headers = fields(part.headers, values)
          if let type, !headers.contains(where: { $0.name == "content-type" }) {
            headers.append(WireHeader("content-type", type))
          }
          return WireMultipart.Part(headers: headers, content: content ?? [])
        })
      return (
        bytes, JSONString("multipart/\(type); boundary=\"\(WireMultipart.boundary)\"")
      )
    }
  }
}
