#if HTTP
  import Foundation
  import Synchronization

  /// A server on a port of its own that answers each request with given bytes.
  final class RawServer: Sendable {
    /// What the server does with a request.
    enum Answer: Sendable {
      case send(String)
      case sendBytes([UInt8])
      /// Sends a part of a response, and closes the connection.
      case breakOff(String)
      /// Sends nothing.
      case silence
    }

    let port: UInt16
    private let listener: Int32
    private let state = Mutex<(requests: [String], connections: Int)>(([], 0))

    var requests: [String] { state.withLock { $0.requests } }
    var connectionCount: Int { state.withLock { $0.connections } }
    var url: String { "http://127.0.0.1:\(port)" }

    init(_ answer: @escaping @Sendable (String) -> Answer) throws {
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let listener = listener
      let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listener, $0, size) == 0 && listen(listener, 8) == 0
            && getsockname(listener, $0, &size) == 0
        }
      }
      guard isBound else { throw POSIXError(.EADDRINUSE) }
      port = UInt16(bigEndian: address.sin_port)
      Thread { [self] in
        while true {
          let connection = accept(listener, nil, nil)
          guard connection >= 0 else { return }
          state.withLock { $0.connections += 1 }
          Thread { self.serve(connection, answer) }.start()
        }
      }.start()
    }

    deinit { close(listener) }

    private func serve(_ connection: Int32, _ answer: (String) -> Answer) {
      var bytes: [UInt8] = []
      while let request = Self.request(in: &bytes, from: connection) {
        state.withLock { $0.requests.append(request) }
        switch answer(request) {
        case .send(let text): _ = write(connection, text, text.utf8.count)
        case .sendBytes(let bytes): _ = write(connection, bytes, bytes.count)
        case .breakOff(let text):
          _ = write(connection, text, text.utf8.count)
          close(connection)
          return
        case .silence: break
        }
      }
      close(connection)
    }

    /// The next request with its body.
    private static func request(in bytes: inout [UInt8], from connection: Int32) -> String? {
      while true {
        let text = String(decoding: bytes, as: UTF8.self)
        if let end = text.range(of: "\r\n\r\n") {
          let length =
            text[..<end.lowerBound].split(separator: "\r\n")
            .first { $0.lowercased().hasPrefix("content-length:") }?
            .split(separator: " ").last.flatMap { Int($0) } ?? 0
          let count = text[..<end.upperBound].utf8.count + length
          if bytes.count >= count {
            let request = String(decoding: bytes[..<count], as: UTF8.self)
            bytes.removeFirst(count)
            return request
          }
        }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(connection, &chunk, chunk.count)
        guard count > 0 else { return nil }
        bytes += chunk[..<count]
      }
    }

    /// A response with a body.
    static func response(
      _ status: String, _ body: String, type: String = "application/json", _ headers: String...
    ) -> Answer {
      let lines = (headers + ["Content-Type: \(type)", "Content-Length: \(body.utf8.count)"])
        .map { $0 + "\r\n" }.joined()
      return .send("HTTP/1.1 \(status)\r\n\(lines)\r\n\(body)")
    }
  }
#endif
