public import Datastore
internal import JSON
internal import Scenarios

extension Differential {
  /// Runs the sequences of these seeds and throws the first disagreement, shrunk.
  ///
  /// This is the comparison as one line of a test. A sequence with more possible states than the
  /// checker can track counts as far as it was checked.
  public func check(seeds: ClosedRange<UInt64>) throws(ComparisonError) {
    for seed in seeds {
      if let disagreement = try firstDisagreement(seed) { throw .disagreement(disagreement) }
    }
  }

  private func firstDisagreement(_ seed: UInt64) throws(ComparisonError) -> Disagreement? {
    do throws(HarnessError) {
      guard case .disagreed(let disagreement) = try run(seed: seed) else { return nil }
      return try shrunk(disagreement)
    } catch {
      throw .harness(error)
    }
  }
}

/// The reason why a comparison failed.
public enum ComparisonError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An outcome that no rule permits, shrunk.
  case disagreement(Differential.Disagreement)
  /// The store could not be reached, so there is no verdict.
  case harness(HarnessError)

  /// The disagreement and its complete vector file.
  public var description: String {
    switch self {
    case .harness(let error): return "the store could not perform the operations: \(error)"
    case .disagreement(let disagreement):
      var lines = ["the store disagrees with the model at seed \(disagreement.seed)"]
      if let last = disagreement.steps.last {
        lines += ["  operation  \(last.operation)", "  answered   \(last.outcome)"]
      }
      if let finding = disagreement.finding { lines.append("  finding    \(finding.sentence)") }
      lines += disagreement.accepted.map { "  accepted   \($0)" }
      if let vector = try? disagreement.vector() {
        let file = VectorFile(
          family: "model", about: "Found by comparison with the model.", vectors: [vector])
        lines.append(file.json.pretty())
      }
      return lines.joined(separator: "\n")
    }
  }
}
