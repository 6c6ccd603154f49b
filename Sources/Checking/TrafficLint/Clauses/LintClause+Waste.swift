// The clauses about wasted transfers.

extension LintClause {
  static let wasteClauses: [LintClause] = [
    .fetchKnown, .fetchAgain, .writeAgain, .askAgain, .askOneByOne, .attachmentsAgain,
    .emptyRequest,
  ]

  static let fetchKnown = LintClause(
    "LNT-040", .should,
    sentence:
      "A replicator does not fetch a revision that the target reported as known.")

  static let fetchAgain = LintClause(
    "LNT-041", .should,
    sentence:
      "A replicator does not fetch a revision again after the target acknowledged its "
      + "write.")

  static let writeAgain = LintClause(
    "LNT-042", .should,
    sentence:
      "A replicator does not write a revision again after the target acknowledged its "
      + "write.")

  static let askAgain = LintClause(
    "LNT-043", .should,
    sentence:
      "A replicator does not ask for a revision again in a session in which the target has "
      + "it.")

  static let askOneByOne = LintClause(
    "LNT-044", .should,
    sentence:
      "A replicator sends _revs_diff for many documents at once while more rows of the feed "
      + "wait.")

  static let attachmentsAgain = LintClause(
    "LNT-045", .should,
    sentence:
      "A replicator names possible_ancestors in atts_since, so that the source omits "
      + "attachments that the target has.")

  static let emptyRequest = LintClause(
    "LNT-046", .should,
    sentence:
      "A replicator does not send _revs_diff, _bulk_get or _bulk_docs without documents.")
}
