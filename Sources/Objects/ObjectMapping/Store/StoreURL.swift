public import Datastore
public import JSON

/// The URL of an object store: the last component names the database, a host names the remote.
///
/// Source: CDTIncrementalStore's guide, "Getting started".
public struct StoreURL: Hashable, Sendable {
  /// The original text.
  public let text: JSONString
  /// The name of the store, from the last component.
  public let name: StoreName
  /// The target of pushes and pulls; nil for a URL without host.
  public let remote: JSONString?

  /// Parses a URL; throws `badURL` if its path does not name a database.
  ///
  /// - Parameter mendsNames: whether an invalid store name is repaired as in the released versions:
  ///   lower-case letters, `_` for invalid characters, `db_` before a digit.
  public init(_ text: JSONString, mendsNames: Bool = false) throws(StoreError) {
    func refused() -> StoreError {
      StoreError(.badURL, "the last component of '\(text)' is not a database name")
    }
    var rest = Array(text.utf8)[...]
    // The query and the fragment are not part of the path.
    if let end = rest.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
      rest = rest[..<end]
    }
    var host: ArraySlice<UInt8> = []
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")),
      !rest[..<colon].contains(UInt8(ascii: "/"))
    {
      rest = rest[(colon + 1)...]
    }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      host = rest[..<end]
      rest = rest[end...]
    }
    while rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
    let start = rest.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? rest.startIndex
    guard let decoded = Self.percentDecoded(rest[start...]), !decoded.isEmpty,
      let name = JSONString(validating: mendsNames ? Self.repaired(decoded) : decoded)
    else { throw refused() }
    self.text = text
    self.name = StoreName(name)
    remote = host.isEmpty ? nil : text
  }

  /// The decoded path of a `file:` URL without host, or a path itself; throws `badURL` otherwise.
  public static func filePath(_ text: JSONString) throws(StoreError) -> String {
    let bytes = Array(text.utf8)
    guard bytes.starts(with: "file:".utf8) else {
      guard !text.string.contains("://") else {
        throw StoreError(.badURL, "'\(text)' is not the URL of a file")
      }
      return text.string
    }
    var rest = bytes.dropFirst("file:".utf8.count)
    if rest.starts(with: "//localhost/".utf8) { rest = rest.dropFirst("//localhost".utf8.count) }
    if rest.starts(with: "///".utf8) { rest = rest.dropFirst(2) }
    guard rest.first == UInt8(ascii: "/"), !rest.starts(with: "//".utf8),
      let decoded = percentDecoded(rest), let path = JSONString(validating: decoded)
    else { throw StoreError(.badURL, "'\(text)' is not the URL of a file") }
    return path.string
  }

  static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
        rest.count >= 2, rest.first != UInt8(ascii: "+")
      else { return nil }
      decoded.append(value)
      rest = rest.dropFirst(2)
    }
    return decoded
  }

  private static func repaired(_ name: [UInt8]) -> [UInt8] {
    let repaired = name.map { byte -> UInt8 in
      switch byte {
      case 65...90: byte | 0x20
      case 97...122, 48...57: byte
      default: "_$()+-/".utf8.contains(byte) ? byte : UInt8(ascii: "_")
      }
    }
    let isLetter = repaired.first.map { (97...122).contains($0) } ?? true
    return isLetter ? repaired : Array("db_".utf8) + repaired
  }
}
