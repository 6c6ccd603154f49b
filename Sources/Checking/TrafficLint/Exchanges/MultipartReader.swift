internal import JSON

/// The JSON parts of a multipart body; parts that are multipart themselves are read as well.
struct MultipartReader {
  /// The JSON parts, in order.
  private(set) var values: [JSONValue] = []
  /// What is wrong with the form; nil if nothing.
  private(set) var flaw: String?

  /// - Parameter type: the Content-Type.
  init(_ bytes: [UInt8], type: JSONString) {
    read(bytes[...], type: Array(type.utf8), depth: 0)
  }

  /// Whether a Content-Type is multipart.
  static func isMultipart(_ type: JSONString?) -> Bool {
    type.map { lowercased(Array($0.utf8)).starts(with: "multipart/".utf8) } ?? false
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>, type: [UInt8], depth: Int) {
    guard depth < 4 else { return }
    guard let boundary = Self.boundary(type) else {
      flaw = flaw ?? "the Content-Type has no boundary"
      return
    }
    let delimiter = Array("--".utf8) + boundary
    guard bytes.starts(with: delimiter) else {
      flaw = flaw ?? "the body does not begin with the boundary of its Content-Type"
      return
    }
    var position = bytes.startIndex + delimiter.count
    while true {
      let rest = bytes[position...]
      if rest.starts(with: "--".utf8) { return }
      guard let end = Self.firstPlace(of: [0x0D, 0x0A] + delimiter, in: rest) else {
        flaw = flaw ?? "the body does not end with the boundary of its Content-Type"
        return
      }
      readPart(bytes[position..<end], depth: depth)
      position = end + 2 + delimiter.count
    }
  }

  private mutating func readPart(_ part: ArraySlice<UInt8>, depth: Int) {
    let separator: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
    guard let place = Self.firstPlace(of: separator, in: part) else { return }
    let body = part[(place + separator.count)...]
    var type: [UInt8] = []
    var isAttachment = false
    for line in part[..<place].split(separator: 0x0A) {
      let header = line.last == 0x0D ? line.dropLast() : line
      let name = Self.lowercased(Array(header.prefix { $0 != UInt8(ascii: ":") }))
      if name == Array("content-type".utf8) {
        type = Array(header.dropFirst(name.count + 1).drop { $0 == 0x20 })
      }
      if name == Array("content-disposition".utf8) { isAttachment = true }
    }
    let kind = Self.lowercased(type)
    if kind.starts(with: "multipart/".utf8) {
      read(body, type: type, depth: depth + 1)
    } else if !isAttachment, kind.starts(with: "application/json".utf8) {
      if let value = try? JSONValue.parse(body) {
        values.append(value)
      } else {
        flaw = flaw ?? "a part with the Content-Type application/json is not JSON"
      }
    }
  }

  private static func boundary(_ type: [UInt8]) -> [UInt8]? {
    let name = Array("boundary=".utf8)
    guard let place = firstPlace(of: name, in: lowercased(type)[...]) else { return nil }
    let value = type[(place + name.count)...]
    let boundary =
      value.first == UInt8(ascii: "\"")
      ? value.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
      : value.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
    return boundary.isEmpty ? nil : Array(boundary)
  }

  private static func lowercased(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  private static func firstPlace(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    var place = bytes.startIndex
    while place + pattern.count <= bytes.endIndex {
      guard let next = bytes[place...].firstIndex(of: pattern[0]) else { return nil }
      guard next + pattern.count <= bytes.endIndex else { return nil }
      if bytes[next..<(next + pattern.count)].elementsEqual(pattern) { return next }
      place = next + 1
    }
    return nil
  }
}
