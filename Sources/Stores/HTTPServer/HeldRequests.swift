#if HTTP
  internal import Synchronization

  /// A server on the loopback interface whose requests wait until someone answers them.
  ///
  /// A request is taken by `next`, and is answered, or its connection is cut, later and in any order.
  public final class HeldRequests: Sendable {
    private let server: HTTPServer
    private let queue: RequestQueue

    /// The port, which the system chose.
    public var port: UInt16 { server.port }

    /// Starts a server that closes connections without a request after a time.
    ///
    /// - Throws: if the system has no port or no thread for it.
    public init(idleLimitSeconds: UInt32 = 120) throws(HTTPServerFailure) {
      var options = HTTPServer.Options()
      options.idleSeconds = idleLimitSeconds
      let queue = RequestQueue()
      self.queue = queue
      server = try HTTPServer(options) { request in queue.response(to: request) }
    }

    deinit { stop() }

    /// Cuts all connections, and ends the server.
    public func stop() {
      queue.close()
      server.stop()
    }

    /// Takes the next request that was not taken yet; nil if none comes in time.
    public func next(withinMilliseconds limit: Int) -> HeldRequest? {
      queue.next(withinMilliseconds: limit)
    }
  }

  /// A request that waits for its response.
  public struct HeldRequest: Sendable {
    private let request: ServerRequest
    private let answer: Answer

    fileprivate init(_ request: ServerRequest, _ answer: Answer) {
      (self.request, self.answer) = (request, answer)
    }

    /// The method, such as `GET`.
    public var method: String { request.method }
    /// The path and the query as they were sent.
    public var target: String { request.target }
    /// The values by lower-case names.
    public var headers: [String: String] { request.headers }
    /// The body; empty for none.
    public var body: [UInt8] { request.body }

    /// Sends the response; only the first one counts.
    public func respond(_ response: ServerResponse) { answer.give(response) }

    /// Closes the connection without a response.
    public func cut() { answer.give(nil) }
  }

  /// The requests that were not taken yet.
  private final class RequestQueue: Sendable {
    private struct State {
      var waiting: [HeldRequest] = []
      var open: [Int64: Answer] = [:]
      var count: Int64 = 0
      var isClosed = false
    }

    private let state = Mutex(State())
    private let arrivals = Signal()

    /// Waits for the response of someone else; nil cuts the connection.
    func response(to request: ServerRequest) -> ServerResponse? {
      let answer = Answer()
      let number = state.withLock { state -> Int64? in
        guard !state.isClosed else { return nil }
        state.count += 1
        state.open[state.count] = answer
        state.waiting.append(HeldRequest(request, answer))
        return state.count
      }
      guard let number else { return nil }
      arrivals.signal()
      defer { state.withLock { state in _ = state.open.removeValue(forKey: number) } }
      return answer.wait()
    }

    func next(withinMilliseconds limit: Int) -> HeldRequest? {
      guard arrivals.wait(withinMilliseconds: limit) else { return nil }
      return state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }

    func close() {
      let open = state.withLock { state in
        state.isClosed = true
        return state.open.values
      }
      for answer in open { answer.give(nil) }
    }
  }

  /// The response to one request, for which a thread waits.
  private final class Answer: Sendable {
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
