internal import Digest

/// The parsed name of a content file beside a database.
///
///     notes.sqlite-<64 digits>.blob        content, named by its SHA-256, complete and durable
///     notes.sqlite-<64 digits>-<n>.part    an upload, the nth attempt
///     notes.sqlite-new-<n>.part            content that is being written
struct BlobName {
  enum Kind {
    case content(BlobDigest)
    case upload(BlobDigest, number: Int64)
    case temporary
  }

  /// The common prefix of all file names of one store.
  let prefix: String
  let kind: Kind

  /// Parses a name; nil for a file of another kind.
  init?(_ fileName: String) {
    var rest = fileName[...]
    var number: Int64?
    if rest.hasSuffix(".part") {
      rest = rest.dropLast(5)
      guard let dash = rest.lastIndex(of: "-"), let parsed = Int64(rest[rest.index(after: dash)...])
      else { return nil }
      number = parsed
      rest = rest[..<dash]
      if rest.hasSuffix("-new") {
        prefix = String(rest.dropLast(3))
        kind = .temporary
        guard Self.isPrefix(prefix) else { return nil }
        return
      }
    } else if rest.hasSuffix(".blob") {
      rest = rest.dropLast(5)
    } else {
      return nil
    }
    guard let digest = BlobDigest(hexadecimal: rest.utf8.suffix(64)) else { return nil }
    prefix = String(rest.dropLast(64))
    kind = number.map { .upload(digest, number: $0) } ?? .content(digest)
    guard Self.isPrefix(prefix) else { return nil }
  }

  /// The prefix of the file names of a database.
  ///
  /// A name that would be too long for common file systems is abbreviated and extended by a digest
  /// of the complete name.
  static func prefix(of fileName: String) -> String {
    guard fileName.utf8.count > wholeMax else { return fileName + "-" }
    let digest = DigestAlgorithm.md5.digest(of: fileName.utf8).hexadecimal
    return "\(String(decoding: fileName.utf8.prefix(headBytes), as: UTF8.self))~\(digest)-"
  }

  /// The longest name that is not abbreviated; the longest suffix has 90 bytes.
  private static let wholeMax = 160
  private static let headBytes = 120

  private static func isPrefix(_ prefix: String) -> Bool {
    guard prefix.utf8.last == UInt8(ascii: "-") else { return false }
    let name = prefix.dropLast()
    if StoreNameRule.databaseName(for: String(name)).map({ $0 == name }) == true { return true }
    let parts = name.split(separator: "~", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].utf8.count == headBytes && parts[1].utf8.count == 32
      && StoreNameRule.databaseName(for: parts[0] + StoreNameRule.suffix) != nil
  }
}

extension BlobDigest {
  /// The digest that 64 lower-case hexadecimal digits encode.
  init?(hexadecimal digits: some Collection<UInt8>) {
    let digits = Array(digits)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: 64, by: 2) {
      guard let high = hexadecimalValue(digits[place]),
        let low = hexadecimalValue(digits[place + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    guard bytes.hexadecimal.utf8.elementsEqual(digits) else { return nil }
    self.init(bytes: bytes)
  }
}
