#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The bytes of one file in memory, which grow at the end and are zero where nothing was written.
///
/// An array would do the same; this does it at the speed of memory in debug builds too, in which
/// every test over SQLite runs.
final class FileContents {
  private(set) var count = 0
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit { memory.deallocate() }

  /// All of them, as a copy.
  var bytes: [UInt8] {
    get { bytes(0..<count) }
    set {
      truncate(to: 0)
      newValue.withUnsafeBytes { write($0, at: 0) }
    }
  }

  /// The bytes of a range, as far as there are any, as a copy.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(rebasing: memory[range.clamped(to: 0..<count)]))
  }

  /// Copies what there is from an offset on; answers how many bytes that were.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let available = max(0, min(buffer.count, count - offset))
    if available > 0 {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[offset..<offset + available]))
    }
    return available
  }

  /// Writes bytes at an offset, which may lie behind the end.
  func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) {
    let end = offset + buffer.count
    guard end > 0, !buffer.isEmpty else { return }
    extend(to: offset)
    reserve(end)
    UnsafeMutableRawBufferPointer(rebasing: memory[offset..<end]).copyMemory(from: buffer)
    count = max(count, end)
  }

  /// Cuts the end off; a size beyond the end changes nothing.
  func truncate(to size: Int) { count = min(count, size) }

  /// Appends zeroes up to a size; a smaller one changes nothing.
  func extend(to size: Int) {
    guard size > count else { return }
    reserve(size)
    if let start = memory.baseAddress { memset(start + count, 0, size - count) }
    count = size
  }

  /// Makes room for so many bytes.
  private func reserve(_ size: Int) {
    guard memory.count < size else { return }
    // Files grow page by page: doubling keeps the copying in proportion.
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(size, 2 * memory.count), alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
    memory.deallocate()
    memory = larger
  }
}
