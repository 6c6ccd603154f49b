internal import CZlib

/// Bytes as gzip (RFC 1952) of them.
public enum GzipEncoding {
  /// The gzip of the bytes, equal wherever it is made with one version of zlib.
  ///
  /// The header names no file and no time, and as system the one that zlib was built for.
  ///
  /// - Parameter level: 0 (stored) … 9 (smallest).
  public static func encode(_ bytes: [UInt8], level: Int) -> [UInt8] {
    precondition((0...9).contains(level), "zlib knows the levels 0 to 9")
    // zlib refuses a stream that has moved in memory.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    defer { stream.deallocate() }
    stream.initialize(to: z_stream())
    // 15 bits of window, and 16 for a header of gzip.
    check(
      deflateInit2_(
        stream, Int32(level), Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
        Int32(MemoryLayout<z_stream>.size)))
    defer { deflateEnd(stream) }

    precondition(bytes.count <= Int(UInt32.max), "what is encoded in one piece is below 4 GiB")
    return bytes.withUnsafeBufferPointer { input in
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.pointee.avail_in = UInt32(input.count)
      return [UInt8](unsafeUninitializedCapacity: Int(deflateBound(stream, UInt(input.count)))) {
        output, count in
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        // The bound is enough for all at once.
        precondition(deflate(stream, Z_FINISH) == Z_STREAM_END, "zlib could not encode")
        count = output.count - Int(stream.pointee.avail_out)
      }
    }
  }
}

/// Stops the program when zlib reports a failure that only a broken call or lack of memory explains.
func check(_ status: Int32) {
  precondition(status == Z_OK, "zlib refused to begin")
}
