internal import Datastore
internal import JSON
public import Scenarios

/// The revision tree of a document, laid out: generations from left to right, a line for each leaf,
/// the winner's branch first. Long stretches in which nothing branches are shortened.
public struct RevisionPicture {
  /// In an order in which parents come before their children.
  private(set) var nodes: [Node] = []
  /// What stands in each column, from left to right.
  private(set) var columns: [Column] = []
  /// How many lines the tree has.
  private(set) var lines = 0

  struct Node {
    let rev: RevisionID
    let parent: Int?
    var kind: Kind = .inner
    var isNew = false
    var children: [Int] = []
    /// Generations from the first root, or from the beginning where names do not say.
    var depth: Int
    var line = 0
    var column = 0
    /// Whether it stands for itself, and not in a shortened stretch.
    var isShown = true
  }

  enum Kind: Hashable {
    case inner
    case winner
    /// A live leaf beside the winner.
    case conflict
    case deleted
  }

  enum Column: Hashable {
    case revisions
    /// So many generations without a branch or an end.
    case shortened(Int)
  }

  /// - Parameters:
  ///   - branches: the leaves with their ancestors, the winner first.
  ///   - known: the revisions that were there before; all others are marked as new. Nil marks none.
  public init(_ branches: [Trace.Branch], known: [Trace.Branch]? = nil) {
    grow(branches, known)
    arrangeLines()
    arrangeColumns()
  }

  var roots: [Int] { nodes.indices.filter { nodes[$0].parent == nil } }

  private mutating func grow(_ branches: [Trace.Branch], _ known: [Trace.Branch]?) {
    var places: [RevisionID: Int] = [:]
    let old = known.map { Set($0.flatMap { $0.path }) }
    let first = branches.compactMap { $0.path.last?.generation }.min() ?? 1
    for (order, branch) in branches.enumerated() {
      var parent: Int?
      for rev in branch.path.reversed() {
        if let place = places[rev] {
          parent = place
          continue
        }
        // A branch may begin late, when its beginning was forgotten.
        let depth = parent.map { nodes[$0].depth + 1 } ?? max(0, (rev.generation ?? first) - first)
        var node = Node(rev: rev, parent: parent, depth: depth)
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
    guard let last = nodes.map({ $0.depth }).max() else { return }
    var isNeeded = Array(repeating: false, count: last + 1)
    for node in nodes {
      let isAlone = node.parent.map { nodes[$0].children.count == 1 } ?? false
      let isStretch =
        node.kind == .inner && node.children.count == 1 && isAlone && !node.isNew
      if !isStretch { isNeeded[node.depth] = true }
    }
    var places: [Int] = []
    var depth = 0
    while depth <= last {
      let end = isNeeded[depth...].firstIndex(of: true) ?? last + 1
      if end - depth > 1 {
        places += Array(repeating: columns.count, count: end - depth)
        columns.append(.shortened(end - depth))
        depth = end
      } else {
        places.append(columns.count)
        columns.append(.revisions)
        depth += 1
      }
    }
    for place in nodes.indices {
      nodes[place].column = places[nodes[place].depth]
      if case .shortened = columns[nodes[place].column] { nodes[place].isShown = false }
    }
  }
}

extension RevisionID {
  /// The number before the hyphen; nil for a name without one.
  fileprivate var generation: Int? {
    var number = 0
    var digits = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "-") { return digits > 0 ? number : nil }
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), digits < 6 else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
      digits += 1
    }
    return nil
  }
}
