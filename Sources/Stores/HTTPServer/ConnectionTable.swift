#if HTTP
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Glibc
  #endif
  internal import Synchronization

  /// The open connections of a server, with the time until which each must have sent its request.
  ///
  /// libmicrohttpd closes a connection without traffic. A client that sends one byte each second has
  /// traffic, and would keep its thread for ever: a thread of this table shuts its socket down.
  final class ConnectionTable: Sendable {
    private struct Connection {
      let number: Int64
      let socket: Int32
      /// Seconds of the monotonic clock; nil while the server owes a response.
      var deadline: Int?
      /// The bytes of the body so far.
      var bodyBytes = 0
    }

    private struct State {
      /// By the address of the connection.
      var connections: [UInt: Connection] = [:]
      var count: Int64 = 0
      var isClosed = false
    }

    private let state = Mutex(State())
    private let requestSeconds: Int
    /// The time for the next request on an open connection.
    private let pauseSeconds: Int
    private static let bodyBytesPerSecond = 16 << 10

    init(requestSeconds: UInt32, idleSeconds: UInt32) {
      self.requestSeconds = Int(requestSeconds)
      pauseSeconds = Int(max(requestSeconds, idleSeconds))
    }

    private static var now: Int {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Int(time.tv_sec)
    }

    func add(_ connection: OpaquePointer, socket: Int32) {
      let place = UInt(bitPattern: connection)
      let deadline = Self.now + requestSeconds
      state.withLock { state in
        state.count += 1
        state.connections[place] = Connection(
          number: state.count, socket: socket, deadline: deadline)
      }
    }

    func remove(_ connection: OpaquePointer) {
      let place = UInt(bitPattern: connection)
      state.withLock { state in _ = state.connections.removeValue(forKey: place) }
    }

    /// Extends the time of a body that arrives fast enough.
    func progressed(_ connection: OpaquePointer, byteCount: Int) {
      let place = UInt(bitPattern: connection)
      state.withLock { state in
        guard var entry = state.connections[place], let deadline = entry.deadline else {
          return
        }
        let before = entry.bodyBytes / Self.bodyBytesPerSecond
        entry.bodyBytes += byteCount
        entry.deadline = deadline + entry.bodyBytes / Self.bodyBytesPerSecond - before
        state.connections[place] = entry
      }
    }

    /// The request is complete: from now on the server owes a response. Returns the number of the
    /// connection; nil if the server has stopped.
    func received(_ connection: OpaquePointer) -> Int64? {
      let place = UInt(bitPattern: connection)
      return state.withLock { state in
        guard !state.isClosed, let entry = state.connections[place] else { return nil }
        state.connections[place]?.deadline = nil
        return entry.number
      }
    }

    /// The response was sent; the next request may take its time.
    func completed(_ connection: OpaquePointer) {
      let place = UInt(bitPattern: connection)
      let deadline = Self.now + pauseSeconds
      state.withLock { state in
        state.connections[place]?.deadline = deadline
        state.connections[place]?.bodyBytes = 0
      }
    }

    /// Accepts no more requests.
    func close() { state.withLock { $0.isClosed = true } }

    /// Waits until the server owes no response; false if it still does after the time.
    func drain(withinMilliseconds limit: Int) -> Bool {
      close()
      for _ in 0...max(0, limit / 10) {
        if state.withLock({ $0.connections.values.allSatisfy { $0.deadline != nil } }) {
          return true
        }
        usleep(10_000)
      }
      return false
    }

    /// Starts the thread that shuts down what is too slow; it ends with the server.
    func watch() {
      _ = BackgroundThread.start { [weak self] in
        while let table = self, !table.state.withLock({ $0.isClosed }) {
          table.shutDownSlowConnections()
          sleep(1)
        }
      }
    }

    private func shutDownSlowConnections() {
      let now = Self.now
      // A socket of the table is open: its removal comes before it is closed.
      state.withLock { state in
        for connection in state.connections.values {
          if let deadline = connection.deadline, deadline < now {
            _ = shutdown(connection.socket, Int32(SHUT_RDWR))
          }
        }
      }
    }
  }

  func closeSocket(_ number: Int32) { _ = close(number) }
#endif
