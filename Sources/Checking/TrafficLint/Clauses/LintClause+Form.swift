// The clauses about the form of requests.

extension LintClause {
  static let formClauses: [LintClause] = [
    .requestJSON, .writeIdentified, .writeHistory, .requestRevision, .multipartForm,
    .requestShape, .requestType, .revisionList,
  ]

  static let requestJSON = LintClause(
    "LNT-050", .must,
    sentence:
      "The body of a request to a JSON endpoint is JSON.")

  static let writeIdentified = LintClause(
    "LNT-051", .must,
    sentence:
      "A document in a write with new_edits=false has an _id, and a _rev or _revisions.")

  static let writeHistory = LintClause(
    "LNT-052", .must,
    sentence:
      "The _revisions of a written document begin with its _rev and have no more ids than "
      + "generations.")

  static let requestRevision = LintClause(
    "LNT-053", .must,
    sentence:
      "A revision id in a request is a generation from 1, a hyphen and a suffix.")

  static let multipartForm = LintClause(
    "LNT-054", .must,
    sentence:
      "A multipart body has a boundary in its Content-Type, and begins and ends with the "
      + "boundary.")

  static let requestShape = LintClause(
    "LNT-055", .must,
    sentence:
      "The body of _revs_diff, _bulk_get and _bulk_docs has the shape of its endpoint.")

  static let requestType = LintClause(
    "LNT-056", .must,
    sentence:
      "A JSON body has the Content-Type application/json.")

  static let revisionList = LintClause(
    "LNT-057", .must,
    sentence:
      "open_revs is all or a JSON array of revision ids, and atts_since is a JSON array of "
      + "them.")
}
