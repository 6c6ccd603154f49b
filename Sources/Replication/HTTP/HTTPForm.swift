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
///
/// Read `+Requests` and `+Answers` for what is written, `+Reading` and `+ReadingAnswers` for what is
/// understood, `+Documents` for revisions, `+Errors` for refusals. What the protocol cannot say: a
/// filter other than `documentIDs` (the replicator filters itself), the integer 0 as a sequence (it
/// is the beginning), and the fields of most errors.
public struct HTTPForm: Hashable, Sendable {
  /// The path of the database as it stands in requests, such as `/notes`.
  public let database: Text

  public init(database: Text) {
    self.database = database
  }
}
