internal import Datastore
internal import JSON
internal import Oracles
internal import Replication

/// The setup of an exploration: the contents of both stores, the filter of each run, and the
/// configuration of the replicator.
public struct ReplicatorSetting: Sendable {
  /// The name of the setting, such as `plain-1`.
  public let name: String
  /// The purpose of the setting, in one sentence.
  public let sentence: String
  /// Rows of one page of changes, and revisions of one fetch.
  public var batch: Int64 = 1
  /// The number of attempts before a request counts as failed.
  public var attempts = 2
  /// Whether the pause between two checkpoints ends at once; otherwise it never ends.
  public var savesEarly = false
  /// The filter of each of the three runs.
  var filters: [Filter?] = [nil, nil, nil]
  /// Whether a revision passes the filter of a run (0 to 2) and the validation of the target;
  /// written by hand, independently of the evaluation that it checks.
  var admits: @Sendable (_ run: Int, RevisionRecord) -> Bool = { _, _ in true }
  /// The revisions that the target rejects.
  var refusal: Filter?
  /// Whether a run without faults goes from the target to the source first.
  var reversesFirst = false
  /// The maximum length of content in one message, in bytes; nil for the default of the stores.
  var inlineBytesMax: Int?
  /// Whether one document has an attachment; false if the store under test does not support them.
  var hasAttachment = true
  /// Whether both stores offer `attachmentPieces`.
  var readsPieces = true
  /// The number of small documents in addition to those of every setting.
  var documentsMore = 0
  /// The maximum number of events of one run in any scope.
  public var eventsMax = 2
  /// Whether `replicate` can express everything that the setting needs.
  var isForForeign = true

  /// The seed of a foreign store.
  let seed: UInt64 = 1

  init(_ name: String, _ sentence: String) {
    self.name = name
    self.sentence = sentence
  }

  /// The documents that clients write, purge and delete. The others differ only in their names.
  static let eventDocuments: [DocumentID] = ["a", "p"]
  static let newDocument: DocumentID = "n"
}

extension ReplicatorSetting {
  /// The initial records of the source, without the document with an attachment.
  var sourceRecords: [RevisionRecord] {
    var records = [
      RevisionRecord(
        id: "e", path: ["2-e2", "1-e1"], deleted: true, body: ["kind": "one"]),
      RevisionRecord(id: "a", path: ["2-a3", "1-a1"], body: ["kind": "two", "n": 3]),
      RevisionRecord(id: "a", path: ["2-a2", "1-a1"], body: ["kind": "one", "n": 2]),
      RevisionRecord(id: "b", path: ["3-b3", "2-b2", "1-b1"], body: ["kind": "three"]),
      RevisionRecord(id: "b", path: ["2-b9", "1-b8"], deleted: true, body: ["kind": "three"]),
      RevisionRecord(id: "50%25", path: ["1-f1"], body: ["kind": "secret"]),
    ]
    for number in 0..<documentsMore {
      let id = DocumentID(JSONString("m\(10 + number)"))
      records.append(RevisionRecord(id: id, path: ["1-m1"], body: ["kind": "one"]))
    }
    return records
  }

  /// A rival of `a` with another root, and a document that the source does not have.
  var targetRecords: [RevisionRecord] {
    [
      RevisionRecord(id: "a", path: ["1-a9"], body: ["kind": "two", "n": 9]),
      RevisionRecord(id: "t", path: ["1-t1"], body: ["kind": "two"]),
    ]
  }

  static let attachmentName: JSONString = "text"
  /// The name of an attachment that is empty at first, and has new content after each update.
  static let noteName: JSONString = "note"
  /// 150 bytes: several pieces in the setting with small messages.
  static let content = Content((0..<150).map { UInt8($0) })

  /// The writes that set up the source, in order.
  var sourceWrites: [StoreAction] {
    guard hasAttachment else {
      return [
        .open(), .insertRevisions(sourceRecords), .create(id: "p", body: ["kind": "one"]),
      ]
    }
    let bytes = Self.content.bytes.indices
    guard let inlineBytesMax else {
      return [
        .open(), .insertRevisions(sourceRecords), attaching(.data(Self.content.base64(bytes))),
      ]
    }
    let pieces = stride(from: 0, to: bytes.count, by: inlineBytesMax).map { offset -> StoreAction in
      let piece = Self.content.base64(offset..<min(offset + inlineBytesMax, bytes.count))
      return .putBlob(digest: Self.content.digest, offset: Int64(offset), bytes: piece)
    }
    return [.open(), .insertRevisions(sourceRecords)] + pieces + [attaching(.chunks)]
  }

  private func attaching(_ content: RevisionAttachment.Content) -> StoreAction {
    .create(
      id: "p", body: ["kind": "one"],
      attachments: [
        RevisionAttachment(
          Self.attachmentName, content, type: "text/plain", digest: Self.content.digest),
        RevisionAttachment(Self.noteName, .data(""), type: "image/png"),
      ])
  }

  /// The writes that set up the target, in order.
  var targetWrites: [StoreAction] {
    [.open(), .insertRevisions(targetRecords)]
      + (refusal == nil ? [] : [.setValidation(refuse: refusal)])
  }

  /// Whether a run selects revisions by their content.
  func checksRecords(run: Int) -> Bool { filters[run] != nil || refusal != nil }

  func configuration(run: Int) -> ReplicatorConfiguration {
    var configuration = ReplicatorConfiguration()
    configuration.filter = filters[run]
    configuration.pageRows = batch
    configuration.batchRevisions = Int(batch)
    configuration.attemptsMax = attempts
    if let inlineBytesMax { configuration.pieceBytes = Int64(inlineBytesMax) / 4 * 3 + 1 }
    return configuration
  }
}
