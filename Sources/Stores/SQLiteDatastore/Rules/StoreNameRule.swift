internal import Datastore
internal import JSON

/// Which names a store can have, and the file that a name stands for.
///
/// A name is `[a-z][a-z0-9_$()+/-]*`, at most 238 bytes, so that the longest file name, that of the
/// rollback journal, stays within the 255 bytes of common file systems. All letters are lower-case:
/// a file system that does not tell `A` from `a` keeps stores apart all the same. The only byte of
/// a name that no file name can hold is `/`; it is written `:`, which no name holds.
///
///     notes/2026  ->  notes:2026.sqlite
enum StoreNameRule {
  static let bytesMax = 238
  static let suffix = ".sqlite"

  /// The name of the database file, or `badName`.
  static func fileName(for name: StoreName) throws(DatastoreError) -> String {
    let bytes = name.text.utf8
    guard let first = bytes.first, isLetter(first), bytes.count <= bytesMax,
      bytes.allSatisfy(isAllowed)
    else {
      throw DatastoreError(.badName, "'\(name)' is not [a-z][a-z0-9_$()+/-]*")
    }
    let escaped = bytes.map { $0 == slash ? colon : $0 }
    return String(decoding: escaped, as: UTF8.self) + suffix
  }

  /// The files that belong to a database file, in the order in which they are to be removed.
  ///
  /// The database goes first: without its log it has lost its latest writes and still looks whole,
  /// while a log without its database is refused by `open` and removed by the next `destroy`.
  static func family(of fileName: String) -> [String] { endings.map { fileName + $0 } }

  /// The database file that a file belongs to or is; nil when no store has a file of this name.
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
