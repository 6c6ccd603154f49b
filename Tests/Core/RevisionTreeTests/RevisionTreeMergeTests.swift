import Datastore
import Testing

@testable import RevisionTree

struct RevisionTreeMergeTests {
  @Test func essayExample() {
    let tree = tree(["3-c 2-b 1-a", "x2-x 1-a", "5-q"])
    #expect(tree.shape == ["5-q", "3-c 2-b 1-a", "2-x 1-a"])
    #expect(tree.winner == revision("5-q"))
    #expect(tree.liveLeaves == [revision("5-q"), revision("3-c")])
    #expect(tree.contains(revision("2-b")) && tree.isDeleted(revision("2-b")) == nil)
  }

  /// The leaves in winner order, for trees whose only revisions are these roots.
  @Test(arguments: [
    (["1-a", "1-b"], "1-b 1-a"), (["2-a", "1-f"], "2-a 1-f"), (["x3-f", "1-a"], "1-a 3-f"),
    (["x2-a", "x2-b"], "2-b 2-a"), (["x3-a", "x2-f"], "3-a 2-f"), (["9-a", "10-0"], "10-0 9-a"),
    (["x10-0", "2-a", "x9-a", "1-b"], "2-a 1-b 10-0 9-a"),
  ])
  func winnerOrder(paths: [String], expected: String) {
    for paths in [paths, paths.reversed()] {
      #expect(tree(paths).shape.joined(separator: " ") == expected)
    }
  }

  /// `REVID` is cyclic here, but the winner still depends on the leaves alone.
  @Test func winnerWhereTheCollationIsNoOrder() {
    let paths = ["10-x", "2-b", "123456789-a"]
    forEachPermutation(of: paths) { order in
      #expect(tree(order, collation: .cdt).leaves == tree(paths, collation: .cdt).leaves)
    }
    forEachPermutation(of: ["10-x", "123456789-a"]) { order in
      #expect(tree(order, collation: .cdt).winner == revision("123456789-a"))
    }
    // A deleted leaf does not affect the comparison of live ones.
    #expect(tree(["123456789-a", "x2-b"], collation: .cdt).winner == revision("123456789-a"))
    #expect(tree(["123456789-a", "2-b"], collation: .cdt).winner == revision("2-b"))
  }

  /// 32 digits and the 16 bytes that they encode are two revisions with equal rank.
  @Test func winnerOfARankThatTwoShare() {
    let digits = "1-" + String(repeating: "61", count: 16)
    let bytes = "1-" + String(repeating: "a", count: 16)
    #expect(tree([digits, bytes], collation: .couchdb).winner == revision(bytes))
    #expect(tree([bytes, digits], collation: .couchdb).winner == revision(bytes))
  }

  @Test func knownTipIsFilledOnce() {
    var tree = tree(["3-d 2-b 1-a", "7-q"])
    #expect(tree.isDeleted(revision("1-a")) == nil)
    #expect(tree.merge(path("3-d 2-b"), deleted: true) == .nothing)
    #expect(tree.merge(path("1-a"), deleted: true) == .internalNode)
    #expect(tree.merge(path("1-a"), deleted: false) == .nothing)
    #expect(tree.isDeleted(revision("3-d")) == false)
    #expect(tree.isDeleted(revision("1-a")) == true)
    #expect(tree.merge(path("7-q 6-p"), deleted: false) == .internalNode)
  }

  @Test func longerHistoryIsAdopted() {
    #expect(tree(["3-c 2-b", "4-d 3-c 2-b 1-a"]).shape == ["4-d 3-c 2-b 1-a"])
    #expect(tree(["3-c", "3-c 2-b 1-a"]).shape == ["3-c 2-b 1-a"])
  }

  /// A path through a root joins two components; the joining revision is not a leaf.
  @Test func pathJoinsRoots() {
    #expect(tree(["2-e", "3-f 2-e 1-a"]).shape == ["3-f 2-e 1-a"])
    #expect(tree(["2-e", "5-h 4-g", "4-g 3-f 2-e 1-a"]).shape == ["5-h 4-g 3-f 2-e 1-a"])
    #expect(tree(["1-a", "3-c", "5-e", "5-e 4-d 3-c 2-b 1-a"]).shape == ["5-e 4-d 3-c 2-b 1-a"])
  }

  @Test func firstParentStays() {
    #expect(tree(["2-b 1-a", "2-b 1-c"]).shape == ["2-b 1-a"])
    #expect(tree(["2-b 1-a", "3-c 2-b 1-x"]).shape == ["3-c 2-b 1-a"])
  }

  /// A late history that disagrees still supplies the parents of roots further down.
  @Test func disagreeingPathStillExtendsRoots() {
    #expect(tree(["3-c 2-b", "2-x", "4-d 3-c 2-x 1-y"]).shape == ["4-d 3-c 2-b", "2-x 1-y"])
  }

  @Test func lateArrivalCanBeDeclined() {
    var tree = tree(["3-c 2-b"])
    let before = tree
    let none = RevisionTree.LateArrival(fills: false, adopts: false)
    _ = tree.merge(path("2-b 1-a"), deleted: true, lateArrival: none)
    #expect(tree == before)
    // A new tip is not a late arrival: its history always counts.
    _ = tree.merge(path("4-d 3-c 2-b 1-a"), deleted: false, lateArrival: none)
    #expect(tree.shape == ["4-d 3-c 2-b 1-a"])
  }

  /// All orders of arrival of complete and truncated histories yield the same tree.
  @Test func orderOfArrivalDoesNotMatter() {
    let paths = ["4-d 3-c 2-b 1-a", "x3-x 2-b 1-a", "2-y 1-a", "3-c 2-b", "5-e 4-d"]
    let expected = tree(paths)
    forEachPermutation(of: paths) { order in
      let tree = tree(order)
      #expect(tree.shape == expected.shape, "\(order)")
      #expect(tree.leaves.allSatisfy { tree.isDeleted($0) == expected.isDeleted($0) })
    }
  }

  /// Histories from one random forest, in any order, preserve every invariant, and each arrived
  /// path can be read back to its end.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func randomForests(seed: UInt64) throws {
    var random = Randomness(state: seed)
    var histories = [["1-a"], ["1-b"]]
    for step in 0..<30 {
      let parent = histories[random.below(histories.count)]
      histories.append(["\(parent.count + 1)-\(step)"] + parent)
    }
    var paths = histories.map { history in
      let isCut = random.below(2) == 0
      return isCut ? Array(history.prefix(random.below(history.count) + 1)) : history
    }
    random.shuffle(&paths)
    var tree = RevisionTree(collation: Collation(.bytes))
    for path in paths {
      _ = tree.merge(RevisionPath(path.map { revision($0) }).unsafelyUnwrapped, deleted: false)
    }
    #expect(tree.count == histories.count)
    #expect(
      paths.allSatisfy { path in
        tree.ancestry(of: revision(path[0])).map { $0.description }.starts(with: path)
      })
    var again = tree
    for path in paths {
      _ = again.merge(RevisionPath(path.map { revision($0) }).unsafelyUnwrapped, deleted: true)
    }
    #expect(again == tree)
  }

  /// The cost of a merge depends on the new revisions, not on the length of the history.
  @Test func costIsTheNewPart() {
    func visits(generations: Int64) -> Int {
      let history = (1...generations).reversed().map { revision("\($0)-a") }
      var tree = RevisionTree(collation: Collation(.bytes))
      _ = tree.merge(RevisionPath(history).unsafelyUnwrapped, deleted: false)
      let next = revision("\(generations + 1)-b")
      let last = revision("\(generations + 2)-c")
      var visited = 0
      for path in [[next, history[0]], [last, next] + history] {
        _ = tree.merge(
          RevisionPath(path).unsafelyUnwrapped, deleted: false, visited: &visited)
      }
      return visited
    }
    #expect(visits(generations: 100) > 0)
    #expect(Double(visits(generations: 10_000)) <= 1.3 * Double(visits(generations: 100)))
  }
}

private func forEachPermutation<Element>(of elements: [Element], _ body: ([Element]) -> Void) {
  guard elements.count > 1 else { return body(elements) }
  for place in elements.indices {
    var rest = elements
    let first = rest.remove(at: place)
    forEachPermutation(of: rest) { body([first] + $0) }
  }
}
