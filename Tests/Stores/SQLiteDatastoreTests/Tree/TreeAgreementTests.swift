import Datastore
import JSON
import Testing

/// Random merges, edits and purges compared with a straightforward implementation of the tree.
@Suite struct TreeAgreementTests {
  /// A tree as a dictionary from each revision to its parent, evaluated completely each time.
  struct PlainTree {
    var parents: [String: String?] = [:]
    var flags: [String: Bool] = [:]

    static func generation(_ rev: String) -> Int { Int(rev.split(separator: "-")[0]) ?? 0 }

    mutating func merge(_ path: [String], deleted: Bool) {
      let before = parents
      let firstKnown = path.firstIndex { before[$0] != nil } ?? path.count
      for (index, rev) in path.enumerated() {
        let parent = index + 1 < path.count ? path[index + 1] : nil
        if let known = before[rev] {
          if known == nil, let parent { parents[rev] = parent }
        } else if index < firstKnown || parents.values.contains(rev) {
          parents[rev] = .some(parent)
        }
      }
      if flags[path[0]] == nil { flags[path[0]] = deleted }
    }

    var leaves: [String] {
      let inner = Set(parents.values.compactMap { $0 })
      return parents.keys.filter { !inner.contains($0) }
    }

    func path(_ rev: String) -> [String] {
      var path = [rev]
      while let last = path.last, let parent = parents[last] ?? nil { path.append(parent) }
      return path
    }

    mutating func stem(_ limit: Int) {
      let kept = Set(leaves.flatMap { path($0).prefix(limit) })
      parents = parents.filter { kept.contains($0.key) }
        .mapValues { $0.flatMap { kept.contains($0) ? $0 : nil } }
      flags = flags.filter { kept.contains($0.key) }
    }

    mutating func purge(_ rev: String) {
      var next: String? = rev
      while let current = next, leaves.contains(current) {
        next = parents[current] ?? nil
        parents[current] = nil
        flags[current] = nil
      }
    }

    /// The leaves in winner order, with `-` before tombstones.
    var ordered: [String] {
      let live = leaves.map { (rev: $0, deleted: flags[$0] ?? false) }
      return live.sorted { left, right in
        if left.deleted != right.deleted { return right.deleted }
        let (l, r) = (Self.generation(left.rev), Self.generation(right.rev))
        return l != r ? l > r : left.rev > right.rev
      }.map { ($0.deleted ? "-" : "") + $0.rev }
    }
  }

  @Test(arguments: 0..<20)
  func aPlainTreeAgrees(seed: Int) {
    var random = SplitMix(state: UInt64(seed))
    let bench = Bench()
    var tree = PlainTree()
    let limit = seed % 3 == 0 ? nil : 1 + random.below(4)
    if let limit { bench.perform(.historyLimit(Int64(limit))) }
    // A hidden true history, of which paths show a part, sometimes truncated and sometimes wrong.
    var truth: [String: String?] = [:]
    for step in 0..<40 {
      var path: [String] = []
      var next: String? = truth.keys.sorted().randomElement(&random)
      if random.below(3) > 0 || next == nil {
        let parent = random.below(6) == 0 ? nil : next
        let rev = "\((parent.map { PlainTree.generation($0) } ?? 0) + 1)-\(random.below(4))\(step)"
        truth[rev] = .some(parent)
        next = rev
      }
      while let rev = next {
        path.append(rev)
        next = random.below(5) == 0 ? nil : truth[rev] ?? nil
      }
      let before = tree
      if random.below(12) == 0, let leaf = tree.leaves.sorted().first {
        bench.perform(.purge(id: "d", revs: [RevisionID(JSONString(leaf))]))
        tree.purge(leaf)
      } else {
        let deleted = random.below(3) == 0
        bench.insert("d", path.map { RevisionID(JSONString($0)) }, deleted: deleted)
        tree.merge(path, deleted: deleted)
      }
      let isChanged = before.parents != tree.parents || before.flags != tree.flags
      if isChanged, let limit { tree.stem(limit) }
      #expect(bench.leaves("d") == tree.ordered, "step \(step)")
      #expect(bench.known(among: truth.keys.sorted()) == Set(tree.parents.keys), "step \(step)")
      for leaf in tree.leaves {
        let expected = tree.path(leaf).prefix(limit ?? .max).map { RevisionID(JSONString($0)) }
        #expect(bench.path("d", RevisionID(JSONString(leaf))) == expected, "step \(step)")
      }
    }
    expectInvariants(in: bench.storage)
  }
}

extension Bench {
  /// The given revisions of `d` that the store contains, including stubs.
  fileprivate func known(among revs: [String]) -> Set<String> {
    let query = RevisionQuery(id: "d", revs: revs.map { RevisionID(JSONString($0)) })
    guard case .ok(.revsDiff(let differences)) = perform(.revsDiff([query])) else { return [] }
    let missing = differences.first?.missing ?? []
    return Set(revs).subtracting(missing.map { $0.text.string })
  }
}

extension [String] {
  fileprivate func randomElement(_ random: inout SplitMix) -> String? {
    isEmpty ? nil : self[random.below(count)]
  }
}
