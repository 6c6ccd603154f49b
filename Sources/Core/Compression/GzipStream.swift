internal import CZlib

/// Gzip of bytes that come piece by piece, handed on as it is made, in memory that does not grow.
///
/// It is the same as `GzipEncoding` makes of all bytes at once.
public struct GzipStream: ~Copyable {
  // On the heap, because zlib refuses a stream that has moved.
  private let stream: UnsafeMutablePointer<z_stream>
  private let buffer: UnsafeMutableBufferPointer<UInt8>

  /// Nothing yet.
  ///
  /// - Parameter level: 1 (fastest) … 9 (smallest).
  public init(level: Int) {
    precondition((1...9).contains(level), "zlib packs at the levels 1 to 9")
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    buffer = .allocate(capacity: 65_536)
    // 15 bits of window, and 16 for a header of gzip.
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

  /// Takes the next bytes and hands on the gzip that is ready.
  public mutating func update(
    _ bytes: UnsafeBufferPointer<UInt8>, _ next: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    stream.pointee.next_in = UnsafeMutablePointer(mutating: base)
    stream.pointee.avail_in = UInt32(bytes.count)
    pack(Z_NO_FLUSH, next)
  }

  /// Hands on the rest of the gzip.
  public consuming func finish(_ next: (UnsafeBufferPointer<UInt8>) -> Void) {
    stream.pointee.avail_in = 0
    pack(Z_FINISH, next)
  }

  private func pack(_ flush: Int32, _ next: (UnsafeBufferPointer<UInt8>) -> Void) {
    repeat {
      stream.pointee.next_out = buffer.baseAddress
      stream.pointee.avail_out = UInt32(buffer.count)
      // Nothing but a broken call makes it fail; that there is nothing to do is no failure.
      let status = deflate(stream, flush)
      precondition(status != Z_STREAM_ERROR, "zlib could not encode")
      let count = buffer.count - Int(stream.pointee.avail_out)
      if count > 0 { next(UnsafeBufferPointer(rebasing: buffer[..<count])) }
    } while stream.pointee.avail_out == 0
  }
}
