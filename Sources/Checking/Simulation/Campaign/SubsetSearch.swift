package import Datastore
internal import Scenarios

/// A complete search for the smallest part of a list that still fails.
///
/// Shrinking leaves out one part after the other, so its result can be longer than necessary: two
/// elements may be needed only for each other. The search tries every part, the small ones first.
package enum SubsetSearch {
  /// The longest list that is searched: 2^12 parts.
  package static let countMax = 12

  /// The size of the smallest failing part of a list that fails as a whole; nil for a list of more
  /// than `countMax` elements, and if the search is stopped.
  ///
  /// - Complexity: O(2ⁿ) attempts.
  /// - Parameter attempt: whether a part fails in the same way; nil stops the search.
  package static func smallest<Element>(
    of list: [Element], _ attempt: ([Element]) throws(HarnessError) -> Bool?
  ) throws(HarnessError) -> Int? {
    guard list.count <= countMax else { return nil }
    let masks = (0..<(1 << list.count) - 1).sorted {
      ($0.nonzeroBitCount, $0) < ($1.nonzeroBitCount, $1)
    }
    for mask in masks {
      let part = list.indices.filter { mask & 1 << $0 != 0 }.map { list[$0] }
      guard let fails = try attempt(part) else { return nil }
      if fails { return part.count }
    }
    return list.count
  }
}

extension SequenceExperiment {
  /// The number of operations of the smallest part of a shrunk sequence with a disagreement of the
  /// same signature; nil if the sequence is too long, and if the search is stopped.
  package func leastCount(
    of disagreement: Disagreement
  ) throws(HarnessError) -> Int? {
    try SubsetSearch.smallest(of: disagreement.operations) { part throws(HarnessError) in
      if isStopped() { return nil }
      let verdict = try run(seed: disagreement.seed, operations: part)
      return verdict.disagreement(like: disagreement) != nil
    }
  }
}

extension ScenarioShrinker.Result {
  /// The number of steps and message faults of the scenario.
  package var partCount: Int { scenario.steps.count + scenario.overrides.count }

  /// The number of steps and message faults of the smallest part of the scenario with a finding of
  /// the same oracle and shape; nil if the scenario has too many.
  ///
  /// - Complexity: O(2ⁿ) runs.
  package func leastCount(
    _ participants: World.Participants, isStopped: () -> Bool = { false }
  ) throws(HarnessError) -> Int? {
    let steps = scenario.steps.count
    return try SubsetSearch.smallest(of: Array(0..<partCount)) { places throws(HarnessError) in
      if isStopped() { return nil }
      var candidate = scenario
      candidate.steps = places.filter { $0 < steps }.map { scenario.steps[$0] }
      candidate.overrides = places.filter { $0 >= steps }.map { scenario.overrides[$0 - steps] }
      var world = try World(candidate, participants)
      return try world.run().findings.contains {
        $0.oracle == finding.oracle && $0.shape == finding.shape
      }
    }
  }
}
