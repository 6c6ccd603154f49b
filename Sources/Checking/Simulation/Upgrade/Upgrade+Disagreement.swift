public import Datastore
internal import JSON
package import Scenarios

extension Upgrade {
  /// An operation with its outcome, and the phase in which it was performed.
  public struct Step: Hashable, Sendable {
    /// The phase of the operation.
    public var phase: UpgradePhase
    /// The operation.
    public var operation: StoreOperation
    /// The outcome of the running version.
    public var outcome: Outcome
  }

  /// The reason why a case ended.
  public enum Failure: Hashable, Sendable {
    /// No rule permits the last outcome; the permitted ones, the model's own first.
    case outcome(accepted: [Outcome])
    /// A crash, hang or protocol error in place of the last outcome.
    case breakdown(String, accepted: [Outcome])
    /// The version of the phase did not start on the files of the other one.
    case start(String)
    /// The version of the phase did not end as it should.
    case end(String)
  }

  /// A case with a last outcome that no rule permits.
  public struct Disagreement: SequenceDisagreement, Hashable, Sendable {
    /// The seed of the case.
    public var seed: UInt64
    /// The phase in which the case ended.
    public var phase: UpgradePhase
    /// The steps up to the one that disagrees; those of a recorded version are not among them.
    public var steps: [Step]
    /// The reason why the case ended.
    public var failure: Failure
    /// The keys of the random steps; empty for given operations.
    package var keys: [UInt64]
    /// The text that the failed version wrote to its standard error; usually empty.
    public var log = ""
    /// The place of the files as the failed version left them; nil if they were removed.
    public var files: String?

    /// The outcomes that the rules permit for the last step.
    public var accepted: [Outcome] {
      switch failure {
      case .outcome(let accepted), .breakdown(_, let accepted): accepted
      case .start, .end: []
      }
    }

    /// What happened in place of a permitted outcome.
    public var answer: String {
      switch failure {
      case .outcome: steps.last?.outcome.description ?? ""
      case .breakdown(let message, _): "no outcome: \(message)"
      case .start(let message), .end(let message): message
      }
    }

    /// Whether the last step is the cause.
    public var isOfStep: Bool {
      switch failure {
      case .outcome, .breakdown: true
      case .start, .end: false
      }
    }

    package var operations: [PhasedOperation] {
      steps.map { PhasedOperation(phase: $0.phase, operation: $0.operation) }
    }

    package func simplifications(at place: Int) -> [PhasedOperation] {
      let (phase, operation) = (steps[place].phase, steps[place].operation)
      return operation.simplifications.map { PhasedOperation(phase: phase, operation: $0) }
    }

    /// Equal for two disagreements of the same kind.
    package var signature: [String] {
      let kind =
        switch failure {
        case .outcome: "outcome"
        case .breakdown: "no outcome"
        case .start: "start"
        case .end: "end"
        }
      guard isOfStep, let last = steps.last else { return [phase.rawValue, kind] }
      let kinds = ([last.outcome] + accepted.prefix(1)).map { $0.errorKind?.name ?? "ok" }
      return [phase.rawValue, kind, last.operation.action.name] + kinds
    }

    package var reported: Trace.Finding {
      let operation = isOfStep ? steps.last?.operation : nil
      let expected = accepted.map { $0.description }.joined(separator: " or ")
      let sentence =
        operation.map { "\(phase.words), \($0) returned \(answer); accepted: \(expected)" }
        ?? "\(phase.words): \(answer)"
      return Trace.Finding(
        oracle: "model", shape: JSONString(signature.prefix(3).joined(separator: " ")),
        sentence: JSONString(sentence), time: 0, document: operation?.action.documents.first)
    }
  }
}

extension UpgradePhase {
  /// The phase as an adverbial of a sentence.
  public var words: String {
    switch self {
    case .before: "before the upgrade"
    case .after: "after the upgrade"
    case .back: "after the return to the old version"
    }
  }
}

extension Upgrade: SequenceExperiment {
  /// Runs the case of a seed and keeps the disagreement.
  public mutating func report(ofSeed seed: UInt64) throws(HarnessError) -> CampaignReport {
    var report = try sequenceReport(ofSeed: seed)
    report.counts["kills"] = end(seed: seed, of: .before) == .kill ? 1 : 0
    return report
  }
}
