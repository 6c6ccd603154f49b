#if HTTP
  internal import CMicroHTTPD
  internal import Synchronization

  /// A server on the loopback interface, whose requests wait until someone answers them.
  ///
  /// Each connection has a thread of its own. A request is taken by `next`, and is answered, or its
  /// connection is cut, later and in any order.
  public final class HTTPServer: Sendable {
    /// The port, which the system chose.
    public let port: UInt16
    private let daemon: Daemon
    private let requests = RequestQueue()

    /// Starts a server that closes connections without a request after a time.
    ///
    /// - Throws: if the system has no port or no thread for it.
    public init(idleLimitSeconds: UInt32 = 120) throws(HTTPServerFailure) {
      let context = Unmanaged.passUnretained(requests).toOpaque()
      guard
        let daemon = touchstone_httpd_start(
          Self.handle, Self.begin, Self.end, context, idleLimitSeconds)
      else { throw HTTPServerFailure() }
      self.daemon = Daemon(daemon)
      port = touchstone_httpd_port(daemon)
    }

    deinit { stop() }

    /// Cuts all connections, and ends the server.
    public func stop() {
      requests.close()
      daemon.stop()
    }

    /// Takes the next request that was not taken yet; nil if none comes in time.
    public func next(withinMilliseconds limit: Int) -> ServerRequest? {
      requests.next(withinMilliseconds: limit)
    }

    // MARK: Callbacks, on the thread of a connection

    /// Remembers the target of a request as it was sent.
    private static let begin:
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
      ) -> UnsafeMutableRawPointer? = { _, target, _ in
        let request = IncomingRequest(target: target.map { String(cString: $0) } ?? "/")
        return Unmanaged.passRetained(request).toOpaque()
      }

    private static let end: MHD_RequestCompletedCallback = { _, _, place, _ in
      guard let request = place?.pointee else { return }
      Unmanaged<IncomingRequest>.fromOpaque(request).release()
      place?.pointee = nil
    }

    private static let handle: MHD_AccessHandlerCallback = {
      context, connection, _, method, _, bytes, count, place in
      guard let context, let connection, let count, let known = place?.pointee else {
        return touchstone_httpd_no
      }
      let incoming = Unmanaged<IncomingRequest>.fromOpaque(known).takeUnretainedValue()
      guard incoming.hasHeader else {
        incoming.hasHeader = true
        return touchstone_httpd_yes
      }
      if count.pointee > 0, let bytes {
        bytes.withMemoryRebound(to: UInt8.self, capacity: count.pointee) {
          incoming.body += UnsafeBufferPointer(start: $0, count: count.pointee)
        }
        count.pointee = 0
        return touchstone_httpd_yes
      }
      touchstone_httpd_each_header(
        connection, HTTPServer.takeHeader, Unmanaged.passUnretained(incoming).toOpaque())
      let queue = Unmanaged<RequestQueue>.fromOpaque(context).takeUnretainedValue()
      let answer = Answer()
      let name = method.map { String(cString: $0) } ?? ""
      guard let number = queue.add(incoming, method: name, answer) else {
        return touchstone_httpd_no
      }
      defer { queue.forget(number) }
      guard let response = answer.wait() else { return touchstone_httpd_no }
      return HTTPServer.send(response, on: connection)
    }

    private static let takeHeader: MHD_KeyValueIterator = { context, _, name, value in
      guard let context, let name, let value else { return touchstone_httpd_yes }
      let incoming = Unmanaged<IncomingRequest>.fromOpaque(context).takeUnretainedValue()
      incoming.headers[String(cString: name).lowercased()] = String(cString: value)
      return touchstone_httpd_yes
    }

    private static func send(_ answer: ServerResponse, on connection: OpaquePointer) -> MHD_Result {
      let response = answer.body.withUnsafeBytes {
        touchstone_httpd_response($0.baseAddress, $0.count)
      }
      guard let response else { return touchstone_httpd_no }
      defer { MHD_destroy_response(response) }
      for (name, value) in answer.headers { MHD_add_response_header(response, name, value) }
      return MHD_queue_response(connection, UInt32(answer.status), response)
    }
  }

  /// The system has no port or no thread for a server.
  public struct HTTPServerFailure: Error, CustomStringConvertible {
    public var description: String { "the system has no port or no thread for a server" }
  }

  /// What arrived of a request; only the thread of its connection uses it.
  private final class IncomingRequest {
    let target: String
    var hasHeader = false
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    init(target: String) { self.target = target }
  }

  /// The requests that were not taken yet.
  private final class RequestQueue: Sendable {
    private struct State {
      var waiting: [ServerRequest] = []
      var open: [Int64: Answer] = [:]
      var count: Int64 = 0
      var isClosed = false
    }

    private let state = Mutex(State())
    private let arrivals = Signal()

    /// Returns a number for the request; nil if the server has stopped.
    func add(_ request: IncomingRequest, method: String, _ answer: Answer) -> Int64? {
      let (target, headers, body) = (request.target, request.headers, request.body)
      let number = state.withLock { state -> Int64? in
        guard !state.isClosed else { return nil }
        state.count += 1
        state.open[state.count] = answer
        state.waiting.append(
          ServerRequest(
            method: method, target: target, headers: headers, body: body, answer: answer))
        return state.count
      }
      if number != nil { arrivals.signal() }
      return number
    }

    func forget(_ number: Int64) {
      state.withLock { state in _ = state.open.removeValue(forKey: number) }
    }

    func next(withinMilliseconds limit: Int) -> ServerRequest? {
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

  /// A daemon of libmicrohttpd, stopped once.
  private final class Daemon: Sendable {
    private let pointer: Mutex<UInt?>

    init(_ daemon: OpaquePointer) { pointer = Mutex(UInt(bitPattern: daemon)) }

    func stop() {
      let bits = pointer.withLock { pointer in
        defer { pointer = nil }
        return pointer
      }
      if let bits { MHD_stop_daemon(OpaquePointer(bitPattern: bits)) }
    }
  }
#endif
