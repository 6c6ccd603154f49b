public import Datastore

extension Differential {
  /// A shorter sequence that still disagrees in the same way.
  ///
  /// The way is the name of the operation and the kinds of outcome that disagree. First random
  /// steps are left out, while the others still adapt to what they see; then operations are, as
  /// they are; then what remains is made simpler.
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

  /// Replaces one operation by a simpler one; false when none can be.
  private func simplify(_ best: inout Disagreement) throws(HarnessError) -> Bool {
    for (place, operation) in best.operations.enumerated() {
      // In a vector file, for every store, `open` has to say what these stores have.
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

  /// What makes two disagreements the same one.
  fileprivate var signature: [String] {
    guard let last = steps.last else { return [] }
    let kinds = ([last.outcome] + accepted.prefix(1)).map { $0.errorKind?.name ?? "ok" }
    return [last.operation.action.name] + kinds
  }
}
