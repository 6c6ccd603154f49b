// The clauses about the order of requests.

extension LintClause {
  static let orderClauses: [LintClause] = [
    .databaseInformation, .askedBeforeFetch, .checkpointRead, .writtenAfterFetch,
    .fetchWithHistory, .fetchLatest, .recreatedDatabase,
  ]

  static let databaseInformation = LintClause(
    "LNT-001", .should,
    sentence:
      "A replicator reads the information of a database before it uses the database.")

  static let askedBeforeFetch = LintClause(
    "LNT-002", .should,
    sentence:
      "A replicator asks the target with _revs_diff for a listed revision before it fetches "
      + "the revision.")

  static let checkpointRead = LintClause(
    "LNT-003", .should,
    sentence:
      "A replicator reads a checkpoint document before it writes the document.")

  static let writtenAfterFetch = LintClause(
    "LNT-004", .must,
    sentence:
      "A replicator writes only revisions that it received from the source.")

  static let fetchWithHistory = LintClause(
    "LNT-005", .must,
    sentence:
      "A replicator fetches revisions with revs=true, because the target needs their "
      + "ancestors.")

  static let fetchLatest = LintClause(
    "LNT-006", .should,
    sentence:
      "A replicator fetches revisions with latest=true, because an updated revision may no "
      + "longer have a body.")

  static let recreatedDatabase = LintClause(
    "LNT-007", .must,
    sentence:
      "A replicator does not write a checkpoint after a database was created again during "
      + "the session.")
}
