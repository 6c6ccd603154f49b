internal import CJansson

/// The text that Jansson writes for a body, in reused memory.
final class BodyText {
  private let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 1 << 16)

  /// Compact, doubles with 15 digits: the form of a store's texts.
  private static let flags = Int(JSON_COMPACT) | 15 << 11

  deinit { buffer.deallocate() }

  /// The text of a body, valid until the next call.
  @inline(__always)
  func dump(_ body: UnsafeMutablePointer<json_t>) throws(BenchmarkError) -> UnsafeRawBufferPointer {
    let length = json_dumpb(body, buffer.baseAddress, buffer.count, Self.flags)
    guard length > 0, length <= buffer.count else {
      throw .disagreement("a body with a text of \(length) bytes")
    }
    return UnsafeRawBufferPointer(start: buffer.baseAddress, count: length)
  }

  /// Parses a text, prints it again, and returns the number of its members.
  func carry(_ text: [UInt8]) throws(BenchmarkError) -> Int {
    let body = text.withUnsafeBytes { text in
      json_loadb(text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count, 0, nil)
    }
    guard let body else { throw .disagreement("a document that is not JSON") }
    defer { json_decref(body) }
    _ = try dump(body)
    return json_object_size(body)
  }

  /// Parses the text of a body and returns the number of its members.
  @inline(__always)
  static func parse(_ text: UnsafeRawBufferPointer) throws(BenchmarkError) -> Int {
    let body = json_loadb(
      text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count,
      Int(JSON_REJECT_DUPLICATES), nil)
    guard let body else { throw .disagreement("a body that is not JSON") }
    defer { json_decref(body) }
    return json_object_size(body)
  }
}
