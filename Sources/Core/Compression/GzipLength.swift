internal import CZlib

/// The decoded length of gzip that arrives in chunks, computed in constant memory.
///
/// The value cannot be copied, and `finish` consumes it, so no byte can follow the end.
public struct GzipLength: ~Copyable {
  // On the heap, because zlib rejects a stream that has moved in memory.
  private let stream: UnsafeMutablePointer<z_stream>
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private let limit: Int64
  private var length: Int64 = 0
  private var failure: GzipError?
  /// The decoded bytes; nil if only their number is wanted.
  private var decoded: [UInt8]?
  /// Whether the bytes so far end at the end of a member; gzip consists of one or more members.
  private var isWhole = false

  /// Creates a decoder without input.
  ///
  /// - Parameter limit: the maximum decoded length in bytes; it prevents a small input from
  ///   occupying its reader for a long time.
  public init(limit: Int64) {
    self.init(limit: limit, keepsBytes: false)
  }

  fileprivate init(limit: Int64, keepsBytes: Bool) {
    self.limit = limit
    decoded = keepsBytes ? [] : nil
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    buffer = .allocate(capacity: 65_536)
    // 15 bits of window size, and 16 to accept gzip only.
    check(inflateInit2_(stream, 15 + 16, zlibVersion(), Int32(MemoryLayout<z_stream>.size)))
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    buffer.deallocate()
  }

  /// Decodes the next bytes; `finish` reports any error in them.
  public mutating func update(_ bytes: some Collection<UInt8>) {
    let done: Void? = bytes.withContiguousStorageIfAvailable { update(contiguous: $0) }
    if done == nil { Array(bytes).withUnsafeBufferPointer { update(contiguous: $0) } }
  }

  /// Returns the decoded length of all bytes.
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
      let count = buffer.count - Int(stream.pointee.avail_out)
      length += Int64(count)
      decoded?.append(contentsOf: UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
      switch status {
      case Z_OK: if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return }
      case Z_STREAM_END: isWhole = true
      // All input is consumed: more must arrive.
      case Z_BUF_ERROR: return
      default: failure = .damaged
      }
      if length > limit { failure = .tooLong(limit: limit) }
    }
  }
}

extension GzipLength {
  /// Returns the decoded length of gzip that is completely in memory.
  public static func of(_ bytes: some Collection<UInt8>, limit: Int64) throws(GzipError) -> Int64 {
    var length = GzipLength(limit: limit)
    length.update(bytes)
    return try length.finish()
  }
}

extension GzipEncoding {
  /// Returns the bytes that gzip encodes.
  ///
  /// - Parameter limit: the maximum number of decoded bytes.
  public static func decode(
    _ bytes: some Collection<UInt8>, limit: Int64
  ) throws(GzipError) -> [UInt8] {
    var length = GzipLength(limit: limit, keepsBytes: true)
    length.update(bytes)
    return try length.finishWithBytes()
  }
}

extension GzipLength {
  fileprivate consuming func finishWithBytes() throws(GzipError) -> [UInt8] {
    if let failure { throw failure }
    guard isWhole else { throw .cut }
    return decoded ?? []
  }
}

/// An error in gzip data.
public enum GzipError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The data is not gzip, or a checksum does not match.
  case damaged
  /// The data ends before the gzip member does.
  case cut
  /// The decoded data is longer than the limit.
  case tooLong(limit: Int64)

  public var description: String {
    switch self {
    case .damaged: "not gzip, or damaged"
    case .cut: "the gzip is truncated"
    case .tooLong(let limit): "the decoded length exceeds \(limit) bytes"
    }
  }
}
