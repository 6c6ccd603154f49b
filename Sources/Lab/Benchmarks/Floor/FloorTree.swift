internal import Datastore

/// A revision in 40 bytes that are compared as five numbers, and the place of its id.
struct FloorRevision: BitwiseCopyable {
  let generation: Int64
  let words: (UInt64, UInt64, UInt64, UInt64)
  let suffix: UnsafeRawBufferPointer

  /// A revision with a suffix of 32 bytes, like all here.
  init(_ id: RevisionID, in arena: Arena) throws(BenchmarkError) {
    let name = try FloorName(id, in: arena)
    guard name.bytes.count > 32 else { throw .disagreement("'\(id)' has a short suffix") }
    let suffix = UnsafeRawBufferPointer(rebasing: name.bytes[(name.bytes.count - 32)...])
    func word(_ place: Int) -> UInt64 {
      UInt64(bigEndian: suffix.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self))
    }
    generation = name.generation
    words = (word(0), word(1), word(2), word(3))
    self.suffix = suffix
  }

  @inline(__always)
  static func == (left: FloorRevision, right: FloorRevision) -> Bool {
    left.generation == right.generation && left.words == right.words
  }

  @inline(__always)
  func isGreater(than other: FloorRevision) -> Bool {
    generation == other.generation ? words > other.words : generation > other.generation
  }

  /// Digits are not random bytes: the product moves all of the last eight into its upper half.
  @inline(__always)
  var hash: Int { Int(truncatingIfNeeded: (words.3 &* 0x9e37_79b9_7f4a_7c15) >> 32) }
}

/// A leaf in a list of leaves.
struct FloorLeaf: BitwiseCopyable {
  let isDeleted: Bool
  let revision: FloorRevision

  /// The winner of leaves without an order: each is visited once.
  static func winner(of leaves: Slice<UnsafeBufferPointer<FloorLeaf>>) -> FloorLeaf? {
    guard var winner = leaves.first else { return nil }
    for leaf in leaves.dropFirst() {
      let isBetter =
        leaf.isDeleted == winner.isDeleted
        ? leaf.revision.isGreater(than: winner.revision) : winner.isDeleted
      if isBetter { winner = leaf }
    }
    return winner
  }
}

/// The minimum for merging paths into a tree of live revisions: a table of all revisions, each with
/// its parent and the number of its children, the number of leaves, and the best one.
final class FloorTree {
  private struct Node: BitwiseCopyable {
    var revision: FloorRevision
    var parent: Int32
    var childCount: Int32
  }

  /// The places of nodes, -1 for an empty slot.
  private let table: UnsafeMutableBufferPointer<Int32>
  private let nodes: UnsafeMutableBufferPointer<Node>
  private(set) var count = 0
  private(set) var leafCount = 0
  private var best = 0

  /// An empty tree with room for this many revisions.
  init(capacity: Int) {
    var size = 16
    while size < 2 * capacity { size *= 2 }
    table = .allocate(capacity: size)
    table.initialize(repeating: -1)
    nodes = .allocate(capacity: capacity)
  }

  deinit {
    table.deallocate()
    nodes.deallocate()
  }

  /// The suffix of the winner, which is above all others of its generation.
  var winner: UnsafeRawBufferPointer { nodes[best].revision.suffix }

  /// The slot of a revision, or the one where it would be stored.
  private func slot(of revision: FloorRevision) -> Int {
    var slot = revision.hash & (table.count - 1)
    while table[slot] >= 0, !(nodes[Int(table[slot])].revision == revision) {
      slot = (slot + 1) & (table.count - 1)
    }
    return slot
  }

  /// Merges a path of live revisions, newest first.
  func merge(_ path: Slice<UnsafeBufferPointer<FloorRevision>>) {
    var place = path.startIndex
    var parent: Int32 = -1
    while place < path.endIndex {
      parent = table[slot(of: path[place])]
      if parent >= 0 { break }
      place += 1
    }
    guard place > path.startIndex else { return }
    if parent >= 0 {
      if nodes[Int(parent)].childCount == 0 { leafCount -= 1 }
      nodes[Int(parent)].childCount += 1
    }
    for new in stride(from: place - 1, through: path.startIndex, by: -1) {
      let isTip = new == path.startIndex
      nodes[count] = Node(revision: path[new], parent: parent, childCount: isTip ? 0 : 1)
      parent = Int32(count)
      table[slot(of: path[new])] = parent
      count += 1
    }
    leafCount += 1
    if count == 1 || path[path.startIndex].isGreater(than: nodes[best].revision) {
      best = count - 1
    }
  }
}
