internal import Datastore
internal import JSON

/// The validation of store names, and the mapping to file names.
///
/// A name is `[a-z][a-z0-9_$()+/-]*`, at most 238 bytes, so that the longest file name, that of the
/// rollback journal, stays within the 255 bytes of common file systems. All letters are lower-case,
/// so stores are also distinct on a case-insensitive file system. The only byte of a name that is
/// not permitted in file names is `/`; it is written as `:`, which names cannot contain.
///
///     notes/2026  ->  notes:2026.sqlite
enum StoreNameRule {
  static let bytesMax = 238
  static let suffix = ".sqlite"

  /// The name of the database file; throws `badName` if the name is not valid.
  static func fileName(for name: StoreName) throws(DatastoreError) -> String {
    let bytes = name.text.utf8
    guard let first = bytes.first, isLetter(first), bytes.count <= bytesMax,
      bytes.allSatisfy(isAllowed)
    else {
      throw DatastoreError(.badName, "'\(name)' does not match [a-z][a-z0-9_$()+/-]*")
    }
    let escaped = bytes.map { $0 == slash ? colon : $0 }
    return String(decoding: escaped, as: UTF8.self) + suffix
  }

  /// The files that belong to a database file, in the order of their removal.
  ///
  /// The database is removed first: without its log it would lack its latest writes but appear
  /// intact, while `open` rejects a log without its database and the next `destroy` removes it.
  static func family(of fileName: String) -> [String] { endings.map { fileName + $0 } }

  /// The database file that a file is or belongs to; nil if no store uses this file name.
  static func databaseName(for fileName: String) -> String? {
    for ending in endings {
      let rest = fileName.utf8.dropLast(ending.utf8.count)
      guard fileName.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8),
        rest.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
      else { continue }
      let name = rest.dropLast(suffix.utf8.count)
      guard let first = name.first, isLetter(first), name.count <= bytesMax,
        name.allSatisfy({ $0 == colon || ($0 != slash && isAllowed($0)) })
      else { continue }
      return String(decoding: rest, as: UTF8.self)
    }
    return nil
  }

  private static let endings = ["", "-wal", "-shm", "-journal"]
  private static let slash = UInt8(ascii: "/")
  private static let colon = UInt8(ascii: ":")

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "+"), slash,
      UInt8(ascii: "-"):
      true
    default: isLetter(byte)
    }
  }
}
