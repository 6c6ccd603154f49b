extension Transcript {
  /// The smallest part of the declared deviations that explains the transcript exactly.
  ///
  /// The store is followed with all declared deviations, because the product always has them. If
  /// every outcome is permitted, deviations are left out while that remains so.
  ///
  /// - Returns: empty if the rules alone permit every outcome; nil if the declared deviations do not
  ///   explain it.
  /// - Complexity: O(*d* · *n*) checked operations, for *d* deviations that occur and *n* exchanges.
  public func explanation(by declared: [Deviation]) -> [Deviation]? {
    if isPermitted(with: []) { return [] }
    let following = followed(with: declared)
    guard following.count == operationCount else { return nil }
    return minimal(declared.filter { following.occurred.contains($0.id) }, of: declared)
  }

  /// Leaves deviations out while the others explain the transcript.
  private func minimal(_ occurred: [Deviation], of declared: [Deviation]) -> [Deviation] {
    // A deviation may have an effect only together with others.
    var kept = isPermitted(with: occurred) ? occurred : declared
    for deviation in kept {
      let rest = kept.filter { $0.id != deviation.id }
      if isPermitted(with: rest) { kept = rest }
    }
    return kept
  }

  /// The smallest sets of known deviations that explain the transcript: all single ones, or else the
  /// first larger set that is found by adding deviations that follow the store further.
  ///
  /// - Parameters:
  ///   - base: deviations that the store has in any case; they are part of each set.
  ///   - setMax: the largest number of deviations of a set beside these.
  /// - Returns: empty if no set explains it, also if no deviation is needed.
  /// - Complexity: O(*d* ^ `setMax` · *n*) checked operations in the worst case, for *d* known
  ///   deviations and *n* exchanges; mostly O(*d* · *n*).
  public func explanations(
    among known: [Deviation], beside base: [Deviation] = [], setMax: Int = 3
  ) -> [[Deviation]] {
    let start = followed(with: base)
    guard start.count < operationCount, !start.isInconclusive else { return [] }
    func joined(_ deviations: [Deviation], _ more: Deviation) -> [Deviation] {
      Deviation.named((deviations + [more]).map(\.id))
    }
    let candidates = known.filter { deviation in !base.contains { $0.id == deviation.id } }
    let single = candidates.map { deviation in
      let set = joined(base, deviation)
      return (set: set, following: followed(with: set), added: deviation.id)
    }
    let complete = single.filter { $0.following.count == operationCount }
    if !complete.isEmpty { return complete.map(\.set) }
    // A set continues if it follows the store further, or if its last member has an effect that shows
    // only together with others.
    var frontier = single.filter {
      $0.following.count > start.count
        || $0.following.count == start.count && $0.following.occurred.contains($0.added)
    }.map { (set: $0.set, count: $0.following.count) }
    for _ in 1..<max(1, setMax) {
      var next: [(set: [Deviation], count: Int)] = []
      for (set, count) in frontier {
        for deviation in candidates where !set.contains(where: { $0.id == deviation.id }) {
          let larger = joined(set, deviation)
          let following = followed(with: larger)
          if following.count == operationCount { return [larger] }
          if following.count > count { next.append((larger, following.count)) }
        }
      }
      frontier = next
    }
    // One answer may show many deviations of one product.
    for product in Self.products(of: candidates) {
      let set = reduced(Deviation.named((base + product).map(\.id)), keeping: base)
      let following = followed(with: set)
      guard following.count == operationCount else { continue }
      return [minimal(set.filter { following.occurred.contains($0.id) }, of: set)]
    }
    return []
  }

  /// Leaves out deviations with which the store is followed less far; not every version or adapter
  /// of a product shows all of its deviations.
  private func reduced(_ set: [Deviation], keeping base: [Deviation]) -> [Deviation] {
    var best = (set: set, count: followed(with: set).count)
    var hasImproved = true
    while hasImproved, best.count < operationCount {
      hasImproved = false
      for deviation in best.set where !base.contains(where: { $0.id == deviation.id }) {
        let rest = best.set.filter { $0.id != deviation.id }
        let count = followed(with: rest).count
        guard count > best.count else { continue }
        best = (rest, count)
        hasImproved = true
        break
      }
    }
    return best.set
  }

  /// The deviations of each product, in the order of the catalogue.
  private static func products(of known: [Deviation]) -> [[Deviation]] {
    var names: [String] = []
    for name in known.flatMap({ $0.products.map(\.product) }) where !names.contains(name) {
      names.append(name)
    }
    return names.map { name in known.filter { $0.products.contains { $0.product == name } } }
  }
}
