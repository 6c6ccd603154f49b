#if HTTP
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Glibc
  #endif

  /// The pieces of a streamed body between the thread that produces them and the thread that sends
  /// them. The producer waits while too many bytes are in the queue.
  public final class PieceQueue: @unchecked Sendable {
    // The mutex protects all of them.
    private var pieces: [ServerResponse.Piece] = []
    private var byteCount = 0
    private var isClosed = false
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private static let bytesMax = 1 << 20

    /// Creates an empty queue.
    public init() {
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(condition, nil)
    }

    deinit {
      pthread_cond_destroy(condition)
      pthread_mutex_destroy(mutex)
      condition.deallocate()
      mutex.deallocate()
    }

    /// Adds a piece; false after `close`.
    public func add(_ piece: ServerResponse.Piece) -> Bool {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      while !isClosed, byteCount > Self.bytesMax { pthread_cond_wait(condition, mutex) }
      guard !isClosed else { return false }
      if case .bytes(let bytes) = piece { byteCount += bytes.count }
      pieces.append(piece)
      pthread_cond_broadcast(condition)
      return true
    }

    /// Waits for the next piece.
    public func next() -> ServerResponse.Piece {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      while pieces.isEmpty { pthread_cond_wait(condition, mutex) }
      let piece = pieces.removeFirst()
      if case .bytes(let bytes) = piece { byteCount -= bytes.count }
      pthread_cond_broadcast(condition)
      return piece
    }

    /// Ends the queue from the side of the reader.
    public func close() {
      pthread_mutex_lock(mutex)
      isClosed = true
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
  }
#endif
