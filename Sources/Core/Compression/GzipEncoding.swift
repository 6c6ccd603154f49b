internal import CZlib

/// Gzip (RFC 1952) encoding of bytes that are in memory.
public enum GzipEncoding {
  /// Returns the bytes as gzip; the output is deterministic for one version of zlib.
  ///
  /// The header has no file name and no time; its operating system is the one that zlib was built
  /// for.
  ///
  /// - Parameter level: the compression level, 0 (stored) … 9 (smallest).
  public static func encode(_ bytes: [UInt8], level: Int) -> [UInt8] {
    precondition((0...9).contains(level), "the compression level is 0 to 9")
    // zlib rejects a stream that has moved in memory.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    defer { stream.deallocate() }
    stream.initialize(to: z_stream())
    // 15 bits of window size, and 16 to select a gzip header.
    check(
      deflateInit2_(
        stream, Int32(level), Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
        Int32(MemoryLayout<z_stream>.size)))
    defer { deflateEnd(stream) }

    precondition(bytes.count <= Int(UInt32.max), "the input of one call is smaller than 4 GiB")
    return bytes.withUnsafeBufferPointer { input in
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.pointee.avail_in = UInt32(input.count)
      return [UInt8](unsafeUninitializedCapacity: Int(deflateBound(stream, UInt(input.count)))) {
        output, count in
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        // The output buffer has the size of the upper bound, so one call is enough.
        precondition(deflate(stream, Z_FINISH) == Z_STREAM_END, "zlib could not encode")
        count = output.count - Int(stream.pointee.avail_out)
      }
    }
  }
}

/// Stops the program if zlib reports a failure; only an invalid call or lack of memory can cause
/// one.
func check(_ status: Int32) {
  precondition(status == Z_OK, "zlib failed to initialize a stream")
}
