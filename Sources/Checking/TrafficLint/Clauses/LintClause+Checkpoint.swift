// The clauses about checkpoints.

extension LintClause {
  static let checkpointClauses: [LintClause] = [
    .checkpointUnasked, .checkpointUnfetched, .checkpointFailedFetch, .checkpointUnwritten,
    .checkpointUnacknowledged, .checkpointFailedWrite, .checkpointRowError, .checkpointSequence,
    .checkpointOneSide, .checkpointDiffers, .checkpointBackwards, .checkpointHistory,
    .resumeAboveCommon, .checkpointForm, .checkpointNewestEntry, .checkpointUnchanged,
  ]

  static let checkpointUnasked = LintClause(
    "LNT-010", .must,
    sentence:
      "A checkpoint covers no leaf for which the target gave no answer to _revs_diff.")

  static let checkpointUnfetched = LintClause(
    "LNT-011", .must,
    sentence:
      "A checkpoint covers no missing revision that was never fetched.")

  static let checkpointFailedFetch = LintClause(
    "LNT-012", .must,
    sentence:
      "A checkpoint covers no missing revision whose fetch failed.")

  static let checkpointUnwritten = LintClause(
    "LNT-013", .must,
    sentence:
      "A checkpoint covers no fetched revision that was never written.")

  static let checkpointUnacknowledged = LintClause(
    "LNT-014", .must,
    sentence:
      "A checkpoint covers no write that the target has not yet acknowledged.")

  static let checkpointFailedWrite = LintClause(
    "LNT-015", .must,
    sentence:
      "A checkpoint covers no write that the target answered with a temporary error.")

  static let checkpointRowError = LintClause(
    "LNT-016", .should,
    sentence:
      "A checkpoint covers no document whose row in the response to _bulk_docs has a "
      + "temporary error.")

  static let checkpointSequence = LintClause(
    "LNT-017", .must,
    sentence:
      "A checkpoint records only a sequence that the source returned.")

  static let checkpointOneSide = LintClause(
    "LNT-018", .must,
    sentence:
      "A replicator writes each checkpoint to the source and to the target.")

  static let checkpointDiffers = LintClause(
    "LNT-019", .should,
    sentence:
      "A replicator records the same sequence and session in the source and in the target.")

  static let checkpointBackwards = LintClause(
    "LNT-020", .should,
    sentence:
      "A checkpoint does not move backwards within a session.")

  static let checkpointHistory = LintClause(
    "LNT-021", .should,
    sentence:
      "The history of a checkpoint has at most 50 entries.")

  static let resumeAboveCommon = LintClause(
    "LNT-022", .must,
    sentence:
      "A session resumes at or before the newest checkpoint that source and target have in "
      + "common.")

  static let checkpointForm = LintClause(
    "LNT-023", .must,
    sentence:
      "A checkpoint has a session_id, a sequence, and a history with the session_id of each "
      + "entry.")

  static let checkpointNewestEntry = LintClause(
    "LNT-024", .should,
    sentence:
      "The first entry of the history has the session_id and the sequence of the "
      + "checkpoint.")

  static let checkpointUnchanged = LintClause(
    "LNT-025", .should,
    sentence:
      "A replicator writes no checkpoint with the sequence that both sides already have.")
}
