internal import Datastore
internal import JSON

/// The documents of the benchmarks: small, similar, and the same in every run.
///
/// Ids have no order, like random ids of devices. Each document has a number.
enum Documents {
  /// The id of a document: 16 hexadecimal digits.
  static func id(_ number: Int) -> DocumentID { DocumentID(JSONString(digits(number, salt: 0))) }

  /// The id of a revision in the form of a digest; the branch distinguishes siblings.
  static func rev(_ number: Int, generation: Int, branch: UInt64 = 0) -> RevisionID {
    let salt = UInt64(generation) << 8 | branch << 4
    let suffix = digits(number, salt: salt | 1) + digits(number, salt: salt | 2)
    return RevisionID(JSONString("\(generation)-\(suffix)"))
  }

  /// A body of about 130 bytes with a value of each type.
  static func body(_ number: Int) -> JSONValue {
    [
      "type": "note", "title": .text("Note \(number), written on the way"),
      "text": "A few words, as one has them.", "count": .integer(Int64(number)),
      "rating": .double(Double(number % 10) / 2), "done": .bool(number % 3 == 0),
      "tags": ["home", "later"],
    ]
  }

  /// A body of about 3,000 bytes, most of them words.
  static func longBody(_ number: Int) -> JSONValue {
    [
      "type": "story", "count": .integer(Int64(number)),
      "text": .text(String(repeating: "A few words, as one has them. ", count: 100)),
    ]
  }

  /// A document of two generations, with a body only for the newer one.
  static func record(_ number: Int) -> RevisionRecord {
    RevisionRecord(
      id: id(number), path: [rev(number, generation: 2), rev(number, generation: 1)],
      body: body(number))
  }

  // MARK: A wide document

  /// A child of the root of the one document with many leaves.
  static func leaf(_ number: Int) -> RevisionRecord {
    RevisionRecord(
      id: id(0), path: [rev(number, generation: 2), rev(0, generation: 1)], body: body(number))
  }

  /// This many leaves of one document.
  static func wideDocument(_ leafCount: Int) -> [RevisionRecord] { (0..<leafCount).map(leaf) }

  // MARK: A filled store

  /// True if a document of a filled store is deleted: one in sixteen.
  static func isDeleted(_ number: Int) -> Bool { number % 16 == 8 }

  /// True if a document of a filled store has a second leaf: one in sixteen.
  static func isConflicted(_ number: Int) -> Bool { number % 16 == 0 }

  /// Fills a store with this many documents, a thousand per call.
  static func filling(count: Int) -> [StoreAction] {
    stride(from: 0, to: count, by: 1000).map { start in
      var records: [RevisionRecord] = []
      for number in start..<min(start + 1000, count) {
        var record = record(number)
        record.deleted = isDeleted(number)
        records.append(record)
        if isConflicted(number) {
          record.path[0] = rev(number, generation: 2, branch: 1)
          records.append(record)
        }
      }
      return .insertRevisions(records)
    }
  }

  private static func digits(_ number: Int, salt: UInt64) -> String {
    let generator = RunEnvironment(seed: UInt64(number) << 24 | salt)
    let digits = String(generator.nextRandom(), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
