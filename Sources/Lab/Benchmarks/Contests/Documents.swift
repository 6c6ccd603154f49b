internal import Datastore
internal import JSON

/// The documents of the benchmarks: small, alike, and the same in every run.
///
/// Ids come in no order, as those that devices draw do. Each document is named by a number.
enum Documents {
  /// The id of a document: 16 hexadecimal digits.
  static func id(_ number: Int) -> DocumentID { DocumentID(JSONString(digits(number, salt: 0))) }

  /// The name of a revision as a digest would spell it; the branch tells siblings apart.
  static func rev(_ number: Int, generation: Int, branch: UInt64 = 0) -> RevisionID {
    let salt = UInt64(generation) << 8 | branch << 4
    let suffix = digits(number, salt: salt | 1) + digits(number, salt: salt | 2)
    return RevisionID(JSONString("\(generation)-\(suffix)"))
  }

  /// A body of about 130 bytes with something of each kind.
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

  /// A document of two generations, of which only the newer one has a body.
  static func record(_ number: Int) -> RevisionRecord {
    RevisionRecord(
      id: id(number), path: [rev(number, generation: 2), rev(number, generation: 1)],
      body: body(number))
  }

  // MARK: A wide document

  /// A child of the root of the one document that has many leaves.
  static func leaf(_ number: Int) -> RevisionRecord {
    RevisionRecord(
      id: id(0), path: [rev(number, generation: 2), rev(0, generation: 1)], body: body(number))
  }

  /// As many leaves of one document.
  static func wideDocument(_ leafCount: Int) -> [RevisionRecord] { (0..<leafCount).map(leaf) }

  // MARK: A filled store

  /// Whether a document of a filled store is deleted: one in sixteen.
  static func isDeleted(_ number: Int) -> Bool { number % 16 == 8 }

  /// Whether a document of a filled store has a second leaf: one in sixteen.
  static func isConflicted(_ number: Int) -> Bool { number % 16 == 0 }

  /// Fills a store with as many documents, a thousand per call.
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
