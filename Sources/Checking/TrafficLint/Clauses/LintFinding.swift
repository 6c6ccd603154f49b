/// A violation of a clause in recorded traffic.
public struct LintFinding: Hashable, Sendable {
  /// An exchange that shows the violation.
  public struct Evidence: Hashable, Sendable {
    /// The number of the exchange in the transcript.
    public var number: Int
    /// The request and the status of the response.
    public var line: String
    /// What the exchange shows.
    public var note: String
  }

  /// The violated clause.
  public var clause: LintClause
  /// What was found, as a sentence.
  public var sentence: String
  /// The exchanges that show it, in the order of the transcript.
  public var evidence: [Evidence]
}

/// The result of the check of one transcript.
public struct LintReport: Sendable {
  /// The number of exchanges.
  public var exchangeCount = 0
  /// The number of sessions, counted by their first reads of a feed.
  public var sessionCount = 0
  /// The pairs of a client and a source that a feed was read from.
  public var feedCount = 0
  /// The findings, by their first exchange; at most `LintReport.shownMax` of each clause.
  public var findings: [LintFinding] = []
  /// The number of all findings by clause, in the order of the clauses.
  public var counts: [(clause: LintClause, count: Int)] = []

  /// The number of findings of one clause that are kept with their exchanges.
  public static let shownMax = 20

  /// The number of all findings of a level.
  public func count(_ level: LintClause.Level) -> Int {
    counts.reduce(0) { $0 + ($1.clause.level == level ? $1.count : 0) }
  }
}
