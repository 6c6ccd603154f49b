import Datastore
import Testing

@testable import RevisionTree

/// The result of a merge for each kind of path.
struct MergeResultTests {
  private typealias Result = RevisionTree.MergeResult

  private func expect(
    _ result: RevisionTree.MergeResult, of ids: String, mergedInto paths: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var tree = tree(paths)
    #expect(tree.merge(path(ids), deleted: false) == result, sourceLocation: sourceLocation)
  }

  @Test func tipOfANewTreeIsANewLeaf() {
    expect(.newLeaf, of: "1-a", mergedInto: [])
    expect(.newLeaf, of: "3-c 2-b", mergedInto: [])
  }

  @Test func tipThatDescendsFromALeafIsANewLeaf() {
    expect(.newLeaf, of: "2-b 1-a", mergedInto: ["1-a"])
    expect(.newLeaf, of: "4-d 3-c 2-b", mergedInto: ["2-b 1-a", "2-x 1-a"])
    expect(.newLeaf, of: "2-b 1-a", mergedInto: ["x1-a"])
    // The path also joins the root to its parent.
    expect(.newLeaf, of: "3-c 2-b 1-a", mergedInto: ["2-b"])
  }

  @Test func tipBesideTheLeavesIsANewBranch() {
    expect(.newBranch, of: "2-x 1-a", mergedInto: ["2-b 1-a"])
    expect(.newBranch, of: "1-b", mergedInto: ["1-a"])
    // The path ends above the component that it may belong to.
    expect(.newBranch, of: "4-d 3-c", mergedInto: ["2-b 1-a"])
    // The path also joins the root to its parent.
    expect(.newBranch, of: "3-x 2-b 1-a", mergedInto: ["3-c 2-b"])
    expect(.newBranch, of: "3-x 2-b 1-a", mergedInto: ["1-a", "3-c 2-b"])
  }

  @Test func knownTipThatChangesTheTreeIsAnInternalNode() {
    // The tip had no body.
    expect(.internalNode, of: "1-a", mergedInto: ["2-b 1-a"])
    // The root gets an unknown or a known parent; a known leaf becomes an internal node.
    expect(.internalNode, of: "3-c 2-b", mergedInto: ["3-c"])
    expect(.internalNode, of: "2-b 1-a", mergedInto: ["1-a", "2-b"])
  }

  @Test func knownTipThatChangesNothing() {
    expect(.nothing, of: "2-b 1-a", mergedInto: ["2-b 1-a"])
    expect(.nothing, of: "2-b", mergedInto: ["2-b 1-a"])
    expect(.nothing, of: "2-b 1-x", mergedInto: ["2-b 1-a"])
    expect(.nothing, of: "1-a", mergedInto: ["1-a", "2-b 1-a"])
  }

  @Test func lateArrivalThatIsDeclinedChangesNothing() {
    var tree = tree(["3-c 2-b"])
    for ids in ["2-b", "3-c 2-b 1-a", "2-b 1-a"] {
      let declined = RevisionTree.LateArrival(fills: false, adopts: false)
      #expect(tree.merge(path(ids), deleted: false, lateArrival: declined) == .nothing)
    }
    #expect(
      tree.merge(path("2-b"), deleted: false, lateArrival: .init(fills: false)) == .nothing)
    #expect(
      tree.merge(path("3-c 2-b 1-a"), deleted: false, lateArrival: .init(adopts: false)) == .nothing
    )
  }

  /// The result agrees with the leaves and the tree before and after, for any order of arrival.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func resultAgreesWithTheTree(seed: UInt64) throws {
    var random = Randomness(state: seed)
    var histories = [["1-a"]]
    for step in 0..<20 {
      let parent = histories[random.below(histories.count)]
      histories.append(["\(parent.count + 1)-\(step)"] + parent)
    }
    var tree = RevisionTree(collation: Collation(.bytes))
    var seen: Set<Result> = []
    for _ in 0..<60 {
      let history = histories[random.below(histories.count)]
      let cut = history.prefix(random.below(history.count) + 1).map { revision($0) }
      let path = try #require(RevisionPath(cut))
      let before = tree
      let result = tree.merge(path, deleted: random.below(2) == 0)
      seen.insert(result)
      #expect((result == .nothing) == (tree == before))
      #expect(result.addsLeaf == !before.contains(path.tip))
      if result.addsLeaf {
        #expect(tree.isLeaf(path.tip))
        let nearest = path.revisions.first { before.contains($0) }
        let isLeaf = nearest.map { before.leaves.contains($0) } ?? before.isEmpty
        #expect(result == (isLeaf ? .newLeaf : .newBranch))
      }
    }
    #expect(seen.contains(.newLeaf) && seen.contains(.nothing))
  }
}
