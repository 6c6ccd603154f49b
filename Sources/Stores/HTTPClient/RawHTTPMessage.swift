#if HTTP
  /// A request that is sent as it is.
  public struct RawHTTPRequest: Sendable {
    /// The method, such as `GET`.
    public var method: String
    /// The path and the query, percent-encoded, beginning with `/`.
    public var target: String
    /// The fields of the header with names in lower case; the client adds the credentials.
    public var headers: [(name: String, value: String)]
    /// The body; nil for a request without one.
    public var body: [UInt8]?

    /// Creates a request.
    public init(
      _ method: String, _ target: String, headers: [(name: String, value: String)] = [],
      body: [UInt8]? = nil
    ) {
      (self.method, self.target, self.headers, self.body) = (method, target, headers, body)
    }
  }

  /// A response as it was received.
  public struct RawHTTPResponse: Sendable {
    /// The status code.
    public var status: Int64
    /// The fields of the header with names in lower case, in order.
    public var headers: [(name: String, value: String)]
    /// The body, possibly empty.
    public var body: [UInt8]
  }
#endif
