public import Datastore

extension Upgrade {
  /// The disagreement of a seed, shrunk, with its files; nil if the case does not disagree again.
  public func shrunk(seed: UInt64) throws(HarnessError) -> Disagreement? {
    if let found, found.seed == seed { return try shrunk(found) }
    guard case .disagreed(let disagreement) = try run(seed: seed) else { return nil }
    return try shrunk(disagreement)
  }

  /// A shorter case with the same disagreement, whose files are kept.
  ///
  /// Disagreements are the same if the phase, the name of the operation and the kinds of outcomes
  /// are equal. As in a comparison, random steps are left out first, then operations, and then the
  /// remaining operations are simplified.
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
    var place: String?
    if let last = same(try run(seed: seed, operations: best.operations, keeps: { place = $0 })) {
      best = last
      best.files = place
    }
    return best
  }

  /// Replaces one operation by a simpler one; false if none can be simplified.
  private func simplify(_ best: inout Disagreement) throws(HarnessError) -> Bool {
    for (place, step) in best.operations.enumerated() {
      for simpler in step.operation.simplifications {
        var operations = best.operations
        operations[place].operation = simpler
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
