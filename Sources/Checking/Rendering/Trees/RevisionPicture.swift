internal import Datastore
internal import JSON
public import Scenarios

/// The layout of the revision tree of a document: roots at the left, a line for each leaf, the
/// winner's branch first. Stretches without branches are abbreviated, so that the width depends on
/// the number of branches and not on the number of revisions.
public struct RevisionPicture {
  /// In an order in which parents come before their children.
  private(set) var nodes: [Node] = []
  /// How many columns the tree has.
  private(set) var columns = 0
  /// How many lines the tree has.
  private(set) var lines = 0

  struct Node {
    let rev: RevisionID
    let parent: Int?
    var kind: Kind = .inner
    var isNew = false
    var children: [Int] = []
    var line = 0
    var column = 0
    var role: Role = .revision
  }

  enum Role: Hashable {
    case revision
    /// The first of a stretch that one sign represents.
    case stretch(Int)
    /// A revision that the sign of an earlier one represents.
    case hidden
  }

  enum Kind: Hashable {
    case inner
    case winner
    /// A live leaf beside the winner.
    case conflict
    case deleted
  }

  /// - Parameters:
  ///   - branches: the leaves with their ancestors, the winner first.
  ///   - known: the revisions that existed before; all others are marked as new. Nil marks none.
  public init(_ branches: [Trace.Branch], known: [Trace.Branch]? = nil) {
    grow(branches, known)
    arrangeLines()
    arrangeColumns()
  }

  var roots: [Int] { nodes.indices.filter { nodes[$0].parent == nil } }

  private mutating func grow(_ branches: [Trace.Branch], _ known: [Trace.Branch]?) {
    var places: [RevisionID: Int] = [:]
    let old = known.map { Set($0.flatMap { $0.path }) }
    for (order, branch) in branches.enumerated() {
      var parent: Int?
      for rev in branch.path.reversed() {
        if let place = places[rev] {
          parent = place
          continue
        }
        var node = Node(rev: rev, parent: parent)
        node.isNew = old.map { !$0.contains(rev) } ?? false
        if let parent { nodes[parent].children.append(nodes.count) }
        places[rev] = nodes.count
        parent = nodes.count
        nodes.append(node)
      }
      guard let parent else { continue }
      nodes[parent].kind = branch.deleted ? .deleted : order == 0 ? .winner : .conflict
    }
  }

  /// Gives each end a line of its own; what leads to it stands on the line of its first end.
  private mutating func arrangeLines() {
    var waiting = Array(roots.reversed())
    while let place = waiting.popLast() {
      if let parent = nodes[place].parent, nodes[parent].children.first == place {
        nodes[place].line = nodes[parent].line
      } else {
        nodes[place].line = lines
        lines += 1
      }
      waiting += nodes[place].children.reversed()
    }
  }

  private mutating func arrangeColumns() {
    // The first revision of the stretch that each one belongs to.
    var heads: [Int?] = []
    var lengths = Array(repeating: 0, count: nodes.count)
    for (place, node) in nodes.enumerated() {
      guard let parent = node.parent, node.kind == .inner, node.children.count == 1, !node.isNew
      else {
        heads.append(nil)
        continue
      }
      let head = heads[parent] ?? place
      heads.append(head)
      lengths[head] += 1
    }
    for place in nodes.indices {
      let next = nodes[place].parent.map { nodes[$0].column + 1 } ?? 0
      if let head = heads[place], lengths[head] > 1 {
        nodes[place].role = head == place ? .stretch(lengths[head]) : .hidden
        nodes[place].column = head == place ? next : nodes[head].column
      } else {
        nodes[place].column = next
      }
      columns = max(columns, nodes[place].column + 1)
    }
  }
}
