public import JSON

/// A request of the CouchDB protocol, as a replicator makes it and a server reads it.
public struct HTTPRequest: Hashable, Sendable {
  public var method: JSONString
  /// The path as it stands in the request line: percent-encoded, beginning with `/`.
  public var path: JSONString
  /// What stands behind `?` in the request line, percent-encoded; nil when there is nothing.
  public var query: JSONString?
  /// Texts by their names in lower case; only those that say what the rest does not.
  public var headers: JSONObject
  public var body: JSONValue?
  /// A body that is no JSON, in base64.
  public var bytes: JSONString?

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

  /// The request as it stands in JSON: `method`, `path` and what else there is.
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

/// What a server of the CouchDB protocol answers.
public struct HTTPResponse: Hashable, Sendable {
  public var status: Int64
  /// Texts by their names in lower case; only those that say what the rest does not.
  public var headers: JSONObject
  public var body: JSONValue?
  /// A body that is no JSON, in base64.
  public var bytes: JSONString?

  public init(
    _ status: Int64, headers: JSONObject = [:], body: JSONValue? = nil, bytes: JSONString? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.bytes = bytes
  }

  /// The response as it stands in JSON: `status` and what else there is.
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
  /// The headers of a message; every one is a text.
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
