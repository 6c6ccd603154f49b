#if HTTP
  internal import HTTPServer
  internal import Synchronization

  /// Bodies that do not arrive as they are.
  extension ServerResponse {
    /// The response with a connection that is cut inside the body; without a body, before its end.
    func cut(afterShare draw: UInt64) -> ServerResponse {
      var response = self
      switch body {
      case .bytes(let bytes):
        let count = bytes.isEmpty ? 0 : Int(draw % UInt64(bytes.count))
        let pieces = Pieces([.bytes(Array(bytes.prefix(count))), .cut])
        response.body = .stream(length: bytes.count + 1) { pieces.next() }
      case .stream(let length, let next):
        let left = Mutex(Int(draw % 3))
        response.body = .stream(length: length) {
          let isLeft = left.withLock { left in
            left -= 1
            return left >= 0
          }
          return isLeft ? next() : .cut
        }
      }
      return response
    }

    /// The response with a body that ends early; its length fits, so only its content shows it.
    func truncated(afterShare draw: UInt64) -> ServerResponse {
      var response = self
      switch body {
      case .bytes(let bytes):
        let count = bytes.isEmpty ? 0 : Int(draw % UInt64(bytes.count))
        response.body = .bytes(Array(bytes.prefix(count)))
      case .stream(let length, let next):
        let isFirst = Mutex(true)
        response.body = .stream(length: length) {
          let isFirst = isFirst.withLock { first in
            defer { first = false }
            return first
          }
          guard isFirst, case .bytes(let bytes) = next() else { return .end }
          return .bytes(Array(bytes.prefix(max(1, Int(draw % UInt64(max(1, bytes.count)))))))
        }
      }
      return response
    }

    /// The response in 8 pieces with pauses; a stream with pauses between its pieces.
    func dripping() -> ServerResponse {
      var response = self
      switch body {
      case .bytes(let bytes):
        let size = max(1, bytes.count / 8)
        let parts = stride(from: 0, to: bytes.count, by: size).map {
          Piece.bytes(Array(bytes[$0..<min($0 + size, bytes.count)]))
        }
        let pieces = Pieces(parts + [.end])
        response.body = .stream(length: bytes.count) {
          BackgroundThread.pause(microseconds: 20_000)
          return pieces.next()
        }
      case .stream(let length, let next):
        response.body = .stream(length: length) {
          BackgroundThread.pause(microseconds: 20_000)
          return next()
        }
      }
      return response
    }
  }

  /// Pieces of a body that are known in advance.
  private final class Pieces: Sendable {
    private let rest: Mutex<[ServerResponse.Piece]>

    init(_ pieces: [ServerResponse.Piece]) {
      rest = Mutex(
        pieces.filter { if case .bytes(let bytes) = $0 { !bytes.isEmpty } else { true } })
    }

    func next() -> ServerResponse.Piece {
      rest.withLock { $0.isEmpty ? .end : $0.removeFirst() }
    }
  }
#endif
