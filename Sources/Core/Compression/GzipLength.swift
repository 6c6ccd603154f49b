internal import CZlib

/// The decoded length of gzip that comes piece by piece, in memory that does not grow.
///
/// It cannot be copied, and finishing consumes it: no byte can come after the end.
public struct GzipLength: ~Copyable {
  // On the heap, because zlib refuses a stream that has moved.
  private let stream: UnsafeMutablePointer<z_stream>
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private let limit: Int64
  private var length: Int64 = 0
  private var failure: GzipError?
  /// Whether the bytes so far end where a member ends; gzip is one member or several.
  private var isWhole = false

  /// Nothing yet.
  ///
  /// - Parameter limit: the most decoded bytes that are waited for, so that a small text cannot keep
  ///   its reader busy for long.
  public init(limit: Int64) {
    self.limit = limit
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    buffer = .allocate(capacity: 65_536)
    // 15 bits of window, and 16 for nothing but gzip.
    check(inflateInit2_(stream, 15 + 16, zlibVersion(), Int32(MemoryLayout<z_stream>.size)))
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    buffer.deallocate()
  }

  /// Takes the next bytes; what is wrong with them is said at the end.
  public mutating func update(_ bytes: some Collection<UInt8>) {
    let done: Void? = bytes.withContiguousStorageIfAvailable { update(contiguous: $0) }
    if done == nil { Array(bytes).withUnsafeBufferPointer { update(contiguous: $0) } }
  }

  /// The decoded length of all that came.
  public consuming func finish() throws(GzipError) -> Int64 {
    if let failure { throw failure }
    guard isWhole else { throw .cut }
    return length
  }

  private mutating func update(contiguous bytes: UnsafeBufferPointer<UInt8>) {
    guard failure == nil, let base = bytes.baseAddress, !bytes.isEmpty else { return }
    stream.pointee.next_in = UnsafeMutablePointer(mutating: base)
    stream.pointee.avail_in = UInt32(bytes.count)
    while failure == nil {
      if isWhole {
        guard stream.pointee.avail_in > 0 else { return }
        check(inflateReset(stream))
        isWhole = false
      }
      stream.pointee.next_out = buffer.baseAddress
      stream.pointee.avail_out = UInt32(buffer.count)
      let status = inflate(stream, Z_NO_FLUSH)
      length += Int64(buffer.count) - Int64(stream.pointee.avail_out)
      switch status {
      case Z_OK: if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return }
      case Z_STREAM_END: isWhole = true
      // Nothing to do with what there is: more must come.
      case Z_BUF_ERROR: return
      default: failure = .damaged
      }
      if length > limit { failure = .tooLong(limit: limit) }
    }
  }
}

extension GzipLength {
  /// The decoded length of gzip that is here as a whole.
  public static func of(_ bytes: some Collection<UInt8>, limit: Int64) throws(GzipError) -> Int64 {
    var length = GzipLength(limit: limit)
    length.update(bytes)
    return try length.finish()
  }
}

/// Why bytes are no gzip.
public enum GzipError: Error, Hashable, Sendable, CustomStringConvertible {
  /// They are not gzip, or a checksum does not fit.
  case damaged
  /// They end before gzip does.
  case cut
  /// They hold more than was waited for.
  case tooLong(limit: Int64)

  public var description: String {
    switch self {
    case .damaged: "it is no gzip, or it is damaged"
    case .cut: "the gzip ends too early"
    case .tooLong(let limit): "decoded it has more than \(limit) bytes"
    }
  }
}
