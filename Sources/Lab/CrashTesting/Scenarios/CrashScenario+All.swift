internal import Datastore
internal import JSON
internal import Oracles

extension CrashScenario {
  /// All of them, in the order in which they are shown.
  public static let all: [CrashScenario] =
    documents + conflicts + upkeep + openings + recoveries + indexes + attachments + uploads
    + replication
    + replicatedContents + versions

  // MARK: Words for what scenarios do

  /// Makes a document.
  static func note(_ id: DocumentID, _ number: Int64) -> StoreAction {
    .create(id: id, body: noted(number))
  }

  /// Makes a document for each of so many numbers.
  static func notes(_ prefix: String, _ count: Int64) -> [CrashStep] {
    (1...count).map { .perform(note(DocumentID(JSONString("\(prefix)\($0)")), $0)) }
  }

  static func noted(_ number: Int64) -> JSONValue {
    ["kind": "note", "n": .integer(number), "text": "a stone to rub gold on"]
  }

  /// A body that does not fit on a page of the database.
  static func long(_ count: Int) -> JSONValue {
    ["kind": "note", "n": 7, "text": .text(String(repeating: "stone ", count: count / 6))]
  }

  static func record(
    _ id: DocumentID, _ path: [RevisionID], number: Int64 = 1, deleted: Bool = false,
    attachments: [RevisionAttachment] = []
  ) -> RevisionRecord {
    RevisionRecord(
      id: id, path: path, deleted: deleted, body: deleted ? [:] : noted(number),
      attachments: attachments)
  }

  /// Some bytes that no other seed gives, and that no sector shares with the next one.
  static func content(_ seed: UInt64, count: Int) -> Content {
    let environment = RunEnvironment(seed: seed)
    return Content(environment.randomBytes(count))
  }

  static func data(_ name: JSONString, _ content: Content) -> RevisionAttachment {
    RevisionAttachment(
      name, .data(content.base64(content.bytes.indices)), type: "application/octet-stream")
  }

  static func stub(_ name: JSONString) -> RevisionAttachment { RevisionAttachment(name, .stub) }

  static func held(_ name: JSONString, _ content: Content) -> RevisionAttachment {
    RevisionAttachment(
      name, .chunks, type: "application/octet-stream", digest: content.digest)
  }

  /// Brings a part of content by itself.
  static func put(_ content: Content, _ range: Range<Int>) -> CrashStep {
    .perform(
      .putBlob(
        digest: content.digest, offset: Int64(range.lowerBound), bytes: content.base64(range)))
  }
}
