public import JSON

/// How the typed messages look in the CouchDB protocol, both ways, for one database.
///
/// | message | request | answer |
/// |---|---|---|
/// | `info` | `GET /db` | 200 |
/// | `changes` | `GET /db/_changes?style=all_docs&limit=…&since=…`, or `POST` with `filter=_doc_ids` | 200 |
/// | `revsDiff` | `POST /db/_revs_diff` | 200 |
/// | `getRevisions` | `POST /db/_bulk_get?revs=true&latest=true` | 200 |
/// | `insertRevisions` | `POST /db/_bulk_docs` with `new_edits` false | 201 |
/// | `readLocal` | `GET /db/_local/id` | 200 |
/// | `writeLocal` | `PUT /db/_local/id` | 201 |
/// | `flush` | `POST /db/_ensure_full_commit` | 201 |
/// | `readAttachment` | `GET /db/id/name?rev=…` with `Range` | 206, 200 for all of it, 416 behind its end |
/// | `putBlob` | `PUT /db/_blobs/digest?offset=…` | 200 |
///
/// `attachmentsSince` is `attachments=true` with `atts_since` for each document. Attachments of a
/// record are `_attachments` with `data`, `stub` or, where the bytes travel by themselves, `follows`.
/// Our digest stands where servers have their own, and theirs, such as `md5-…`, becomes `ownDigest`.
/// `data` of encoded content are encoded. `_blobs` is an extension: no server of the family has it,
/// and content that is too large for a record does not reach one that lacks it.
///
/// Read `+Requests` and `+Answers` for what is written, `+Reading` and `+ReadingAnswers` for what is
/// understood, `+Documents` for revisions, `+Attachments` for what they have, `+Errors` for
/// refusals. What the protocol cannot say: a filter other than `documentIDs` (the replicator filters
/// itself), the integer 0 as a sequence (it is the beginning), what a piece of content was before it
/// was encoded, and the fields of most errors.
public struct HTTPForm: Hashable, Sendable {
  /// The path of the database as it stands in requests, such as `/notes`.
  public let database: JSONString

  public init(database: JSONString) {
    self.database = database
  }
}
