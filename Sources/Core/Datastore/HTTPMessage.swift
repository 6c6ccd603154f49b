public import JSON

/// A request of the CouchDB protocol, from a replicator to a server.
public struct HTTPRequest: Hashable, Sendable {
  /// The method, such as `GET`.
  public var method: JSONString
  /// The path of the request line: percent-encoded, beginning with `/`.
  public var path: JSONString
  /// The query of the request line after `?`, percent-encoded; nil if absent.
  public var query: JSONString?
  /// Header values by lower-case names; only headers whose information is not in the other members.
  public var headers: JSONObject
  /// The body as JSON; nil without one, or if it is in `bytes`.
  public var body: JSONValue?
  /// A body that is not JSON, in base64.
  public var bytes: JSONString?

  /// Creates a request.
  public init(
    _ method: JSONString, _ path: JSONString, query: JSONString? = nil, headers: JSONObject = [:],
    body: JSONValue? = nil, bytes: JSONString? = nil
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.bytes = bytes
  }

  /// The request in JSON: `method`, `path` and the members that are present.
  public var json: JSONValue {
    var object: JSONObject = ["method": .string(method), "path": .string(path)]
    object["query"] = query.map { .string($0) }
    if !headers.isEmpty { object["headers"] = .object(headers) }
    object["body"] = body
    object["bytes"] = bytes.map { .string($0) }
    return .object(object)
  }

  /// Reads a request.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    method = try reader.text("method")
    self.path = try reader.text("path")
    query = try reader.optionalText("query")
    headers = try reader.headers()
    body = reader.optional("body")
    bytes = try reader.optionalText("bytes")
    try reader.finish()
  }
}

/// A response of a server of the CouchDB protocol.
public struct HTTPResponse: Hashable, Sendable {
  /// The status code, such as 200.
  public var status: Int64
  /// Header values by lower-case names; only headers whose information is not in the other members.
  public var headers: JSONObject
  /// The body as JSON; nil without one, or if it is in `bytes`.
  public var body: JSONValue?
  /// A body that is not JSON, in base64.
  public var bytes: JSONString?

  /// Creates a response.
  public init(
    _ status: Int64, headers: JSONObject = [:], body: JSONValue? = nil, bytes: JSONString? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.bytes = bytes
  }

  /// The response in JSON: `status` and the members that are present.
  public var json: JSONValue {
    var object: JSONObject = ["status": .integer(status)]
    if !headers.isEmpty { object["headers"] = .object(headers) }
    object["body"] = body
    object["bytes"] = bytes.map { .string($0) }
    return .object(object)
  }

  /// Reads a response.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    status = try reader.integer("status")
    headers = try reader.headers()
    body = reader.optional("body")
    bytes = try reader.optionalText("bytes")
    try reader.finish()
  }
}

extension ObjectReader {
  /// Reads the headers of a message; every value is a text.
  fileprivate mutating func headers() throws(DecodingFailure) -> JSONObject {
    guard let value = optional("headers") else { return [:] }
    guard let object = value.objectValue else {
      throw DecodingFailure(path: path(to: "headers"), expected: "an object", found: value)
    }
    for member in object.members where member.value.textValue == nil {
      throw DecodingFailure(
        path: DecodingPath.member(member.name, of: path(to: "headers")), expected: "a text",
        found: member.value)
    }
    return object
  }
}
