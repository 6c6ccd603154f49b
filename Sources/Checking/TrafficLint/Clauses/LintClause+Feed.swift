// The clauses about the feed of the source.

extension LintClause {
  static let feedClauses: [LintClause] = [
    .feedStyle, .feedSince,
  ]

  static let feedStyle = LintClause(
    "LNT-030", .must,
    sentence:
      "A replicator reads the feed with style=all_docs, or states style=main_only if only "
      + "winners are replicated.")

  static let feedSince = LintClause(
    "LNT-031", .must,
    sentence:
      "The value of since is 0, now, or a sequence that the source returned.")
}
