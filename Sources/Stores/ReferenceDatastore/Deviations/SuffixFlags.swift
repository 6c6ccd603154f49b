internal import Datastore
internal import JSON
internal import RevisionTree

/// What a store remembers of a document that looks up deletion flags by suffix.
struct SuffixFlags: Hashable {
  /// Whether the document counts as deleted.
  var isDead = false
  /// The flags of revisions when they were written.
  var written: [Revision: Bool] = [:]
  /// Revisions whose flags were lost when an older ancestor arrived.
  var lost: Set<Revision> = []
  /// The order in which revisions arrived.
  var arrivals: [Revision: Int] = [:]

  /// Records a write: the document after it.
  mutating func record(_ document: ModelDocument, written revisions: [Revision]) {
    let order = VisitingOrder(document.tree, self)
    for revision in order.revisions where arrivals[revision] == nil {
      arrivals[revision] = arrivals.count
    }
    let now = VisitingOrder(document.tree, self)
    let winner = document.tree.winner
    isDead = winner.map { now.isDeleted(suffix: $0.suffix) } ?? false
    for revision in revisions {
      written[revision] = revision == winner ? isDead : now.isDeleted(suffix: revision.suffix)
    }
  }

  /// The flag of a revision in an answer.
  func isDeleted(_ revision: Revision, _ order: VisitingOrder) -> Bool {
    written[revision] ?? false || order.isDeleted(suffix: revision.suffix)
  }
}

/// The revisions of a document in the order in which PouchDB visits them: the last root first, of
/// the children the last first, and a revision before its children.
///
/// Roots are ordered by generation and arrival, children by the UTF-16 code units of their suffixes.
struct VisitingOrder {
  let revisions: [Revision]
  private let tree: RevisionTree
  private let roots: [Revision]
  private let lost: Set<Revision>

  init(_ tree: RevisionTree, _ flags: SuffixFlags?) {
    self.tree = tree
    lost = flags?.lost ?? []
    var children: [Revision: [Revision]] = [:]
    var seen: Set<Revision> = []
    for leaf in tree.leaves {
      let path = tree.ancestry(of: leaf)
      for (revision, parent) in zip(path, path.dropFirst()) where seen.insert(revision).inserted {
        children[parent, default: []].append(revision)
      }
    }
    let arrival = { (revision: Revision) in flags?.arrivals[revision] ?? .max }
    roots = tree.roots.sorted {
      ($0.generation, arrival($0)) < ($1.generation, arrival($1))
    }
    var stack = roots
    var order: [Revision] = []
    while let revision = stack.popLast() {
      order.append(revision)
      stack += (children[revision] ?? []).sorted {
        $0.suffix.string.utf16.lexicographicallyPrecedes($1.suffix.string.utf16)
      }
    }
    revisions = order
  }

  /// The deletion flag of the first revision with a suffix; a stub has none.
  func isDeleted(suffix: JSONString) -> Bool {
    revisions.first { $0.suffix == suffix }.flatMap {
      lost.contains($0) ? false : tree.isDeleted($0)
    } ?? false
  }

  /// The path that is found for a revision by its suffix, newest first; nil for an unknown suffix.
  func path(of revision: Revision) -> [Revision]? {
    let leaves = revisions.filter { tree.isLeaf($0) }
    var found: [Revision]?
    for leaf in leaves.reversed() {
      let path = Array(tree.ancestry(of: leaf).reversed())
      guard let place = path.firstIndex(where: { $0.suffix == revision.suffix }) else { continue }
      let isPlace = Int64(place) == revision.generation - 1
      if isPlace || found == nil { found = Array(path[...place].reversed()) }
    }
    return found
  }
}
