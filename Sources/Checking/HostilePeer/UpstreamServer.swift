#if HTTP
  public import HTTPClient
  public import HTTPServer
  internal import Synchronization

  /// A server that passes requests on to another one.
  public struct UpstreamServer: Sendable {
    private let address: ServerAddress

    /// Passes requests to a server, whose address has no path.
    public init(_ address: ServerAddress) { self.address = address }

    /// Headers that belong to a connection, or that the client and server libraries add.
    private static let ownHeaders: Set<String> = [
      "connection", "keep-alive", "transfer-encoding", "content-length", "host", "expect", "te",
      "upgrade", "proxy-connection", "date",
    ]

    /// The response of the other server, passed on while it arrives; 502 without a response, and nil if
    /// it ends early.
    public func response(to request: ServerRequest) -> ServerResponse? {
      let arrival = Arrival()
      let exchange = Handed(
        StreamedExchange(
          address, method: request.method, target: request.target,
          headers: request.headers.filter { !Self.ownHeaders.contains($0.key) }
            .map { ($0.key, $0.value) }, body: request.body))
      let isStarted = BackgroundThread.start {
        do throws(HTTPFailure) {
          try exchange.value.perform(arrival)
          arrival.end(.end)
        } catch {
          arrival.end(.cut)
        }
      }
      guard isStarted, let head = arrival.head() else {
        return .error(502, "bad_gateway", reason: "the other server gave no response")
      }
      let headers = head.headers.filter { !Self.ownHeaders.contains($0.name) }
      guard request.method != "HEAD", ![204, 304].contains(head.status) else {
        return ServerResponse(head.status, headers: headers)
      }
      // A body that is complete soon is passed on as a whole, so that it has a length.
      if let length = head.length, length <= Self.wholeMax {
        var bytes: [UInt8] = []
        while true {
          switch arrival.queue.next() {
          case .bytes(let piece): bytes += piece
          case .end: return ServerResponse(head.status, headers: headers, body: bytes)
          case .cut: return nil
          }
        }
      }
      let reading = Reading(arrival.queue)
      return ServerResponse(head.status, headers: headers) { reading.next() }
    }

    private static let wholeMax = 8 << 20

    /// A value that one thread hands to another one.
    private struct Handed<Value>: @unchecked Sendable {
      let value: Value

      init(_ value: Value) { self.value = value }
    }

    /// Ends the queue when the client is gone.
    private final class Reading: Sendable {
      private let queue: PieceQueue

      init(_ queue: PieceQueue) { self.queue = queue }

      deinit { queue.close() }

      func next() -> ServerResponse.Piece { queue.next() }
    }
  }

  /// The beginning of a response, for which a thread waits, and its body.
  private final class Arrival: StreamedExchange.Receiver, Sendable {
    struct Head: Sendable {
      let status: Int
      let headers: [(name: String, value: String)]

      var length: Int? {
        headers.first { $0.name == "content-length" }.flatMap { Int($0.value) }
      }
    }

    let queue = PieceQueue()
    private let heads = PieceQueue()
    private let known = Mutex<Head?>(nil)

    /// Waits for the status and the headers; nil if there is no response.
    func head() -> Head? {
      _ = heads.next()
      return known.withLock { $0 }
    }

    func begin(status: Int, headers: [(name: String, value: String)]) {
      known.withLock { $0 = Head(status: status, headers: headers) }
      _ = heads.add(.end)
    }

    func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { queue.add(.bytes(Array(bytes))) }

    func end(_ piece: ServerResponse.Piece) {
      _ = heads.add(.cut)
      _ = queue.add(piece)
    }
  }
#endif
