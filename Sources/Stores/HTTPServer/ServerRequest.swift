#if HTTP
  /// A request to an `HTTPServer`, with its whole body.
  public struct ServerRequest: Sendable {
    /// The method, such as `GET`.
    public let method: String
    /// The path and the query as they were sent.
    public let target: String
    /// The values by lower-case names. Of a header that occurs twice, the last value counts.
    public let headers: [String: String]
    /// The body; empty for none.
    public let body: [UInt8]
    /// The number of the connection, from 1 in the order in which connections were opened.
    public let connection: Int64

    /// Creates a request.
    public init(
      method: String, target: String, headers: [String: String], body: [UInt8], connection: Int64
    ) {
      (self.method, self.target, self.headers) = (method, target, headers)
      (self.body, self.connection) = (body, connection)
    }

    /// The same request for another target.
    public func with(target: String) -> ServerRequest {
      ServerRequest(
        method: method, target: target, headers: headers, body: body, connection: connection)
    }
  }

  /// A response of an `HTTPServer`.
  public struct ServerResponse: Sendable {
    /// The status code, such as 200.
    public var status: Int
    /// The headers, beside those that the server adds.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: Body

    /// The body of a response.
    public enum Body: Sendable {
      /// All bytes; empty for no body.
      case bytes([UInt8])
      /// Bytes that are produced one piece after the other, on the thread of the connection, with the
      /// length that the header claims; nil for chunks without a length.
      ///
      /// The closure may wait. It is called until it returns `end` or `cut`, or the client is gone.
      case stream(length: Int?, next: @Sendable () -> Piece)
    }

    /// The next part of a streamed body.
    public enum Piece: Sendable {
      /// Some bytes; not empty.
      case bytes([UInt8])
      /// The body is complete.
      case end
      /// The connection is cut before the body is complete.
      case cut
    }

    /// Whether the connection is closed after the response.
    public var closesConnection = false

    /// Creates a response.
    public init(_ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
      (self.status, self.headers, self.body) = (status, headers, .bytes(body))
    }

    /// Creates a response with a streamed body.
    public init(
      _ status: Int, headers: [(name: String, value: String)], length: Int? = nil,
      next: @escaping @Sendable () -> Piece
    ) {
      (self.status, self.headers) = (status, headers)
      body = .stream(length: length, next: next)
    }
  }
#endif
