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
    let escaped = bytes.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: ":") : $0 }
    return String(decoding: escaped, as: UTF8.self) + suffix
  }

  /// The files that belong to a database file, in the order in which they are to be removed.
  ///
  /// The database goes first: once it is gone, SQLite takes a journal or a log that stays behind
  /// for none of its own, while a database without its log has lost its latest writes.
  static func family(of fileName: String) -> [String] {
    ["", "-wal", "-shm", "-journal"].map { fileName + $0 }
  }

  /// Whether a file is a database or belongs to one.
  static func isOurs(_ fileName: String) -> Bool {
    family(of: suffix).contains { ending in
      fileName.utf8.count > ending.utf8.count
        && fileName.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "+"), UInt8(ascii: "/"),
      UInt8(ascii: "-"):
      true
    default: isLetter(byte)
    }
  }
}
