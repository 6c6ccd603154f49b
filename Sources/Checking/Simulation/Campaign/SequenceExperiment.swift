package import Datastore
internal import JSON
package import ReferenceDatastore
package import Scenarios

/// The result of one sequence of operations.
public enum SequenceVerdict<Disagreement: Hashable & Sendable>: Hashable, Sendable {
  /// Every outcome is permitted.
  case agreed(operations: Int)
  /// The last outcome is not permitted, or the store did not start or end.
  case disagreed(Disagreement)
  /// This number of operations agreed; then too many states were possible.
  case inconclusive(operations: Int)
}

/// The verdict on a sequence with the figures of its report.
package struct SequenceEvaluation<Disagreement: Hashable & Sendable> {
  package let verdict: SequenceVerdict<Disagreement>
  /// A hash of all outcomes.
  let digest: UInt64
  /// The deviations without which the rules do not permit an outcome, in the order of the
  /// catalogue.
  let deviations: [Deviation]

  package init(
    verdict: SequenceVerdict<Disagreement>, digest: UInt64, deviations: [Deviation] = []
  ) {
    self.verdict = verdict
    self.digest = digest
    self.deviations = deviations
  }
}

/// The end of a sequence at an outcome that no rule permits.
package protocol SequenceDisagreement: Hashable, Sendable {
  associatedtype Operation
  var seed: UInt64 { get }
  /// The keys of the random steps; empty for given operations.
  var keys: [UInt64] { get }
  /// The operations up to the one that disagrees.
  var operations: [Operation] { get }
  /// Equal for two disagreements of the same kind.
  var signature: [String] { get }
  /// The disagreement as a finding of a report.
  var reported: Trace.Finding { get }
  /// Simpler operations that can replace one of the operations, the best first.
  func simplifications(at place: Int) -> [Operation]
}

/// An experiment whose case is a sequence of random operations, up to the first disagreement.
package protocol SequenceExperiment: Experiment {
  associatedtype Disagreement: SequenceDisagreement
  /// The last disagreement of `report(ofSeed:)`.
  var found: Disagreement? { get set }
  /// Whether shrinking should end with the shortest sequence so far.
  var isStopped: @Sendable () -> Bool { get }
  /// The keys of all random steps.
  var keys: [UInt64] { get }
  /// Runs selected steps of the sequence of a seed.
  func evaluate(
    seed: UInt64, keys: [UInt64]
  ) throws(HarnessError) -> SequenceEvaluation<Disagreement>
  /// Runs given operations in the environment of a seed.
  func run(
    seed: UInt64, operations: [Disagreement.Operation]
  ) throws(HarnessError) -> SequenceVerdict<Disagreement>
}

extension SequenceExperiment {
  /// Runs the sequence of a seed and keeps the disagreement.
  package mutating func sequenceReport(ofSeed seed: UInt64) throws(HarnessError) -> CampaignReport {
    let evaluation = try evaluate(seed: seed, keys: keys)
    var report = CampaignReport(seed: seed, digest: evaluation.digest, counts: ["inconclusive": 0])
    for deviation in evaluation.deviations {
      report.deviationCounts[JSONString(deviation.id)] = 1
    }
    switch evaluation.verdict {
    case .agreed(let operations): report.events = operations
    case .inconclusive(let operations):
      report.events = operations
      report.counts["inconclusive"] = 1
    case .disagreed(let disagreement):
      found = disagreement
      report.events = disagreement.operations.count
      report.failures = [CampaignReport.Failure(seed: seed, finding: disagreement.reported)]
    }
    return report
  }

  /// The disagreement of a seed, shrunk; nil if the sequence does not disagree again.
  package func minimized(seed: UInt64) throws(HarnessError) -> Disagreement? {
    if let found, found.seed == seed { return try minimized(found) }
    guard case .disagreed(let disagreement) = try evaluate(seed: seed, keys: keys).verdict else {
      return nil
    }
    return try minimized(disagreement)
  }

  /// A shorter sequence with a disagreement of the same signature.
  ///
  /// First, random steps are left out, and the others adapt to the outcomes; then fixed operations
  /// are left out; then the remaining operations are simplified.
  package func minimized(_ disagreement: Disagreement) throws(HarnessError) -> Disagreement {
    var best = try shrunk(disagreement, leavingOut: { $0.keys }) { keys throws(HarnessError) in
      if isStopped() { return nil }
      let verdict = try evaluate(seed: disagreement.seed, keys: keys).verdict
      return verdict.disagreement(like: disagreement)
    }
    var simpler: Disagreement? = best
    while let next = simpler {
      best = try shrunk(next, leavingOut: { $0.operations }) { operations throws(HarnessError) in
        if isStopped() { return nil }
        return try run(seed: next.seed, operations: operations).disagreement(like: disagreement)
      }
      simpler = try simplified(best)
    }
    return best
  }

  /// The same disagreement with one simpler operation; nil if no operation can be simplified.
  private func simplified(_ disagreement: Disagreement) throws(HarnessError) -> Disagreement? {
    for place in disagreement.operations.indices {
      for simpler in disagreement.simplifications(at: place) {
        if isStopped() { return nil }
        var operations = disagreement.operations
        operations[place] = simpler
        let verdict = try run(seed: disagreement.seed, operations: operations)
        if let found = verdict.disagreement(like: disagreement) { return found }
      }
    }
    return nil
  }
}

extension SequenceVerdict where Disagreement: SequenceDisagreement {
  /// The disagreement of this verdict if it has the signature of another one.
  package func disagreement(like other: Disagreement) -> Disagreement? {
    guard case .disagreed(let found) = self, found.signature == other.signature else { return nil }
    return found
  }
}
