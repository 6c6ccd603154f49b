public import JSON

/// A request of the CouchDB protocol, as a replicator makes it and a server reads it.
public struct HTTPRequest: Hashable, Sendable {
  public var method: Text
  /// The path as it stands in the request line: percent-encoded, beginning with `/`.
  public var path: Text
  /// What stands behind `?` in the request line, percent-encoded; nil when there is nothing.
  public var query: Text?
  public var body: JSONValue?

  public init(_ method: Text, _ path: Text, query: Text? = nil, body: JSONValue? = nil) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
  }

  /// The request as it stands in JSON: `method`, `path` and what else there is.
  public var json: JSONValue {
    var object: JSONObject = ["method": .string(method), "path": .string(path)]
    object["query"] = query.map { .string($0) }
    object["body"] = body
    return .object(object)
  }

  /// Reads a request.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    method = try reader.text("method")
    self.path = try reader.text("path")
    query = try reader.optionalText("query")
    body = reader.optional("body")
    try reader.finish()
  }
}

/// What a server of the CouchDB protocol answers.
public struct HTTPResponse: Hashable, Sendable {
  public var status: Int64
  public var body: JSONValue?

  public init(_ status: Int64, body: JSONValue? = nil) {
    self.status = status
    self.body = body
  }

  /// The response as it stands in JSON: `status`, and `body` when there is one.
  public var json: JSONValue {
    var object: JSONObject = ["status": .integer(status)]
    object["body"] = body
    return .object(object)
  }

  /// Reads a response.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    status = try reader.integer("status")
    body = reader.optional("body")
    try reader.finish()
  }
}
