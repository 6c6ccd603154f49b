internal import Datastore
internal import JSON

/// The revisions of some documents as small numbers, with everything about them that never changes.
struct RevisionNames {
  /// The number of a document or of a local document.
  typealias DocumentNumber = Int32
  /// The number of a revision of one document.
  typealias Number = Int32

  private struct Key: Hashable {
    var document: DocumentNumber
    var rev: RevisionID
  }

  private var numbers: [Key: Number] = [:]
  private(set) var ids: [RevisionID] = []
  private(set) var documents: [DocumentNumber] = []
  private(set) var generations: [Int64] = []
  /// The content of each revision, as a number; nil if it is not known.
  var contents: [Int32?] = []
  /// Whether a tombstone has this name; nil if that is not known.
  var deletions: [Bool?] = []
  /// The parent by a path that someone read or wrote; nil if it is not known.
  var parents: [Number?] = []
  /// The contents of the attachments that the writer gave, in base64; nil if it is not known which.
  var attachments: [[JSONString: JSONString]?] = []
  /// Whether the revision stands for one without an observed name.
  private(set) var isUnnamed: [Bool] = []
  /// Whether the answer to a write, or a request to insert it, has the name.
  var hasWriter: [Bool] = []
  /// The places of the revisions in the order of generations and suffixes.
  private(set) var ranks: [Int32] = []

  private var contentNumbers: [JSONValue: Int32] = [:]
  /// The contents by their numbers.
  private(set) var bodies: [JSONValue] = []

  var count: Int { ids.count }

  /// The number of a revision, which is new if the revision is.
  mutating func number(_ rev: RevisionID, _ document: DocumentNumber) -> Number {
    let key = Key(document: document, rev: rev)
    if let number = numbers[key] { return number }
    let number = append(rev, document, generation: Self.generation(rev))
    numbers[key] = number
    return number
  }

  /// The number for the unobserved name of a new revision.
  mutating func unnamed(_ document: DocumentNumber, generation: Int64) -> Number {
    let number = append(RevisionID(JSONString("\(generation)-?")), document, generation: generation)
    isUnnamed[Int(number)] = true
    return number
  }

  private mutating func append(
    _ rev: RevisionID, _ document: DocumentNumber, generation: Int64
  ) -> Number {
    ids.append(rev)
    documents.append(document)
    generations.append(generation)
    contents.append(nil)
    deletions.append(nil)
    parents.append(nil)
    attachments.append(nil)
    isUnnamed.append(false)
    hasWriter.append(false)
    return Number(ids.count - 1)
  }

  /// A number that is the same for equal contents.
  mutating func content(_ body: JSONValue) -> Int32 {
    if let number = contentNumbers[body] { return number }
    let number = Int32(contentNumbers.count)
    contentNumbers[body] = number
    bodies.append(body)
    return number
  }

  /// Orders the revisions, after the last name was added.
  mutating func rank() {
    let order = ids.indices.sorted { left, right in
      if generations[left] != generations[right] { return generations[left] < generations[right] }
      return ids[left].text.string.utf8.lexicographicallyPrecedes(ids[right].text.string.utf8)
    }
    ranks = Array(repeating: 0, count: ids.count)
    for (place, number) in order.enumerated() { ranks[number] = Int32(place) }
  }

  /// The number before the first hyphen of a revision id; 0 without one.
  static func generation(_ rev: RevisionID) -> Int64 {
    var number: Int64 = 0
    for byte in rev.text.utf8 {
      guard (48...57).contains(byte), number < 1 << 53 else { return byte == 45 ? number : 0 }
      number = number * 10 + Int64(byte - 48)
    }
    return 0
  }
}
