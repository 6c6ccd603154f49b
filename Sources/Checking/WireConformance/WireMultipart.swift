internal import Digest
internal import JSON

/// Bodies of several parts, as RFC 2046 defines them.
enum WireMultipart {
  /// The boundary of the bodies of requests.
  static let boundary = "touchstone-wire-boundary"
  private static let newline = Array("\r\n".utf8)

  /// A part of a body.
  struct Part: Hashable {
    var headers: [WireHeader]
    var content: [UInt8]
  }

  /// The bytes of a body.
  static func bytes(_ parts: [Part]) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts {
      bytes += Array("--\(boundary)\r\n".utf8)
      for header in part.headers { bytes += Array("\(header.name): \(header.value)\r\n".utf8) }
      bytes += newline + part.content + newline
    }
    return bytes + Array("--\(boundary)--".utf8)
  }

  /// The body as JSON: `type`, and `parts` with `headers` and, by the type of the part, `body`
  /// (JSON), `multipart`, `text`, or `base64` for content that is not UTF-8; nil if it is not valid.
  static func json(_ body: [UInt8], type: JSONString) -> JSONValue? {
    guard let (subtype, boundary) = boundary(of: type),
      let parts = parts(body, boundary)
    else { return nil }
    var values: [JSONValue] = []
    for part in parts {
      guard let value = json(part) else { return nil }
      values.append(value)
    }
    return ["type": .text(subtype), "parts": .array(values)]
  }

  private static func json(_ part: Part) -> JSONValue? {
    var object: JSONObject = [
      "headers": .object(JSONObject(part.headers.map { ($0.name, .string($0.value)) }))
    ]
    let type = part.headers.first { $0.name == "content-type" }?.value ?? ""
    if type.utf8.starts(with: "application/json".utf8) {
      guard let value = try? JSONValue.parse(part.content) else { return nil }
      object["body"] = value
    } else if type.utf8.starts(with: "multipart/".utf8) {
      guard let value = json(part.content, type: type) else { return nil }
      object["multipart"] = value
    } else if let text = JSONString(validating: part.content) {
      object["text"] = .string(text)
    } else {
      object["base64"] = .text(Base64.encode(part.content))
    }
    return .object(object)
  }

  /// The subtype and the boundary of `multipart/mixed; boundary="b"`.
  private static func boundary(of type: JSONString) -> (subtype: String, boundary: [UInt8])? {
    let pieces = type.string.split(separator: ";").map { $0.drop { $0 == " " } }
    guard let first = pieces.first, first.utf8.starts(with: "multipart/".utf8) else { return nil }
    for piece in pieces.dropFirst() where piece.utf8.starts(with: "boundary=".utf8) {
      let value = piece.utf8.dropFirst("boundary=".utf8.count).filter { $0 != UInt8(ascii: "\"") }
      guard !value.isEmpty else { return nil }
      return (String(decoding: first.utf8.dropFirst("multipart/".utf8.count), as: UTF8.self), value)
    }
    return nil
  }

  private static func parts(_ body: [UInt8], _ boundary: [UInt8]) -> [Part]? {
    let delimiter = Array("--".utf8) + boundary
    // The line break before a delimiter belongs to it; the first one may begin the body.
    guard var rest = after(delimiter, in: body[...]) else { return nil }
    var parts: [Part] = []
    while !rest.starts(with: "--".utf8) {
      guard rest.starts(with: newline),
        let end = firstRange(of: newline + delimiter, in: rest.dropFirst(newline.count - 2)),
        let part = part(rest[rest.startIndex..<end.lowerBound].dropFirst(newline.count))
      else { return nil }
      parts.append(part)
      rest = rest[end.upperBound...]
    }
    return parts
  }

  /// A part from its header lines, an empty line, and its content.
  private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
    if bytes.starts(with: newline) {
      return Part(headers: [], content: Array(bytes.dropFirst(newline.count)))
    }
    let empty = newline + newline
    // A part without content ends with the line break of its delimiter.
    let end = firstRange(of: empty, in: bytes)
    let head = end.map { bytes[bytes.startIndex..<$0.lowerBound] } ?? bytes
    var headers: [WireHeader] = []
    for line in String(decoding: head, as: UTF8.self).split(separator: "\r\n") {
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let value = line[line.utf8.index(after: colon)...].drop { $0 == " " }
      headers.append(WireHeader(JSONString(String(line[..<colon])), JSONString(String(value))))
    }
    return Part(headers: headers, content: end.map { Array(bytes[$0.upperBound...]) } ?? [])
  }

  private static func after(_ pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    firstRange(of: pattern, in: bytes).map { bytes[$0.upperBound...] }
  }

  private static func firstRange(
    of pattern: [UInt8], in bytes: ArraySlice<UInt8>
  ) -> Range<Int>? {
    guard bytes.count >= pattern.count else { return nil }
    for start in bytes.startIndex...(bytes.endIndex - pattern.count)
    where bytes[start] == pattern[0] && bytes[start...].starts(with: pattern) {
      return start..<(start + pattern.count)
    }
    return nil
  }
}
