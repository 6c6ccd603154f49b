internal import Datastore
internal import JSON

/// The path and the query of a request, decoded.
struct RequestTarget {
  /// The resource of a database that a request names.
  enum Endpoint {
    case database, changes, revsDiff, bulkDocs, bulkGet, fullCommit, purge
    case local(DocumentID)
    case document(DocumentID)
    case other
  }

  let server: JSONString
  /// The decoded parts of the path.
  let segments: [[UInt8]]
  /// The decoded names and values of the query.
  let query: [(name: JSONString, value: JSONString)]

  init(_ request: Exchange.Request) {
    server = request.server
    let bytes = Array(request.target.utf8.prefix { $0 != UInt8(ascii: "#") })
    let path = bytes.prefix { $0 != UInt8(ascii: "?") }
    segments = path.split(separator: UInt8(ascii: "/")).map { Self.decoded($0, plus: false) }
    query = bytes.dropFirst(path.count + 1).split(separator: UInt8(ascii: "&")).map { item in
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      return (
        Self.text(Self.decoded(name, plus: true)),
        Self.text(Self.decoded(item.dropFirst(name.count + 1), plus: true))
      )
    }
  }

  /// The value of the query; nil if absent.
  func value(_ name: JSONString) -> JSONString? { query.first { $0.name == name }?.value }

  /// Whether the value of a flag of the query is true.
  func has(_ name: JSONString) -> Bool { value(name) == "true" }

  /// The place of the first part that names a resource of a database, after the first part.
  var endpointPlace: Int? {
    guard segments.count > 1 else { return nil }
    return (1..<segments.count).first { place in
      Self.isEndpoint(segments[place])
    }
  }

  /// The name of the database in the first parts of the path.
  func database(parts: Int) -> JSONString {
    let path = segments.prefix(parts).joined(separator: [UInt8(ascii: "/")])
    return Self.text(Array(server.utf8) + [UInt8(ascii: "/")] + path)
  }

  /// The resource after the first parts of the path.
  func endpoint(after parts: Int) -> Endpoint {
    let rest = segments.dropFirst(parts)
    guard let first = rest.first else { return .database }
    switch Self.text(first) {
    case "_changes": return .changes
    case "_revs_diff": return .revsDiff
    case "_bulk_docs": return .bulkDocs
    case "_bulk_get": return .bulkGet
    case "_ensure_full_commit": return .fullCommit
    case "_purge": return .purge
    case "_local", "_design":
      guard rest.count == 2 else { return .other }
      let id = DocumentID(Self.text(Array(rest.joined(separator: [UInt8(ascii: "/")]))))
      return Self.text(first) == "_local" ? .local(id) : .document(id)
    default:
      guard rest.count == 1 else { return .other }
      let id = DocumentID(Self.text(first))
      if first.starts(with: "_local/".utf8) { return .local(id) }
      if first.starts(with: "_design/".utf8) { return .document(id) }
      return first.first == UInt8(ascii: "_") ? .other : .document(id)
    }
  }

  private static func isEndpoint(_ segment: [UInt8]) -> Bool {
    segment.first == UInt8(ascii: "_")
  }

  private static func decoded(_ bytes: some Collection<UInt8>, plus: Bool) -> [UInt8] {
    var result: [UInt8] = []
    var rest = Array(bytes)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let high = hexadecimal(rest[rest.startIndex]),
        let low = hexadecimal(rest[rest.startIndex + 1])
      {
        result.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        result.append(plus && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return result
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  private static func text(_ bytes: [UInt8]) -> JSONString {
    JSONString(validating: bytes) ?? JSONString(String(decoding: bytes, as: UTF8.self))
  }
}
