public import Datastore

extension Differential {
  /// A shorter sequence that still disagrees in the same way.
  ///
  /// The way is the name of the operation and the kinds of outcome that disagree. First random
  /// steps are left out, while the others still adapt to what they see; then operations are, as
  /// they are; then what remains is made simpler.
  public func shrunk(_ disagreement: Disagreement) throws(HarnessError) -> Disagreement {
    let seed = disagreement.seed
    var best = try shortened(disagreement, { $0.keys }) { keys throws(HarnessError) in
      try run(seed: seed, keys: keys)
    }
    var isSimpler = true
    while isSimpler {
      best = try shortened(best, { $0.operations }) { operations throws(HarnessError) in
        try run(seed: seed, operations: operations)
      }
      isSimpler = try simplify(&best)
    }
    return best
  }

  /// Leaves out parts: halves first, then ever smaller ones, until no single element can go.
  private func shortened<Element>(
    _ disagreement: Disagreement, _ elements: (Disagreement) -> [Element],
    _ run: ([Element]) throws(HarnessError) -> Verdict
  ) throws(HarnessError) -> Disagreement {
    var best = disagreement
    var part = max(1, elements(best).count / 2)
    while true {
      var start = 0
      var isShorter = false
      while start < elements(best).count {
        var rest = elements(best)
        rest.removeSubrange(start..<min(start + part, rest.count))
        if let shorter = try run(rest).disagreement, shorter.signature == best.signature {
          best = shorter
          isShorter = true
        } else {
          start += part
        }
      }
      if part == 1, !isShorter { return best }
      part = max(1, part / 2)
    }
  }

  /// Replaces one operation by a simpler one; false when none can be.
  private func simplify(_ best: inout Disagreement) throws(HarnessError) -> Bool {
    for (place, operation) in best.operations.enumerated() {
      // In a vector file, for every store, `open` has to say what these stores have.
      if case .open = operation.action, best.defaults != .init() { continue }
      for simpler in operation.simplifications {
        var operations = best.operations
        operations[place] = simpler
        if let found = try run(seed: best.seed, operations: operations).disagreement,
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

extension Differential.Verdict {
  fileprivate var disagreement: Differential.Disagreement? {
    if case .disagreed(let disagreement) = self { disagreement } else { nil }
  }
}

extension Differential.Disagreement {
  fileprivate var operations: [Operation] { steps.map { $0.operation } }

  /// What makes two disagreements the same one.
  fileprivate var signature: [String] {
    guard let last = steps.last else { return [] }
    let kinds = ([last.outcome] + accepted.prefix(1)).map { $0.errorKind?.name ?? "ok" }
    return [last.operation.action.name] + kinds
  }
}
