/// A rule of the replication protocol that recorded traffic can violate.
///
/// Ids never change. A clause that is no longer checked keeps its id, and no other clause gets it.
public struct LintClause: Hashable, Sendable {
  /// The obligation of a clause.
  public enum Level: String, Hashable, Sendable {
    /// A violation loses or invents data, or is rejected by a server.
    case must = "MUST"
    /// A violation costs work, or is safe only under further conditions.
    case should = "SHOULD"
  }

  /// The side that a clause binds.
  public enum Party: String, Hashable, Sendable {
    /// The replicator.
    case client
    /// The server of the source or of the target.
    case server
  }

  /// The id, such as `LNT-001`.
  public let id: String
  /// The obligation.
  public let level: Level
  /// The side that it binds.
  public let party: Party
  /// The rule, as one sentence.
  public let sentence: String

  init(_ id: String, _ level: Level, binds party: Party = .client, sentence: String) {
    self.id = id
    self.level = level
    self.party = party
    self.sentence = sentence
  }
}

extension LintClause {
  /// All clauses, in the order of their ids.
  public static let all: [LintClause] =
    orderClauses + checkpointClauses + feedClauses + wasteClauses + formClauses + serverClauses

  /// The table of all clauses in Markdown, as `docs/lint.md` has it.
  public static var markdownTable: String {
    let rows = all.map {
      "| \($0.id) | \($0.level.rawValue) | \($0.party.rawValue) | \($0.sentence) |\n"
    }
    return "| clause | level | binds | rule |\n|---|---|---|---|\n" + rows.joined()
  }
}
