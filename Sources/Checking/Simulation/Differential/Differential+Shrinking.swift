public import Datastore
internal import JSON
internal import Scenarios

extension Differential {
  /// A shorter sequence with the same disagreement.
  ///
  /// Disagreements are the same if the name of the operation and the kinds of outcomes are equal.
  /// First, random steps are left out, and the others adapt to the outcomes; then fixed operations
  /// are left out; then the remaining operations are simplified.
  public func shrunk(_ disagreement: Disagreement) throws(HarnessError) -> Disagreement {
    let (seed, signature) = (disagreement.seed, disagreement.signature)
    func same(_ verdict: Verdict) -> Disagreement? {
      guard case .disagreed(let found) = verdict, found.signature == signature else { return nil }
      return found
    }
    var best = try Simulation.shrunk(disagreement, leavingOut: { $0.keys }) {
      keys throws(HarnessError) in
      same(try evaluate(seed: seed, keys: keys).verdict)
    }
    var isSimpler = true
    while isSimpler {
      best = try Simulation.shrunk(best, leavingOut: { $0.operations }) {
        operations throws(HarnessError) in
        same(try run(seed: seed, operations: operations))
      }
      isSimpler = try simplify(&best)
    }
    return best
  }

  /// Replaces one operation by a simpler one; false if none can be simplified.
  private func simplify(_ best: inout Disagreement) throws(HarnessError) -> Bool {
    for (place, operation) in best.operations.enumerated() {
      // A vector for every store has to state the defaults of these stores in `open`.
      if case .open = operation.action, best.defaults != .init() { continue }
      for simpler in operation.simplifications {
        var operations = best.operations
        operations[place] = simpler
        if case .disagreed(let found) = try run(seed: best.seed, operations: operations),
          found.signature == best.signature
        {
          best = found
          return true
        }
      }
    }
    return false
  }
}

extension Differential.Disagreement {
  fileprivate var operations: [StoreOperation] { steps.map { $0.operation } }

  /// Equal for two disagreements of the same class: the operation, the kind of the outcome, and the
  /// kind of the expected one.
  package var signature: [String] {
    guard let last = steps.last else { return [] }
    if let finding { return [finding.oracle.string, finding.shape.string] }
    let kinds = ([last.outcome] + accepted.prefix(1)).map { $0.errorKind?.name ?? "ok" }
    let actual = breakdown == nil ? kinds[0] : "none"
    return [last.operation.action.name, actual] + kinds.dropFirst()
  }
}
