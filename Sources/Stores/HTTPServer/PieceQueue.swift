#if HTTP
  /// The pieces of a streamed body between the thread that produces them and the thread that sends
  /// them. The producer waits while too many bytes are in the queue.
  public final class PieceQueue: @unchecked Sendable {
    private let monitor = Monitor()
    // Used within the monitor.
    private var pieces: [ServerResponse.Piece] = []
    private var byteCount = 0
    private var isClosed = false
    private static let bytesMax = 1 << 20

    /// Creates an empty queue.
    public init() {}

    /// Adds a piece; false after `close`.
    public func add(_ piece: ServerResponse.Piece) -> Bool {
      monitor.locked {
        while !isClosed, byteCount > Self.bytesMax { monitor.wait() }
        guard !isClosed else { return false }
        if case .bytes(let bytes) = piece { byteCount += bytes.count }
        pieces.append(piece)
        monitor.wakeAll()
        return true
      }
    }

    /// Waits for the next piece.
    public func next() -> ServerResponse.Piece {
      monitor.locked {
        while pieces.isEmpty { monitor.wait() }
        let piece = pieces.removeFirst()
        if case .bytes(let bytes) = piece { byteCount -= bytes.count }
        monitor.wakeAll()
        return piece
      }
    }

    /// Ends the queue from the side of the reader.
    public func close() {
      monitor.locked {
        isClosed = true
        monitor.wakeAll()
      }
    }
  }
#endif
