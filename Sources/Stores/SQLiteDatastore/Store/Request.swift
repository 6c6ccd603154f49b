internal import Datastore
internal import JSON

/// An operation on an open store whose arguments are all well spelled.
///
/// Making one is the first half of every operation and reads nothing but the arguments; executing
/// it is the second, and only there `notFound`, `conflict` and `forbidden` can come up.
///
/// Three of replication come with thousands of arguments, and a pass of its own over these takes longer
/// than their check. So each is checked where it is carried out: nothing but an answer is lost when a
/// question fails, and each record has a result of its own.
enum Request {
  case info
  case create(id: DocumentID, body: CheckedBody, [AttachmentRequest])
  case update(id: DocumentID, rev: RevisionName, body: CheckedBody, [AttachmentRequest])
  case delete(id: DocumentID, rev: RevisionName, body: CheckedBody)
  case read(id: DocumentID, rev: RevisionName?)
  case list(from: DocumentID?, limit: Int64?, descending: Bool)
  case leaves(id: DocumentID)
  case changes(since: UpdateSequence?, limit: Int64?)
  case revsDiff([RevisionQuery], ArgumentCheck)
  case getRevisions([RevisionQuery], ArgumentCheck)
  case insertRevisions([RevisionRecord], ArgumentCheck)
  case readLocal(id: DocumentID)
  case writeLocal(id: DocumentID, body: CheckedBody?)
  /// Without attachments those of the kept leaf stay.
  case resolve(
    id: DocumentID, leaves: [RevisionName], keep: RevisionName, body: CheckedBody?,
    [AttachmentRequest]?)
  case compact
  case purge(id: DocumentID, revs: [RevisionName])
  case historyLimit(Int64)
  /// Writes up to the first one that is not well spelled, and what is wrong with that.
  case batch([Request], DatastoreError?)
  case setValidation(JSONString?)
  case flush
  case readAttachment(
    id: DocumentID, rev: RevisionName?, name: JSONString, offset: Int64, limit: Int64?)
  case putBlob(BlobDigest, offset: Int64, bytes: [UInt8])
  case finding(FindingRequest)

  /// Whether the operation may change the file.
  var isWrite: Bool {
    switch self {
    case .info, .read, .list, .leaves, .changes, .revsDiff, .getRevisions, .readLocal, .flush,
      .readAttachment:
      false
    case .finding(let request): request.isWrite
    default: true
    }
  }
}

/// Revisions of one document that are asked about.
struct RevisionsRequest {
  let id: DocumentID
  let revs: [RevisionName]
  let latest: Bool
  /// The revisions that the asker has; nil asks for stubs only.
  let attachmentsSince: [RevisionName]?
}

/// A revision that arrives with its history.
struct RecordRequest {
  let id: DocumentID
  /// Newest first.
  let path: [RevisionName]
  let deleted: Bool
  let body: CheckedBody
  let attachments: [AttachmentRequest]
}
