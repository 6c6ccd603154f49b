internal import JSON
package import Scenarios

/// Vectors in the order in which they kill the most mutants with the fewest steps.
///
/// The order is a greedy cover: each next vector kills the most mutants that no earlier one kills,
/// for each step that it has. When all mutants are covered, the remaining vectors are ordered in
/// the same way again, and so on. Vectors that kill no mutant follow in the order of the corpus.
/// Only vectors whose failure fails the run count as kills.
///
/// Source: D. S. Johnson, Approximation algorithms for combinatorial problems (1974): the greedy
/// cover needs at most 1 + ln n times the least number.
package struct KillRanking: Sendable {
  /// The places of all vectors, that of the first to run first.
  package let places: [Int]
  /// For each mutant that a vector kills, the ids of these vectors.
  private let killers: [[VectorID]]

  /// Ranks n vectors.
  ///
  /// - Complexity: O(n²).
  /// - Parameter vectors: the vectors that can run, in the order of the corpus.
  package init(_ mutants: MutantList, _ vectors: [CorpusVector]) {
    var required: [VectorID: Int] = [:]
    for (place, vector) in vectors.enumerated() where vector.isRequired {
      required[vector.id] = place
    }
    let killers = mutants.mutants.map { $0.vectors.compactMap { required[$0] } }
      .filter { !$0.isEmpty }
    self.killers = killers.map { $0.map { vectors[$0].id } }
    var cover = Cover(killers, costs: vectors.map { $0.vector.steps.count + Self.startCost })
    var ranked: [Int] = []
    while let place = cover.next() { ranked.append(place) }
    let known = Set(ranked)
    places = ranked + vectors.indices.filter { !known.contains($0) }
  }

  /// The cost of an empty store, in steps.
  private static let startCost = 3

  /// The number of mutants that all the vectors kill.
  package var mutantCount: Int { killers.count }

  /// Returns the number of mutants that some of the vectors kill.
  package func killedCount(by ran: Set<VectorID>) -> Int {
    killers.count { $0.contains { ran.contains($0) } }
  }
}

/// The state of a greedy cover.
private struct Cover {
  private let killers: [[Int]]
  private let costs: [Int]
  /// The mutants that each vector kills.
  private var kills: [[Int]]
  private var isTaken: [Bool]
  private var isCovered: [Bool]
  /// The number of mutants without a vector yet that each vector kills.
  private var gains: [Int]

  init(_ killers: [[Int]], costs: [Int]) {
    self.killers = killers
    self.costs = costs
    kills = Array(repeating: [], count: costs.count)
    for (mutant, vectors) in killers.enumerated() {
      for vector in vectors { kills[vector].append(mutant) }
    }
    isTaken = Array(repeating: false, count: costs.count)
    isCovered = Array(repeating: false, count: killers.count)
    gains = kills.map(\.count)
  }

  /// Returns the next vector; nil if no vector with a kill is left.
  mutating func next() -> Int? {
    guard let best = best() ?? restarted() else { return nil }
    isTaken[best] = true
    for mutant in kills[best] where !isCovered[mutant] {
      isCovered[mutant] = true
      for vector in killers[mutant] { gains[vector] -= 1 }
    }
    return best
  }

  /// The vector with the greatest gain for its cost, the first of equal ones; nil if none gains.
  private func best() -> Int? {
    var best: Int?
    for place in gains.indices where !isTaken[place] && gains[place] > 0 {
      guard let other = best else {
        best = place
        continue
      }
      if gains[place] * costs[other] > gains[other] * costs[place] { best = place }
    }
    return best
  }

  /// Begins another cover with the remaining vectors.
  private mutating func restarted() -> Int? {
    isCovered = Array(repeating: false, count: killers.count)
    for place in gains.indices { gains[place] = isTaken[place] ? 0 : kills[place].count }
    return best()
  }
}
