import Datastore
import RevisionTree
import Testing

struct RevisionTreeRemovalTests {
  @Test func purgeTakesWhatNobodyNeeds() {
    var tree = tree(["4-d 3-c 2-b 1-a", "3-x 2-b 1-a"])
    #expect(tree.purge(revision("4-d")) == [revision("4-d"), revision("3-c")])
    #expect(tree.shape == ["3-x 2-b 1-a"])
    #expect(tree.purge(revision("2-b")).isEmpty)
    #expect(tree.purge(revision("9-z")).isEmpty)
    #expect(tree.purge(revision("3-x")).count == 3)
    #expect(tree.isEmpty && tree.winner == nil)
    #expect(tree == RevisionTree(collation: Collation(.bytes)))
  }

  @Test func purgeOfARootPieceLeavesTheOther() {
    var tree = tree(["2-b 1-a", "5-q"])
    _ = tree.purge(revision("5-q"))
    #expect(tree.shape == ["2-b 1-a"])
    _ = tree.merge(path("5-q 4-p"), deleted: false)
    #expect(tree.shape == ["5-q 4-p", "2-b 1-a"])
  }

  @Test(
    arguments: [
      // The branch point is kept for the short branch, and the long one is disconnected from it.
      (1, ["5-e", "2-x"]), (2, ["5-e 4-d", "2-x 1-a"]), (3, ["5-e 4-d 3-c", "2-x 1-a"]),
      (4, ["5-e 4-d 3-c 2-b 1-a", "2-x 1-a"]), (5, ["5-e 4-d 3-c 2-b 1-a", "2-x 1-a"]),
    ] as [(Int64, [String])])
  func stemKeepsWhatALeafNeeds(limit: Int64, shape: [String]) {
    var tree = tree(["5-e 4-d 3-c 2-b 1-a", "2-x 1-a"])
    let before = tree.count
    let removed = tree.stem(limit: limit)
    #expect(tree.shape == shape)
    #expect(removed.count == before - tree.count)
    #expect(removed.allSatisfy { !tree.contains($0) })
  }

  /// Observed on CouchDB 3.4.3: under a limit the order of arrival decides whether the document is
  /// deleted.
  @Test func stemmedTreesDependOnOrder() {
    func arrive(_ paths: [String]) -> RevisionTree {
      var tree = RevisionTree(collation: Collation(.bytes))
      for ids in paths {
        let deleted = ids.hasPrefix("x")
        _ = tree.merge(path(deleted ? String(ids.dropFirst()) : ids), deleted: deleted)
        _ = tree.stem(limit: 2)
      }
      return tree
    }
    #expect(!arrive(["x3-c 2-b 1-a", "1-a"]).isWinnerDeleted)
    #expect(arrive(["1-a", "x3-c 2-b 1-a"]).isWinnerDeleted)
  }

  @Test func ancestryAndLeavesUnder() {
    let tree = tree(["4-d 3-c 2-b 1-a", "3-x 2-b", "2-y 1-a", "4-z"])
    #expect(tree.ancestry(of: revision("4-d"), limit: 2) == [revision("4-d"), revision("3-c")])
    #expect(tree.leaves(under: revision("2-b")) == [revision("4-d"), revision("3-x")])
    #expect(tree.leaves(under: revision("4-z")) == [revision("4-z")])
    #expect(tree.leaves(under: revision("1-q")).isEmpty)
    #expect(tree.parent(of: revision("3-x")) == revision("2-b"))
  }

  /// CouchDB's example: for requested 4-d and 2-f, every leaf below generation 4 may be an
  /// ancestor.
  @Test(arguments: [
    ("4-d", "4-d", "3-c 2-d"), ("3-f", "3-f", "2-d"), ("2-f", "2-f", ""),
    ("3-c 4-d 2-f 4-d", "4-d 2-f", "3-c 2-d"), ("2-b 1-a 3-c", "", ""),
  ])
  func difference(asked: String, missing: String, ancestors: String) {
    let tree = tree(["3-c 2-b 1-a", "2-d 1-a"])
    let spelled = { (ids: String) in ids.split(separator: " ").map { revision(String($0)) } }
    let difference = tree.difference(spelled(asked))
    #expect(difference.missing == spelled(missing))
    #expect(difference.possibleAncestors == spelled(ancestors))
  }

  @Test func renameMovesARevisionWithItsPlace() {
    var renamed = tree(["3-c 2-? 1-a", "3-d 2-?"])
    renamed.rename(revision("2-?"), to: revision("2-b"))
    #expect(renamed == tree(["3-c 2-b 1-a", "3-d 2-b"]))
    renamed.rename(revision("3-c"), to: revision("3-z"))
    #expect(renamed.shape == ["3-z 2-b 1-a", "3-d 2-b 1-a"])
    let before = renamed
    renamed.rename(revision("3-z"), to: revision("3-d"))
    renamed.rename(revision("3-z"), to: revision("4-z"))
    #expect(renamed == before)
  }
}
