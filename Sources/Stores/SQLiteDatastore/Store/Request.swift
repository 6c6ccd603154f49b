internal import Datastore
internal import JSON

/// An operation on an open store with validated arguments.
///
/// Validation is the first half of every operation and reads only the arguments. Execution is the
/// second half; only there can `notFound`, `conflict` and `forbidden` occur.
///
/// Three operations of replication have thousands of arguments, and a separate pass over these
/// would take longer than their validation. So each argument is validated when it is processed: a
/// failed read has no side effect, and each record has a separate result.
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
  /// Without attachments, those of the kept leaf are kept.
  case resolve(
    id: DocumentID, leaves: [RevisionName], keep: RevisionName, body: CheckedBody?,
    [AttachmentRequest]?)
  case compact
  case purge(id: DocumentID, revs: [RevisionName])
  case historyLimit(Int64)
  /// The writes before the first invalid one, and its error.
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

/// Requested revisions of one document.
struct RevisionsRequest {
  let id: DocumentID
  let revs: [RevisionName]
  let latest: Bool
  /// The revisions that the client has; nil requests stubs only.
  let attachmentsSince: [RevisionName]?
}

/// A replicated revision with its history.
struct RecordRequest {
  let id: DocumentID
  /// The path, newest first.
  let path: [RevisionName]
  let deleted: Bool
  let body: CheckedBody
  let attachments: [AttachmentRequest]
}
