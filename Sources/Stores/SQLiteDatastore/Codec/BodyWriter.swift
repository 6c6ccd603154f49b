internal import Datastore
internal import JSON

/// A writer of compact JSON text that reuses its memory.
final class BodyWriter {
  private var memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 512)
  private var count = 0

  deinit { memory.deallocate() }

  /// The text of a value.
  ///
  /// Throws `tooLarge` if the value is nested more deeply than `depthMax`, and `badBody` if it
  /// contains an infinity or a NaN.
  func text(of value: JSONValue, depthMax: Int) throws(DatastoreError) -> [UInt8] {
    count = 0
    try write(value, depthLeft: depthMax)
    return Array(memory[..<count])
  }

  private func write(_ value: JSONValue, depthLeft: Int) throws(DatastoreError) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .integer(let value):
      if value < 0 { append(UInt8(ascii: "-")) }
      append(value.magnitude)
    case .unsigned(let value): append(value)
    case .double(let value):
      guard value.isFinite else { throw DatastoreError(.badBody, "JSON cannot represent \(value)") }
      var text = value.description
      text.withUTF8 { append($0) }
    case .string(let text): write(text)
    case .array(let elements):
      let depthLeft = try enter(depthLeft)
      append(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if !isFirst { append(UInt8(ascii: ",")) }
        isFirst = false
        try write(element, depthLeft: depthLeft)
      }
      append(UInt8(ascii: "]"))
    case .object(let object):
      let depthLeft = try enter(depthLeft)
      append(UInt8(ascii: "{"))
      var isFirst = true
      for member in object.members {
        if !isFirst { append(UInt8(ascii: ",")) }
        isFirst = false
        write(member.name)
        append(UInt8(ascii: ":"))
        try write(member.value, depthLeft: depthLeft)
      }
      append(UInt8(ascii: "}"))
    }
  }

  /// Enters a collection.
  private func enter(_ depthLeft: Int) throws(DatastoreError) -> Int {
    guard depthLeft > 0 else {
      throw DatastoreError(
        .tooLarge(limit: Int64(Limits.depthMax)), "the body is nested too deeply")
    }
    return depthLeft - 1
  }

  // MARK: Strings

  private func write(_ text: JSONString) {
    text.withBytes { characters in
      append(UInt8(ascii: "\""))
      if characters.contains(where: Self.isEscaped) {
        for character in characters { write(character) }
      } else {
        append(characters)
      }
      append(UInt8(ascii: "\""))
    }
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private func write(_ character: UInt8) {
    guard Self.isEscaped(character) else { return append(character) }
    append(UInt8(ascii: "\\"))
    switch character {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0a: append(UInt8(ascii: "n"))
    case 0x0c: append(UInt8(ascii: "f"))
    case 0x0d: append(UInt8(ascii: "r"))
    case 0..<0x20:
      append("u00")
      append(UInt8(ascii: "0") + character >> 4)
      let low = character & 0xf
      append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    default: append(character)
    }
  }

  // MARK: Bytes

  private func append(_ number: UInt64) {
    var (rest, digitCount) = (number, 1)
    while rest >= 10 {
      rest /= 10
      digitCount += 1
    }
    makeRoom(digitCount)
    rest = number
    for place in stride(from: count + digitCount - 1, through: count, by: -1) {
      memory[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digitCount
  }

  private func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    makeRoom(bytes.count)
    memory.baseAddress?.advanced(by: count).update(from: start, count: bytes.count)
    count += bytes.count
  }

  @inline(__always)
  private func append(_ byte: UInt8) {
    makeRoom(1)
    memory[count] = byte
    count += 1
  }

  @inline(__always)
  private func makeRoom(_ more: Int) {
    if memory.count - count < more { grow(more) }
  }

  private func grow(_ more: Int) {
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 2 * (count + more))
    _ = larger.update(fromContentsOf: memory[..<count])
    memory.deallocate()
    memory = larger
  }
}
