internal import Datastore
internal import JSON
internal import Scenarios

/// The end of a run that avoids a finding.
struct ContinuationGoal {
  /// The document that must end without a loss and a divergence; nil for all documents.
  let document: DocumentID?
  /// Whether the replicas must only converge.
  let isConvergence: Bool
  /// Whether the running sessions do not go on: a checkpoint must be right whenever a session ends.
  let endsSessions: Bool
  /// Whether the finding itself is a loss or a divergence, or the cause of one. Any other finding may
  /// have none in the end.
  let isCertain: Bool

  /// Checkers of the final state whose findings are a loss or a divergence.
  private static let losses: Set<JSONString> = ["fate", "convergence", "attachments", "contents"]

  /// Nil for a finding that no later event changes, such as a crash of a store.
  init?(avoiding finding: Trace.Finding) {
    document = finding.document
    endsSessions = finding.oracle == "checkpoint"
    isConvergence = finding.oracle == "liveness"
    switch finding.oracle {
    case "checkpoint": isCertain = finding.document != nil
    case "fate", "convergence", "liveness": isCertain = true
    case "model", "winner", "contents", "attachments", "identity": isCertain = false
    default: return nil
    }
  }

  func isReached(by state: World.FinalState) -> Bool {
    guard let firstOfEnd = state.firstOfEnd else { return false }
    guard !isConvergence else { return !state.findings.contains { $0.oracle == "liveness" } }
    return !state.findings[firstOfEnd...].contains {
      Self.losses.contains($0.oracle) && (document == nil || $0.document == document)
    }
  }
}
