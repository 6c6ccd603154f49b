public import JSON

/// The encoding of the typed messages in the CouchDB protocol, in both directions, for a database.
///
/// | message | request | response |
/// |---|---|---|
/// | `info` | `GET /db` | 200 |
/// | `changes` | `GET /db/_changes?style=all_docs&limit=…&since=…`, or `POST` with `filter=_doc_ids` | 200 |
/// | `revsDiff` | `POST /db/_revs_diff` | 200 |
/// | `getRevisions` | `POST /db/_bulk_get?revs=true&latest=true` | 200 |
/// | `insertRevisions` | `POST /db/_bulk_docs` with `new_edits` false | 201 |
/// | `readLocal` | `GET /db/_local/id` | 200 |
/// | `writeLocal` | `PUT /db/_local/id` | 201 |
/// | `flush` | `POST /db/_ensure_full_commit` | 201 |
/// | `readAttachment` | `GET /db/id/name?rev=…` with `Range` | 206, 200 for all of it, 416 beyond its end |
/// | `putBlob` | `PUT /db/_blobs/digest?offset=…` | 200 |
///
/// `attachmentsSince` is `attachments=true` with `atts_since` for each document. Attachments of a
/// record are `_attachments` with `data`, `stub` or, for bytes that are transferred separately,
/// `follows`. Our digest replaces that of the server in `digest`; the server's own digest, such as
/// `md5-…`, is read as `ownDigest`. `data` of encoded content is encoded. `_blobs` is an extension:
/// no server of the family supports it, and content that is too large for a record cannot be sent to
/// a server without it.
///
/// `+Requests` and `+Answers` encode messages, `+Reading` and `+ReadingAnswers` decode them;
/// `+Documents` converts revisions, `+Attachments` their attachments, `+Errors` errors. The protocol
/// cannot encode a filter other than `documentIDs` (the replicator evaluates it), the integer 0 as a
/// sequence (it is the beginning), the decoded form of a chunk of content, and the fields of most
/// errors.
public struct HTTPForm: Hashable, Sendable {
  /// The path of the database in requests, such as `/notes`.
  public let database: JSONString

  public init(database: JSONString) {
    self.database = database
  }
}
