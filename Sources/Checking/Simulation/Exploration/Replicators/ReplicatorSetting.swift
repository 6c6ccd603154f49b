internal import Datastore
internal import JSON
internal import Oracles
internal import Replication

/// What a replicator is explored with: the content of both stores, the filter of each run, and how
/// the replicator is configured.
public struct ReplicatorSetting: Sendable {
  /// The name of the setting, such as `plain-1`.
  public let name: String
  /// What the setting is for, in one sentence.
  public let sentence: String
  /// Rows of one page of changes, and revisions of one fetch.
  public var batch: Int64 = 1
  /// How often a request is sent before it counts as failed.
  public var attempts = 2
  /// Whether the pause between two checkpoints is over at once; otherwise it never is.
  public var savesEarly = false
  /// The filter of each of the three runs.
  var filters: [Filter?] = [nil, nil, nil]
  /// Whether a revision passes the filter of a run (0 to 2) and the validation of the target; written by hand, so that it shares
  /// nothing with the evaluation that it checks.
  var admits: @Sendable (_ run: Int, RevisionRecord) -> Bool = { _, _ in true }
  /// What the target refuses to store.
  var refusal: Filter?
  /// Whether a run without faults goes from the target to the source first.
  var reversesFirst = false
  /// The longest content that one message carries; nil for the default of the stores.
  var inlineBytesMax: Int?
  /// Whether one document has an attachment; not where the store under test has none.
  var hasAttachment = true
  /// Small documents beside those that every setting has.
  var documentsMore = 0
  /// The most events of one run, whatever the scope says.
  public var eventsMax = 2
  /// Whether a machine behind `replicate` can be told everything that the setting needs.
  var isForForeign = true

  /// What the chance of a foreign store follows from.
  let seed: UInt64 = 1

  init(_ name: String, _ sentence: String) {
    self.name = name
    self.sentence = sentence
  }

  /// The documents that clients write, purge and delete. The others differ from them in nothing but
  /// their names.
  static let eventDocuments: [DocumentID] = ["a", "p"]
  static let newDocument: DocumentID = "n"
}

extension ReplicatorSetting {
  /// The records of the source at the beginning, beside the document with an attachment.
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
  /// 150 bytes: several pieces in the setting with small messages.
  static let content = Content((0..<150).map { UInt8($0) })

  /// What makes the source, in order.
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
          Self.attachmentName, content, type: "text/plain", digest: Self.content.digest)
      ])
  }

  /// What makes the target, in order.
  var targetWrites: [StoreAction] {
    [.open(), .insertRevisions(targetRecords)]
      + (refusal == nil ? [] : [.setValidation(refuse: refusal)])
  }

  /// Whether what a revision holds decides whether a run brings it.
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
