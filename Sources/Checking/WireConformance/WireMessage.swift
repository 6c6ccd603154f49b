public import JSON

/// A field of the header of a message.
public struct WireHeader: Hashable, Sendable {
  /// The name in lower case.
  public let name: JSONString
  /// The value, without white space around it.
  public var value: JSONString

  /// Creates a field; the name is converted to lower case.
  public init(_ name: JSONString, _ value: JSONString) {
    self.name = JSONString(String(decoding: name.utf8.map(\.lowercased), as: UTF8.self))
    self.value = value
  }
}

/// A request as it is sent, without the credentials, which the transport adds.
public struct WireRequest: Hashable, Sendable {
  /// The method, such as `GET`.
  public var method: JSONString
  /// The path of the request line, percent-encoded, beginning with `/`.
  public var path: JSONString
  /// The query of the request line after `?`, percent-encoded; nil if absent.
  public var query: JSONString?
  /// The fields of the header, in order.
  public var headers: [WireHeader]
  /// The body; nil for a request without one.
  public var body: [UInt8]?

  /// Creates a request.
  public init(
    _ method: JSONString, _ path: JSONString, query: JSONString? = nil,
    headers: [WireHeader] = [], body: [UInt8]? = nil
  ) {
    (self.method, self.path, self.query) = (method, path, query)
    (self.headers, self.body) = (headers, body)
  }

  /// The path and the query of the request line.
  public var target: String { query.map { "\(path)?\($0)" } ?? path.string }

  /// The value of a header field; nil if absent.
  ///
  /// - Parameter name: in lower case.
  public func header(_ name: JSONString) -> JSONString? {
    headers.first { $0.name == name }?.value
  }
}

/// A response as it was received.
public struct WireResponse: Hashable, Sendable {
  /// The status code.
  public var status: Int64
  /// The fields of the header, in order.
  public var headers: [WireHeader]
  /// The body, possibly empty.
  public var body: [UInt8]

  /// Creates a response.
  public init(_ status: Int64, headers: [WireHeader] = [], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// The value of a header field, of several the first; nil if absent.
  ///
  /// - Parameter name: in lower case.
  public func header(_ name: JSONString) -> JSONString? {
    headers.first { $0.name == name }?.value
  }
}

/// The reason that a request has no response.
public enum WireFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// No connection to the server: no vector can be tested.
  case notConnected(String)
  /// The server did not answer, or not with a valid response of HTTP.
  case noResponse(String)

  public var description: String {
    switch self {
    case .notConnected(let reason): reason
    case .noResponse(let reason): reason
    }
  }
}

/// A way to send requests to a server, or to the code of a server in this process.
public protocol WireTransport: AnyObject {
  /// Sends a request, and returns the complete response, whatever its status.
  func send(_ request: WireRequest) throws(WireFailure) -> WireResponse
}

extension UInt8 {
  /// The lower-case letter of an upper-case letter of ASCII; any other byte itself.
  var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
