#if HTTP
  internal import Synchronization

  /// What the callbacks of a server share.
  final class ServerState: Sendable {
    let handler: HTTPServer.Handler
    let connections: ConnectionTable
    private let options: HTTPServer.Options
    /// The bytes of all bodies that are being read.
    private let bodyBytes = Mutex(0)

    init(_ options: HTTPServer.Options, _ handler: @escaping HTTPServer.Handler) {
      (self.options, self.handler) = (options, handler)
      connections = ConnectionTable(
        requestSeconds: options.requestSeconds, idleSeconds: options.idleSeconds)
    }

    /// The response to a body of a claimed length that is not read; nil if it is read.
    func refusal(ofLength length: Int?) -> ServerResponse? {
      guard let length, length > options.bodyBytesMax else { return nil }
      return Self.tooLarge
    }

    /// Reserves memory for bytes of a body; false if the request gets an error instead.
    func admit(_ count: Int, of request: IncomingRequest) -> Bool {
      guard request.refusal == nil else { return false }
      guard request.body.count + count <= options.bodyBytesMax else {
        request.refusal = Self.tooLarge
        request.body = []
        release(request)
        return false
      }
      let isAdmitted = bodyBytes.withLock { total in
        guard total + count <= options.bodiesBytesMax else { return false }
        total += count
        return true
      }
      if isAdmitted {
        request.reserved += count
      } else {
        request.refusal = .error(503, "service_unavailable", reason: "too many bodies at a time")
        request.body = []
        release(request)
      }
      return isAdmitted
    }

    /// Releases the memory that was reserved for the body of a request.
    func release(_ request: IncomingRequest) {
      guard request.reserved > 0 else { return }
      bodyBytes.withLock { $0 -= request.reserved }
      request.reserved = 0
    }

    private static let tooLarge = ServerResponse.error(
      413, "too_large", reason: "the request entity is too large")
  }

  /// What arrived of a request; only the thread of its connection uses it.
  final class IncomingRequest {
    let target: String
    var hasHeader = false
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// The number of bytes for which memory is reserved.
    var reserved = 0
    /// The response to a body that is discarded.
    var refusal: ServerResponse?

    init(target: String) { self.target = target }

    /// The length of the body by the header; nil if the header does not have it.
    var claimedLength: Int? { headers["content-length"].flatMap { Int($0) } }
  }

  extension ServerResponse {
    /// A response with `error` and `reason`; the connection is closed after it.
    fileprivate static func error(_ status: Int, _ name: String, reason: String) -> ServerResponse {
      var response = ServerResponse(
        status, headers: [("Content-Type", "application/json")],
        body: Array(#"{"error":"\#(name)","reason":"\#(reason)"}"#.utf8))
      response.closesConnection = true
      return response
    }
  }
#endif
