public import Datastore
internal import JSON
package import Scenarios

extension Differential: SequenceExperiment {
  /// The disagreement of a seed, shrunk; nil if the sequence does not disagree again.
  public func shrunk(seed: UInt64) throws(HarnessError) -> Disagreement? {
    try minimized(seed: seed)
  }

  /// A shorter sequence with the same disagreement.
  ///
  /// Disagreements are the same if the name of the operation and the kinds of outcomes are equal.
  /// First, random steps are left out, and the others adapt to the outcomes; then fixed operations
  /// are left out; then the remaining operations are simplified.
  public func shrunk(_ disagreement: Disagreement) throws(HarnessError) -> Disagreement {
    try minimized(disagreement)
  }
}

extension Differential.Disagreement: SequenceDisagreement {
  package var operations: [StoreOperation] { steps.map { $0.operation } }

  package func simplifications(at place: Int) -> [StoreOperation] {
    let operation = steps[place].operation
    // A vector for every store has to state the defaults of these stores in `open`.
    if case .open = operation.action, defaults != .init() { return [] }
    return operation.simplifications
  }

  /// Equal for two disagreements of the same class: the operation, the kind of the outcome, and the
  /// kind of the expected one.
  package var signature: [String] {
    guard let last = steps.last else { return [] }
    if let finding { return [finding.oracle.string, finding.shape.string] }
    let kinds = ([last.outcome] + accepted.prefix(1)).map { $0.errorKind?.name ?? "ok" }
    let actual = breakdown == nil ? kinds[0] : "none"
    return [last.operation.action.name, actual] + kinds.dropFirst()
  }

  /// The disagreement as a finding of a report.
  package var reported: Trace.Finding {
    if let finding {
      return finding
    }
    let operation = steps.last?.operation
    let outcome = breakdown ?? steps.last?.outcome.description ?? ""
    let expected = accepted.map { $0.description }.joined(separator: " or ")
    return Trace.Finding(
      oracle: "model", shape: JSONString(signature.joined(separator: " ")),
      sentence: JSONString(
        "\(operation.map { "\($0)" } ?? "") returned \(outcome); accepted: \(expected)"),
      time: 0, document: operation?.action.documents.first)
  }
}
