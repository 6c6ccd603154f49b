#if HTTP
  internal import Synchronization

  /// A request to an `HTTPServer`, which waits for its answer.
  public struct ServerRequest: Sendable {
    /// The method, such as `GET`.
    public let method: String
    /// The path and the query as they were sent.
    public let target: String
    /// The values by lower-case names.
    public let headers: [String: String]
    /// The body; empty for none.
    public let body: [UInt8]
    let answer: Answer

    /// Sends the response; only the first one counts.
    public func respond(_ response: ServerResponse) { answer.give(response) }

    /// Closes the connection without a response.
    public func cut() { answer.give(nil) }
  }

  /// A response of an `HTTPServer`.
  public struct ServerResponse: Sendable {
    /// The status code, such as 200.
    public var status: Int
    /// The headers, beside those that the server adds.
    public var headers: [(name: String, value: String)]
    /// The body; empty for none.
    public var body: [UInt8]

    /// Creates a response.
    public init(_ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
      (self.status, self.headers, self.body) = (status, headers, body)
    }
  }

  /// The response to one request, for which a thread waits.
  final class Answer: Sendable {
    private let response = Mutex<ServerResponse?>(nil)
    private let isGiven = Mutex(false)
    private let arrival = Signal()

    func give(_ response: ServerResponse?) {
      let isFirst = isGiven.withLock { isGiven in
        defer { isGiven = true }
        return !isGiven
      }
      guard isFirst else { return }
      self.response.withLock { $0 = response }
      arrival.signal()
    }

    /// Waits for the response; nil cuts the connection.
    func wait() -> ServerResponse? {
      arrival.wait()
      return response.withLock { $0 }
    }
  }
#endif
