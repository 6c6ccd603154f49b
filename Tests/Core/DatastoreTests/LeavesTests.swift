import Datastore
import Testing

@Suite struct LeavesTests {
  static let lists: [[Leaf]] = [
    [], [Leaf(rev: "1-a")], [Leaf(rev: "1-a", deleted: true)],
    [Leaf(rev: "2-b"), Leaf(rev: "1-a", deleted: true)],
    [Leaf(rev: "3-c"), Leaf(rev: "2-b"), Leaf(rev: "1-a")],
  ]

  @Test(arguments: lists) func areWhatTheyWereMadeOf(list: [Leaf]) {
    let leaves = Leaves(list)
    #expect(leaves.count == list.count && Array(leaves) == list && leaves.array == list)
    #expect(leaves.first == list.first && leaves.last == list.last)
    #expect(leaves.dropFirst().map { $0.rev } == list.dropFirst().map { $0.rev })
  }

  /// A single leaf is equal to a list of one leaf.
  @Test func oneLeafIsOne() {
    let leaf = Leaf(rev: "1-a")
    var shortened: Leaves = [leaf, Leaf(rev: "1-b")]
    shortened.array.removeLast()
    for leaves in [Leaves([leaf]), [leaf], shortened] {
      #expect(leaves == Leaves(leaf) && leaves.hashValue == Leaves(leaf).hashValue)
    }
    shortened.array.removeLast()
    #expect(shortened.isEmpty && shortened == [])
  }

  @Test func differentLeavesDiffer() {
    for (row, left) in Self.lists.enumerated() {
      for (column, right) in Self.lists.enumerated() {
        #expect((Leaves(left) == Leaves(right)) == (row == column))
      }
    }
  }
}
