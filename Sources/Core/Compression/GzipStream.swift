internal import CZlib

/// A gzip encoder for bytes that arrive in chunks; it forwards output as soon as it is ready, in
/// constant memory.
///
/// The output equals that of `GzipEncoding` for all bytes at once.
public struct GzipStream: ~Copyable {
  // On the heap, because zlib rejects a stream that has moved in memory.
  private let stream: UnsafeMutablePointer<z_stream>
  private let buffer: UnsafeMutableBufferPointer<UInt8>

  /// Creates an encoder without input.
  ///
  /// - Parameter level: the compression level, 1 (fastest) … 9 (smallest).
  public init(level: Int) {
    precondition((1...9).contains(level), "the compression level is 1 to 9")
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    buffer = .allocate(capacity: 65_536)
    // 15 bits of window size, and 16 to select a gzip header.
    check(
      deflateInit2_(
        stream, Int32(level), Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
        Int32(MemoryLayout<z_stream>.size)))
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
    buffer.deallocate()
  }

  /// Encodes the next bytes and forwards the output that is ready.
  public mutating func update(
    _ bytes: UnsafeBufferPointer<UInt8>, _ next: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    stream.pointee.next_in = UnsafeMutablePointer(mutating: base)
    stream.pointee.avail_in = UInt32(bytes.count)
    pack(Z_NO_FLUSH, next)
  }

  /// Forwards the rest of the output.
  public consuming func finish(_ next: (UnsafeBufferPointer<UInt8>) -> Void) {
    stream.pointee.avail_in = 0
    pack(Z_FINISH, next)
  }

  private func pack(_ flush: Int32, _ next: (UnsafeBufferPointer<UInt8>) -> Void) {
    repeat {
      stream.pointee.next_out = buffer.baseAddress
      stream.pointee.avail_out = UInt32(buffer.count)
      // Only an invalid call is a failure; Z_BUF_ERROR only means that there was nothing to do.
      let status = deflate(stream, flush)
      precondition(status != Z_STREAM_ERROR, "zlib could not encode")
      let count = buffer.count - Int(stream.pointee.avail_out)
      if count > 0 { next(UnsafeBufferPointer(rebasing: buffer[..<count])) }
    } while stream.pointee.avail_out == 0
  }
}
