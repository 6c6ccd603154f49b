// The clauses about responses of servers.

extension LintClause {
  static let serverClauses: [LintClause] = [
    .missingAcknowledged, .missingUnasked, .ancestorGeneration, .feedLastSequence, .feedDuplicate,
    .feedRow, .bulkGetComplete, .attachmentsIgnored, .responseJSON, .responseRevision,
    .fetchedHistory, .fetchedOther, .acknowledgedOther, .bulkRowUnknown,
  ]

  static let missingAcknowledged = LintClause(
    "LNT-060", .must, binds: .server,
    sentence:
      "_revs_diff does not report a revision as missing whose write the same database "
      + "acknowledged.")

  static let missingUnasked = LintClause(
    "LNT-061", .must, binds: .server,
    sentence:
      "_revs_diff reports only revisions that the request names.")

  static let ancestorGeneration = LintClause(
    "LNT-062", .should, binds: .server,
    sentence:
      "possible_ancestors have lower generations than the highest missing revision.")

  static let feedLastSequence = LintClause(
    "LNT-063", .must, binds: .server,
    sentence:
      "A page of the feed has results and last_seq.")

  static let feedDuplicate = LintClause(
    "LNT-064", .must, binds: .server,
    sentence:
      "A page of the feed has one row for each document.")

  static let feedRow = LintClause(
    "LNT-065", .must, binds: .server,
    sentence:
      "A row of the feed has an id, a seq and a list of changes with at least one rev.")

  static let bulkGetComplete = LintClause(
    "LNT-066", .must, binds: .server,
    sentence:
      "The response to _bulk_get has a document or an error for each requested revision.")

  static let attachmentsIgnored = LintClause(
    "LNT-067", .should, binds: .server,
    sentence:
      "A source omits the content of attachments that a revision in atts_since already has.")

  static let responseJSON = LintClause(
    "LNT-068", .must, binds: .server,
    sentence:
      "The body of a successful response of a JSON endpoint is JSON of the expected shape.")

  static let responseRevision = LintClause(
    "LNT-069", .must, binds: .server,
    sentence:
      "A revision id in a response is a generation from 1, a hyphen and a suffix.")

  static let fetchedHistory = LintClause(
    "LNT-070", .must, binds: .server,
    sentence:
      "The _revisions of a fetched document begin with its _rev and have no more ids than "
      + "generations.")

  static let fetchedOther = LintClause(
    "LNT-071", .must, binds: .server,
    sentence:
      "A fetch returns only requested revisions and, with latest=true, their descendants.")

  static let acknowledgedOther = LintClause(
    "LNT-072", .must, binds: .server,
    sentence:
      "The response to a write with new_edits=false has the id and the revision of the "
      + "request.")

  static let bulkRowUnknown = LintClause(
    "LNT-073", .must, binds: .server,
    sentence:
      "The response to _bulk_docs names only documents of the request.")
}
