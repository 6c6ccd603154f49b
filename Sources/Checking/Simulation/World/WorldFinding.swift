package import Datastore
package import JSON
package import Oracles
internal import Replication
package import Scenarios

/// Something that must not happen in a run, as data.
package enum WorldFinding {
  case oracle(OracleFinding)
  /// A store returned an outcome that the rules do not permit.
  case model(replica: JSONString, StoreOperation, Outcome, accepted: [Outcome])
  /// An implementation exited, hung or answered malformed messages.
  case breakdown(replica: JSONString?, HarnessError.Breakdown, message: String, log: String)
  /// The queue does not become empty.
  case endless(events: Int)
  /// Replication copies something in every round, and there are no writes.
  case restless
  /// A session failed after the end of all faults.
  case session(name: JSONString, state: JSONString, reasons: [JSONString])
  /// A session failed although none of its requests had failed.
  case needlessError(name: JSONString, reasons: [JSONString])
  /// A session sent requests after it was stopped.
  case ignoredStop(name: JSONString, requests: Int)
  /// Applications find conflicts in every round, and there are no edits.
  case quarrel
  /// An application cannot save a resolved conflict after the end of all faults.
  case unsaved(replica: JSONString, Outcome)

  /// The finding as text for traces and reports.
  func rendered(at time: UInt64) -> Trace.Finding {
    func finding(
      _ oracle: JSONString, _ shape: JSONString, sentence: String,
      about document: DocumentID? = nil
    ) -> Trace.Finding {
      Trace.Finding(
        oracle: oracle, shape: shape, sentence: JSONString(sentence), time: time,
        document: document, plain: JSONString(plain))
    }
    switch self {
    case .oracle(let found):
      return Trace.Finding(
        oracle: found.oracle, shape: found.shape, sentence: found.sentence, time: time,
        document: found.document, plain: JSONString(found.plain))
    case .model(let replica, let operation, let outcome, let accepted):
      let rules = accepted.map { $0.json.serialized() }.joined(separator: " or ")
      return finding(
        "model", JSONString(operation.action.name),
        sentence:
          "\(replica) returned \(outcome.json.serialized()) for \(operation.json.serialized()); the "
          + "rules accept \(rules)", about: operation.action.documents.first)
    case .breakdown(let replica, let breakdown, let message, let log):
      let said = log.isEmpty ? "" : "; standard error: \(log)"
      return finding(
        "breakdown", breakdown.shape,
        sentence:
          "\(replica?.string ?? "a replica") crashed, hung or violated the protocol: \(message)\(said)"
      )
    case .endless(let events):
      return finding(
        "liveness", "endless", sentence: "the run does not end: \(events) events")
    case .restless:
      return finding(
        "liveness", "restless",
        sentence:
          "replication does not converge: each round copies revisions although no client writes")
    case .session(let name, let state, let reasons):
      let words = reasons.map(\.string).joined(separator: "; ")
      return finding(
        "liveness", "session",
        sentence: "session \(name) ends in \(state) although all faults are repaired: \(words)")
    case .needlessError(let name, let reasons):
      let words = reasons.map(\.string).joined(separator: "; ")
      return finding(
        "completion", "error",
        sentence: "session \(name) ends in error although none of its requests failed: \(words)")
    case .ignoredStop(let name, let requests):
      return finding(
        "completion", "stop",
        sentence: "session \(name) went on after it was stopped; requests sent: \(requests)")
    case .quarrel:
      return finding(
        "liveness", "quarrel",
        sentence:
          "applications do not converge: they resolve conflicts in each round although no client edits"
      )
    case .unsaved(let replica, let outcome):
      return finding(
        "liveness", "save",
        sentence: "\(replica) cannot save a resolved conflict although all faults are repaired: "
          + outcome.json.serialized())
    }
  }
}

extension WorldFinding {
  /// The finding in a sentence without ids.
  private var plain: String {
    switch self {
    case .oracle(let found): found.plain
    case .model(let replica, let operation, _, _):
      "Replica \(replica) performed \(operation.action.name) with an outcome that the rules do "
        + "not accept."
    case .breakdown(let replica, _, _, _):
      "\(replica.map { "Replica \($0)" } ?? "A replica") crashed, hung or violated the protocol."
    case .endless: "The run does not end."
    case .restless:
      "Replication does not converge: it copies revisions in each round although no client writes."
    case .session: "A replication run failed although all faults were repaired."
    case .needlessError: "A replication run failed although none of its requests failed."
    case .ignoredStop: "A replication run went on after it was stopped."
    case .quarrel:
      "The applications do not converge: they resolve conflicts in each round although no client "
        + "edits."
    case .unsaved(let replica, _):
      "Replica \(replica) cannot save a resolved conflict although all faults are repaired."
    }
  }
}

extension Trace.Finding {
  /// Whether the finding concerns one operation: its outcome violates the rules or is missing.
  package var isOfOneOperation: Bool { ["model", "breakdown"].contains(oracle) }
}
