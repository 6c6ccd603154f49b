#if HTTP
  internal import CMicroHTTPD
  internal import Synchronization

  /// A server that gives each request to a closure, on a thread of its own for each connection.
  ///
  /// It reads the whole body of a request before the closure is called. Requests that are too large
  /// or too slow never reach the closure.
  public final class HTTPServer: Sendable {
    /// The port on which the server listens.
    public let port: UInt16
    private let daemon: Daemon
    private let state: ServerState

    /// Produces the response to a request; nil cuts the connection without one.
    public typealias Handler = @Sendable (ServerRequest) -> ServerResponse?

    /// Where a server listens, and what it accepts.
    public struct Options: Sendable {
      /// A number of IPv4 or IPv6; by default the loopback interface.
      public var host = "127.0.0.1"
      /// The port; 0 lets the system choose.
      public var port: UInt16 = 0
      /// The time after which a connection without traffic is closed.
      public var idleSeconds: UInt32 = 120
      /// The time for the header of a request; a body may take longer, at 16 KiB a second.
      public var requestSeconds: UInt32 = 60
      /// The number of connections at a time; further ones are closed.
      public var connectionsMax: UInt32 = 1024
      /// The size of a header with its request line; a larger one gets 431 or 414.
      public var headerBytesMax = 256 << 10
      /// The size of a body; a larger one gets 413.
      public var bodyBytesMax = 256 << 20
      /// The size of all bodies that are being read at a time; beyond it, a request gets 503.
      public var bodiesBytesMax = 1 << 30

      /// The default options.
      public init() {}
    }

    /// Starts a server.
    ///
    /// - Throws: if the system has no such port, or no thread for it.
    public init(_ options: Options = Options(), handler: @escaping Handler)
      throws(HTTPServerFailure)
    {
      state = ServerState(options, handler)
      var callbacks = touchstone_httpd_callbacks()
      callbacks.handle = Self.handle
      callbacks.begin = Self.begin
      callbacks.completed = Self.completed
      callbacks.connection = Self.connection
      callbacks.context = Unmanaged.passUnretained(state).toOpaque()
      let started = options.host.withCString { host in
        touchstone_httpd_start(
          touchstone_httpd_options(
            host: host, port: options.port, idle_seconds: options.idleSeconds,
            connections_max: options.connectionsMax, header_bytes_max: options.headerBytesMax),
          callbacks)
      }
      guard let started else { throw HTTPServerFailure(host: options.host, port: options.port) }
      daemon = Daemon(started)
      port = touchstone_httpd_port(started)
      state.connections.watch()
    }

    deinit { stop() }

    /// Cuts all connections, and ends the server.
    public func stop() {
      state.connections.close()
      daemon.stop()
    }

    /// Accepts no more connections and requests, and waits until all requests have their responses.
    ///
    /// - Returns: false if some request had none in time; its connection is cut.
    @discardableResult
    public func stopGracefully(withinMilliseconds limit: Int) -> Bool {
      daemon.quiesce()
      let isIdle = state.connections.drain(withinMilliseconds: limit)
      stop()
      return isIdle
    }

    // MARK: Callbacks, on the thread of a connection

    private static func state(_ context: UnsafeMutableRawPointer?) -> ServerState? {
      context.map { Unmanaged<ServerState>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let connection: MHD_NotifyConnectionCallback = { context, connection, _, code in
      guard let connection, let state = HTTPServer.state(context) else { return }
      if touchstone_httpd_is_start(code) != 0 {
        state.connections.add(connection, socket: touchstone_httpd_socket(connection))
      } else {
        state.connections.remove(connection)
      }
    }

    /// Remembers the target of a request as it was sent.
    private static let begin:
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
      ) -> UnsafeMutableRawPointer? = { _, target, _ in
        let request = IncomingRequest(target: target.map { String(cString: $0) } ?? "/")
        return Unmanaged.passRetained(request).toOpaque()
      }

    private static let completed: MHD_RequestCompletedCallback = { context, connection, place, _ in
      guard let known = place?.pointee else { return }
      place?.pointee = nil
      let incoming = Unmanaged<IncomingRequest>.fromOpaque(known).takeRetainedValue()
      guard let state = HTTPServer.state(context), let connection else { return }
      state.release(incoming)
      state.connections.completed(connection)
    }

    private static let handle: MHD_AccessHandlerCallback = {
      context, connection, _, method, _, bytes, count, place in
      guard let state = HTTPServer.state(context), let connection, let count,
        let known = place?.pointee
      else { return touchstone_httpd_no }
      let incoming = Unmanaged<IncomingRequest>.fromOpaque(known).takeUnretainedValue()
      guard incoming.hasHeader else {
        incoming.hasHeader = true
        touchstone_httpd_each_header(
          connection, HTTPServer.takeHeader, Unmanaged.passUnretained(incoming).toOpaque())
        // A body that claims to be too large is not read at all.
        guard let refusal = state.refusal(ofLength: incoming.claimedLength) else {
          return touchstone_httpd_yes
        }
        return HTTPServer.send(refusal, on: connection)
      }
      if count.pointee > 0, let bytes {
        if state.admit(count.pointee, of: incoming) {
          bytes.withMemoryRebound(to: UInt8.self, capacity: count.pointee) {
            incoming.body += UnsafeBufferPointer(start: $0, count: count.pointee)
          }
        }
        state.connections.progressed(connection, byteCount: count.pointee)
        count.pointee = 0
        return touchstone_httpd_yes
      }
      if let refusal = incoming.refusal { return HTTPServer.send(refusal, on: connection) }
      guard let number = state.connections.received(connection) else { return touchstone_httpd_no }
      let request = ServerRequest(
        method: method.map { String(cString: $0) } ?? "", target: incoming.target,
        headers: incoming.headers, body: incoming.body, connection: number)
      state.release(incoming)
      guard let response = state.handler(request) else { return touchstone_httpd_no }
      return HTTPServer.send(response, on: connection)
    }

    private static let takeHeader: MHD_KeyValueIterator = { context, _, name, value in
      guard let context, let name, let value else { return touchstone_httpd_yes }
      let incoming = Unmanaged<IncomingRequest>.fromOpaque(context).takeUnretainedValue()
      incoming.headers[String(cString: name).lowercased()] = String(cString: value)
      return touchstone_httpd_yes
    }

    private static func send(_ answer: ServerResponse, on connection: OpaquePointer) -> MHD_Result {
      let response: OpaquePointer?
      switch answer.body {
      case .bytes(let bytes):
        response = bytes.withUnsafeBytes { touchstone_httpd_response($0.baseAddress, $0.count) }
      case .stream(let length, let next):
        let stream = Unmanaged.passRetained(OutgoingStream(next))
        response = touchstone_httpd_stream(
          length.map { UInt64($0) } ?? .max, HTTPServer.produce, stream.toOpaque(),
          HTTPServer.endStream)
        if response == nil { stream.release() }
      }
      guard let response else { return touchstone_httpd_no }
      defer { MHD_destroy_response(response) }
      for (name, value) in answer.headers { MHD_add_response_header(response, name, value) }
      if answer.closesConnection { touchstone_httpd_close_after(response) }
      return MHD_queue_response(connection, UInt32(answer.status), response)
    }

    private static let produce: MHD_ContentReaderCallback = { context, _, bytes, count in
      guard let context, let bytes else { return touchstone_httpd_cut }
      let stream = Unmanaged<OutgoingStream>.fromOpaque(context).takeUnretainedValue()
      return bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
        stream.fill(UnsafeMutableBufferPointer(start: $0, count: count))
      }
    }

    private static let endStream: MHD_ContentReaderFreeCallback = { context in
      if let context { Unmanaged<OutgoingStream>.fromOpaque(context).release() }
    }
  }

  /// The system has no port or no thread for a server.
  public struct HTTPServerFailure: Error, CustomStringConvertible {
    let host: String
    let port: UInt16

    public var description: String {
      "cannot listen on \(host) port \(port): the port is in use, or the system has no thread for it"
    }
  }

  /// A streamed body: the bytes that its closure returned and that were not sent yet.
  private final class OutgoingStream {
    private let next: @Sendable () -> ServerResponse.Piece
    private var rest: ArraySlice<UInt8> = []

    init(_ next: @escaping @Sendable () -> ServerResponse.Piece) { self.next = next }

    /// Returns the number of bytes in the buffer, or the end.
    func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
      if rest.isEmpty {
        switch next() {
        case .bytes(let bytes): rest = bytes[...]
        case .end: return touchstone_httpd_end
        case .cut: return touchstone_httpd_cut
        }
      }
      let count = min(rest.count, buffer.count)
      _ = buffer.update(fromContentsOf: rest.prefix(count))
      rest = rest.dropFirst(count)
      return count
    }
  }

  /// A daemon of libmicrohttpd, stopped once.
  private final class Daemon: Sendable {
    private let pointer: Mutex<UInt?>

    init(_ daemon: OpaquePointer) { pointer = Mutex(UInt(bitPattern: daemon)) }

    /// Closes the listening socket; open connections continue.
    func quiesce() {
      pointer.withLock { bits in
        guard let bits, let daemon = OpaquePointer(bitPattern: bits) else { return }
        let socket = MHD_quiesce_daemon(daemon)
        if socket >= 0 { closeSocket(socket) }
      }
    }

    func stop() {
      let bits = pointer.withLock { pointer in
        defer { pointer = nil }
        return pointer
      }
      if let bits { MHD_stop_daemon(OpaquePointer(bitPattern: bits)) }
    }
  }
#endif
