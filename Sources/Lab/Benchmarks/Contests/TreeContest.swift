internal import Datastore
internal import JSON
internal import RevisionTree

/// Revision trees as values: no store, no file.
final class TreeContest: Contest {
  enum Work {
    /// Paths of ten revisions, of which one is new, into a tree of a hundred branches.
    case merge
    /// One additional leaf, and then the winner, of a tree of a thousand leaves; one in sixteen is
    /// deleted.
    case winner
  }

  private static let collation = Collation(.bytes)
  private static let branchCount = 100
  private static let pathLength = 10
  private static let leafCount = 1000

  private let work: Work
  /// The initial state of a run, and its revisions.
  private let beginning, paths: [RevisionPath]
  private var tree = RevisionTree(collation: collation)

  private let arena = Arena()
  private let floorPaths: UnsafeBufferPointer<FloorRevision>
  private var floorTree = FloorTree(capacity: 1)
  private let floorLeaves: UnsafeBufferPointer<FloorLeaf>

  /// - Parameter count: the number of paths in a run.
  init(_ work: Work, count: Int) throws(BenchmarkError) {
    self.work = work
    let names: (beginning: [[RevisionID]], paths: [[RevisionID]])
    switch work {
    case .merge:
      names.beginning = (0..<Self.branchCount).map { Self.path($0, upTo: Self.pathLength) }
      names.paths = (0..<count).map {
        Array(
          Self.path(
            $0 % Self.branchCount, upTo: Self.pathLength + 1 + $0 / Self.branchCount
          ).prefix(Self.pathLength))
      }
    case .winner:
      names.beginning = (0..<Self.leafCount).map { Self.path($0, upTo: 2) }
      names.paths = (Self.leafCount..<Self.leafCount + count).map { Self.path($0, upTo: 2) }
    }
    beginning = try names.beginning.map(Self.path)
    paths = try names.paths.map(Self.path)
    var revisions: [FloorRevision] = []
    var leaves: [FloorLeaf] = []
    for (number, path) in (names.beginning + names.paths).enumerated() {
      for name in path { revisions.append(try FloorRevision(name, in: arena)) }
      leaves.append(
        FloorLeaf(
          isDeleted: Documents.isDeleted(number),
          revision: revisions[revisions.count - path.count]))
    }
    floorPaths = arena.array(revisions)
    floorLeaves = arena.array(leaves)
  }

  /// The newest revisions of a branch first, down to the root that all branches share.
  private static func path(_ branch: Int, upTo generation: Int) -> [RevisionID] {
    (1...generation).reversed().map { generation in
      Documents.rev(generation == 1 ? 0 : branch, generation: generation)
    }
  }

  private static func path(_ ids: [RevisionID]) throws(BenchmarkError) -> RevisionPath {
    guard let path = RevisionPath(ids.compactMap(collation.revision)) else {
      throw .disagreement("an invalid path")
    }
    return path
  }

  private func isDeleted(_ number: Int) -> Bool { work == .winner && Documents.isDeleted(number) }

  func prepareStore(run: Int) {
    tree = RevisionTree(collation: Self.collation)
    for (number, path) in beginning.enumerated() {
      _ = tree.merge(path, deleted: isDeleted(number))
    }
  }

  func runStore() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for (number, path) in paths.enumerated() {
      _ = tree.merge(path, deleted: isDeleted(beginning.count + number))
      tally.addRow()
      if work == .winner, let winner = tree.winner { tally.add(name: winner.suffix) }
    }
    if work == .merge, let winner = tree.winner {
      tally.add(name: winner.suffix)
      tally.add(marks: tree.count)
      tally.add(marks: tree.leaves.count)
    }
    return tally
  }

  func prepareFloor(run: Int) {
    guard work == .merge else { return }
    floorTree = FloorTree(capacity: beginning.count * Self.pathLength + paths.count)
    for number in beginning.indices { floorTree.merge(floorPath(number)) }
  }

  /// All paths of `merge` have the same length.
  private func floorPath(_ number: Int) -> Slice<UnsafeBufferPointer<FloorRevision>> {
    floorPaths[number * Self.pathLength..<(number + 1) * Self.pathLength]
  }

  func runFloor() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for number in beginning.count..<beginning.count + paths.count {
      tally.addRow()
      switch work {
      case .merge: floorTree.merge(floorPath(number))
      case .winner:
        guard let winner = FloorLeaf.winner(of: floorLeaves[...number]) else { break }
        tally.add(name: winner.revision.suffix)
      }
    }
    if work == .merge {
      tally.add(name: floorTree.winner)
      tally.add(marks: floorTree.count)
      tally.add(marks: floorTree.leafCount)
    }
    return tally
  }
}
