internal import Datastore
internal import JSON
internal import Oracles

extension CrashScenario {
  /// All scenarios, in the order of reports.
  public static let all: [CrashScenario] =
    documents + conflicts + upkeep + openings + recoveries + indexes + attachments + uploads
    + replication
    + replicatedContents + versions

  // MARK: Helpers for scenarios

  /// Creates a document.
  static func note(_ id: DocumentID, _ number: Int64) -> StoreAction {
    .create(id: id, body: noted(number))
  }

  /// Creates a document for each number.
  static func notes(_ prefix: String, _ count: Int64) -> [CrashStep] {
    (1...count).map { .perform(note(DocumentID(JSONString("\(prefix)\($0)")), $0)) }
  }

  static func noted(_ number: Int64) -> JSONValue {
    ["kind": "note", "n": .integer(number), "text": "a stone to rub gold on"]
  }

  /// A body larger than a page of the database.
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

  /// Bytes that differ for each seed and in every sector.
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

  /// Uploads a piece of content.
  static func put(_ content: Content, _ range: Range<Int>) -> CrashStep {
    .perform(
      .putBlob(
        digest: content.digest, offset: Int64(range.lowerBound), bytes: content.base64(range)))
  }
}
