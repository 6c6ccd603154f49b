public import JSON

/// One request and its response, as recorded between a replicator and a server.
public struct Exchange: Sendable {
  /// The body of a request or a response.
  public enum Content: Sendable {
    case empty
    case json(JSONValue)
    /// Bytes that are not one JSON object or array.
    case bytes([UInt8])
    /// There was a body, and the transcript does not have it.
    case unrecorded
  }

  /// A request, as the client sent it.
  public struct Request: Sendable {
    /// The method, in capitals.
    public var method: JSONString
    /// The server; empty if the transcript has one server.
    public var server: JSONString
    /// The path and the query.
    public var target: JSONString
    /// The headers, by their names in lower case.
    public var headers: [JSONString: JSONString]
    /// The body.
    public var body: Content
  }

  /// A response, as the client received it.
  public struct Response: Sendable {
    /// The HTTP status.
    public var status: Int64
    /// The headers, by their names in lower case.
    public var headers: [JSONString: JSONString]
    /// The body.
    public var body: Content
  }

  /// The number of the exchange in the transcript, which findings show.
  public var number: Int
  /// The time of the request in microseconds; nil if unknown.
  public var start: Int64?
  /// The time of the response in microseconds; nil if unknown.
  public var end: Int64?
  /// The name of the client.
  public var client: JSONString
  /// The request.
  public var request: Request
  /// The response; nil if none arrived at the client.
  public var response: Response?
}

extension Exchange.Content {
  /// Returns the content of bytes: JSON if all of them are one JSON object or array.
  static func of(_ bytes: [UInt8]) -> Exchange.Content {
    let first = bytes.first { !JSONWhiteSpace.contains($0) }
    guard let first else { return .empty }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let value = try? JSONValue.parse(bytes)
    else { return .bytes(bytes) }
    return .json(value)
  }

  /// The JSON of the body; nil for other bodies.
  var json: JSONValue? { if case .json(let value) = self { value } else { nil } }

  /// The bytes of a body that is not JSON.
  var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

  /// The reason why the body is not JSON; nil if it is, or if it exceeds what is read here.
  var flaw: String? {
    switch self {
    case .json, .unrecorded: return nil
    case .empty: return "the body is empty"
    case .bytes(let bytes):
      do throws(JSONError) {
        _ = try JSONValue.parse(bytes)
        return nil
      } catch {
        switch error.kind {
        case .numberOutOfRange, .tooDeep, .tooLarge, .duplicateName: return nil
        default: return "\(error)"
        }
      }
    }
  }
}

extension Exchange.Content {
  /// Whether there was a body that cannot be read here, so that nothing is known about it.
  var isUnreadable: Bool {
    switch self {
    case .unrecorded: true
    case .bytes: flaw == nil
    case .empty, .json: false
    }
  }
}

enum JSONWhiteSpace {
  static func contains(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
