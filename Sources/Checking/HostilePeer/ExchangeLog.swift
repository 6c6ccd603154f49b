#if HTTP
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Glibc
  #endif
  internal import HTTPServer
  internal import JSON
  internal import Synchronization

  /// The exchanges of a server: the latest ones for a page, all of them for a recording, and what each
  /// client was told about its writes.
  public final class ExchangeLog: Sendable {
    private struct State {
      var count = 0
      var recent: [Exchange] = []
      var faults: [WireFault: Int] = [:]
      var acknowledged = AcknowledgedWrites()
      var version = 0
      var isClosed = false
    }

    private let state = Mutex(State())
    private let start = ExchangeLog.nowMilliseconds
    private let record: (@Sendable (String) -> Void)?
    /// Whether what clients were told is kept for a verdict.
    let tracksWrites: Bool
    /// The number of exchanges that a page shows.
    private static let recentMax = 400

    /// - Parameters:
    ///   - tracksWrites: whether what clients are told about their writes is kept for a verdict.
    ///   - record: receives each exchange as a line of JSON; nil for no recording.
    public init(tracksWrites: Bool = true, record: (@Sendable (String) -> Void)? = nil) {
      (self.tracksWrites, self.record) = (tracksWrites, record)
    }

    private static var nowMilliseconds: Int {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
    }

    /// Forgets everything before.
    func begin() { state.withLock { $0 = State(version: $0.version + 1) } }

    /// The number of requests so far.
    public var count: Int { state.withLock { $0.count } }

    /// The faults so far, by their names.
    public var faults: [WireFault: Int] { state.withLock { $0.faults } }

    var acknowledged: AcknowledgedWrites { state.withLock { $0.acknowledged } }

    /// The latest exchanges.
    var recent: [Exchange] { state.withLock { $0.recent } }

    /// Ends the pages that wait for exchanges.
    public func close() { state.withLock { $0.isClosed = true } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Changes with each exchange.
    var version: Int { state.withLock { $0.version } }

    func start(_ request: ServerRequest, client: String) -> Exchange {
      let now = Self.nowMilliseconds - start
      return state.withLock { state in
        state.count += 1
        return Exchange(
          number: state.count, client: client, request: request, startMilliseconds: now,
          endMilliseconds: now)
      }
    }

    /// Records the response; a streamed one when its stream has ended.
    func finish(
      _ exchange: Exchange, _ response: ServerResponse?, fault: WireFault?
    ) -> ServerResponse? {
      var exchange = exchange
      exchange.fault = fault
      guard var response else {
        add(exchange)
        return nil
      }
      exchange.response = response
      guard case .stream(let length, let next) = response.body else {
        add(exchange)
        return response
      }
      let passing = PassingBody(exchange, response)
      response.body = .stream(length: length) { [self] in
        let piece = next()
        if let ended = passing.pass(piece) { add(ended) }
        return piece
      }
      return response
    }

    private func add(_ exchange: Exchange) {
      var exchange = exchange
      exchange.endMilliseconds = Self.nowMilliseconds - start
      let done = exchange
      state.withLock { state in
        state.version += 1
        state.recent.append(done)
        if state.recent.count > Self.recentMax { state.recent.removeFirst(Self.recentMax / 4) }
        if let fault = done.fault { state.faults[fault, default: 0] += 1 }
        if tracksWrites { state.acknowledged.add(done) }
      }
      record?(done.json.serialized())
    }
  }

  /// A streamed body on its way to the client.
  private final class PassingBody: Sendable {
    private struct State {
      var exchange: Exchange
      var bytes: [UInt8] = []
      var isEnded = false
    }

    private let state: Mutex<State>
    private let response: ServerResponse
    /// The size of a recorded body.
    private static let bytesMax = 16 << 20

    init(_ exchange: Exchange, _ response: ServerResponse) {
      state = Mutex(State(exchange: exchange))
      self.response = response
    }

    /// Returns the exchange when the body has ended.
    func pass(_ piece: ServerResponse.Piece) -> Exchange? {
      state.withLock { state in
        switch piece {
        case .bytes(let bytes):
          if state.bytes.count < Self.bytesMax { state.bytes += bytes }
          return nil
        case .end, .cut:
          guard !state.isEnded else { return nil }
          state.isEnded = true
          var exchange = state.exchange
          if case .cut = piece {
            exchange.response = nil
          } else {
            exchange.response = ServerResponse(
              response.status, headers: response.headers, body: state.bytes)
          }
          return exchange
        }
      }
    }
  }
#endif
