#if HTTP
  import Foundation
  import HTTPServer
  import Synchronization
  import Testing

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// Limits of a server, tested with a plain socket.
  struct ServerLimitsTests {
    private static func server(
      _ change: (inout HTTPServer.Options) -> Void = { _ in },
      _ handler: @escaping HTTPServer.Handler = { _ in ServerResponse(200, body: Array("ok".utf8)) }
    ) throws -> HTTPServer {
      var options = HTTPServer.Options()
      change(&options)
      return try HTTPServer(options, handler: handler)
    }

    /// Sends text in parts with pauses, and returns everything until the server closes.
    private static func exchange(
      _ port: UInt16, _ parts: [String], pauseMicroseconds: UInt32 = 0
    ) throws -> String {
      let number = try connect(port)
      defer { close(number) }
      for part in parts {
        let bytes = Array(part.utf8)
        guard send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { break }
        if pauseMicroseconds > 0 { usleep(pauseMicroseconds) }
      }
      return receive(number)
    }

    private static func connect(_ port: UInt16) throws -> Int32 {
      #if canImport(Darwin)
        let number = socket(AF_INET, SOCK_STREAM, 0)
      #else
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #endif
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      var limit = timeval(tv_sec: 20, tv_usec: 0)
      setsockopt(
        number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      let code = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Foundation.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      try #require(code == 0)
      return number
    }

    private static func receive(_ number: Int32) -> String {
      var all: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(number, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        all += buffer[..<count]
      }
      return String(decoding: all, as: UTF8.self)
    }

    private static let end = "Host: x\r\nConnection: close\r\n\r\n"

    @Test func tooLargeABody() throws {
      let server = try Self.server { $0.bodyBytesMax = 10 }
      let claimed = try Self.exchange(
        server.port, ["POST / HTTP/1.1\r\nContent-Length: 1073741824\r\n\(Self.end)"])
      #expect(claimed.contains(" 413 "))
      let chunked = try Self.exchange(
        server.port,
        [
          "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\(Self.end)b\r\n12345678901\r\n0\r\n\r\n"
        ])
      #expect(chunked.contains(" 413 "))
      let fits = try Self.exchange(
        server.port, ["POST / HTTP/1.1\r\nContent-Length: 10\r\n\(Self.end)1234567890"])
      #expect(fits.contains(" 200 "))
    }

    @Test func tooManyBodiesAtATime() throws {
      let server = try Self.server {
        $0.bodyBytesMax = 100
        $0.bodiesBytesMax = 50
      }
      let body = String(repeating: "x", count: 60)
      let answer = try Self.exchange(
        server.port, ["POST / HTTP/1.1\r\nContent-Length: 60\r\n\(Self.end)\(body)"])
      #expect(answer.contains(" 503 "))
    }

    @Test func tooLargeAHeader() throws {
      let server = try Self.server { $0.headerBytesMax = 4096 }
      let long = String(repeating: "a", count: 20_000)
      let header = try Self.exchange(server.port, ["GET / HTTP/1.1\r\nX: \(long)\r\n\(Self.end)"])
      #expect(header.contains(" 431 ") || header.contains(" 413 "))
      let target = try Self.exchange(server.port, ["GET /\(long) HTTP/1.1\r\n\(Self.end)"])
      #expect(target.contains(" 414 ") || target.contains(" 431 "))
    }

    /// A client that sends one byte after the other has no thread for ever.
    @Test func tooSlowARequest() throws {
      let server = try Self.server { $0.requestSeconds = 1 }
      let parts = Array(repeating: "X", count: 60)
      let answer = try Self.exchange(
        server.port, ["GET / HTTP/1.1\r\n"] + parts, pauseMicroseconds: 100_000)
      #expect(!answer.contains(" 200 "))
    }

    @Test func streams() throws {
      let left = Mutex(3)
      let server = try Self.server { _ in
      } _: { request in
        ServerResponse(200, headers: []) {
          let number = left.withLock { left in
            left -= 1
            return left
          }
          if number >= 0 { return .bytes(Array("part\(number) ".utf8)) }
          return request.target == "/cut" ? .cut : .end
        }
      }
      let whole = try Self.exchange(server.port, ["GET / HTTP/1.1\r\n\(Self.end)"])
      for part in ["part2 ", "part1 ", "part0 "] { #expect(whole.contains(part)) }
      #expect(whole.hasSuffix("0\r\n\r\n"))
      let cut = try Self.exchange(server.port, ["GET /cut HTTP/1.1\r\n\(Self.end)"])
      #expect(!cut.hasSuffix("0\r\n\r\n"))
    }

    /// A request in progress has its response, and later ones have none.
    @Test func aGracefulEnd() throws {
      let server = try Self.server { _ in
      } _: { _ in
        usleep(300_000)
        return ServerResponse(200, body: Array("done".utf8))
      }
      let port = server.port
      let answer = Mutex("")
      let thread = Thread {
        answer.withLock { $0 = (try? Self.exchange(port, ["GET / HTTP/1.1\r\n\(Self.end)"])) ?? "" }
      }
      thread.start()
      usleep(100_000)
      #expect(server.stopGracefully(withinMilliseconds: 10_000))
      usleep(100_000)
      #expect(answer.withLock { $0 }.contains("done"))
    }
  }
#endif
