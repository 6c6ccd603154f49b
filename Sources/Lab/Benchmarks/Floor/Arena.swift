internal import CJansson
internal import JSON

/// Memory for the inputs of a baseline, so that its loop neither copies nor counts references.
final class Arena {
  private var blocks: [UnsafeMutableRawPointer] = []
  private var bodies: [UnsafeMutablePointer<json_t>] = []

  deinit {
    for block in blocks { block.deallocate() }
    for body in bodies { json_decref(body) }
  }

  /// A copy of the bytes, valid as long as the arena.
  func bytes(_ bytes: some Collection<UInt8>) -> UnsafeRawBufferPointer {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 8)
    if let start = block.baseAddress { blocks.append(start) }
    let copy = UnsafeMutableRawBufferPointer(rebasing: block[..<bytes.count])
    copy.copyBytes(from: bytes)
    return UnsafeRawBufferPointer(copy)
  }

  /// A copy of the elements, valid as long as the arena.
  func array<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
    let block = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    if let start = block.baseAddress { blocks.append(UnsafeMutableRawPointer(start)) }
    _ = block.initialize(fromContentsOf: elements)
    return UnsafeBufferPointer(block)
  }

  /// The value in the form of Jansson, valid as long as the arena.
  func body(_ value: JSONValue) throws(BenchmarkError) -> UnsafeMutablePointer<json_t> {
    let text = value.serializedBytes()
    let body = text.withUnsafeBytes {
      json_loadb($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, 0, nil)
    }
    guard let body else { throw .disagreement("Jansson cannot read \(value.serialized())") }
    bodies.append(body)
    return body
  }
}
