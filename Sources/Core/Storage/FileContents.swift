#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The bytes of one file in memory, which grow at the end and are zero where nothing was written.
///
/// An array would have the same behavior. This class is also fast in debug builds, in which all
/// tests of the SQLite store run.
final class FileContents {
  private(set) var count = 0
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit { free(memory.baseAddress) }

  /// A copy of all bytes.
  var bytes: [UInt8] {
    get { bytes(0..<count) }
    set {
      truncate(to: 0)
      newValue.withUnsafeBytes { write($0, at: 0) }
    }
  }

  /// A file with the same bytes.
  func copy() -> FileContents {
    let copy = FileContents()
    copy.write(UnsafeRawBufferPointer(rebasing: memory[..<count]), at: 0)
    return copy
  }

  /// A copy of the bytes of a range, up to the end of the file.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(rebasing: memory[range.clamped(to: 0..<count)]))
  }

  /// Copies the bytes from an offset on, and returns the number of copied bytes.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let available = max(0, min(buffer.count, count - offset))
    if available > 0 {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[offset..<offset + available]))
    }
    return available
  }

  /// Writes bytes at an offset, which may be beyond the end.
  func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) {
    let end = offset + buffer.count
    guard end > 0, !buffer.isEmpty else { return }
    extend(to: offset)
    reserve(end)
    UnsafeMutableRawBufferPointer(rebasing: memory[offset..<end]).copyMemory(from: buffer)
    count = max(count, end)
  }

  /// Truncates the file; a size beyond the end has no effect.
  func truncate(to size: Int) { count = min(count, size) }

  /// Appends zeroes up to a size; a smaller size has no effect.
  func extend(to size: Int) {
    guard size > count else { return }
    reserve(size)
    if let start = memory.baseAddress { memset(start + count, 0, size - count) }
    count = size
  }

  /// Reserves memory for a size in bytes.
  private func reserve(_ size: Int) {
    guard memory.count < size else { return }
    // Files grow page by page: doubling keeps the total copying linear, and the C library moves large
    // memory without copying it.
    let capacity = max(size, 2 * memory.count)
    guard let larger = realloc(memory.baseAddress, capacity) else {
      preconditionFailure("no memory for a file of \(size) bytes")
    }
    memory = UnsafeMutableRawBufferPointer(start: larger, count: capacity)
  }
}
