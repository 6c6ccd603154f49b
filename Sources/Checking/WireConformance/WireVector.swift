public import JSON

/// A sequence of requests with the responses that a server must give.
public struct WireVector: Hashable, Sendable {
  /// The id, which begins with `wire-`.
  public let id: JSONString
  /// The ids of the clauses that it tests; at least one.
  public let clauses: [JSONString]
  /// A remark for readers; nil for a vector without one.
  public let note: JSONString?
  /// The number of databases that exist before the first step: `{db}` and `{other}`.
  public let databaseCount: Int
  /// The steps, in order.
  public let steps: [WireStep]
}

/// A request of a vector, and its response.
public struct WireStep: Hashable, Sendable {
  /// The request, with names of values.
  public let request: WireRequestTemplate
  /// The response that the server must give.
  public let response: WireExpectation
  /// The most times that the request is sent until the response matches.
  let attempts: Int
}

/// A request with the names of values, such as `{db}`.
public struct WireRequestTemplate: Hashable, Sendable {
  let method: JSONString
  let path: JSONString
  /// The parameters of the query, in order; a value that is no text is sent as JSON.
  let query: JSONObject
  let headers: JSONObject
  let body: Body

  /// The body of a request.
  enum Body: Hashable, Sendable {
    case none
    case json(JSONValue)
    case text(JSONString)
    case bytes([UInt8])
    case multipart(JSONString, [Part])
  }

  /// A part of a body of several parts.
  struct Part: Hashable, Sendable {
    let headers: JSONObject
    let body: Body
  }
}

/// The response that a server must give.
public struct WireExpectation: Hashable, Sendable {
  /// The status codes, one of which it must have.
  let statuses: [Int64]
  /// Patterns of header fields by lower-case names; an absent field has no value.
  let headers: [WirePattern.Member]
  let body: Body

  /// The body of a response.
  enum Body: Hashable, Sendable {
    case unchecked
    case empty
    case json(WirePattern)
    case text(WirePattern)
    case bytes([UInt8])
    /// The parts as JSON.
    case multipart(WirePattern)
    /// The lines as an array of JSON values, without empty lines.
    case lines(WirePattern)
  }

  /// The patterns of the response.
  var patterns: [WirePattern] {
    headers.map(\.pattern) + (bodyPattern.map { [$0] } ?? [])
  }

  private var bodyPattern: WirePattern? {
    switch body {
    case .unchecked, .empty, .bytes: nil
    case .json(let pattern), .text(let pattern), .multipart(let pattern), .lines(let pattern):
      pattern
    }
  }
}
