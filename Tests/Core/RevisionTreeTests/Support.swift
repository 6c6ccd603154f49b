import Datastore
import JSON
import RevisionTree

/// The revision that a literal encodes; an invalid literal stops the test.
func revision(_ id: String) -> Revision {
  guard let revision = Revision(RevisionID(JSONString(id))) else { preconditionFailure("'\(id)'") }
  return revision
}

/// The path of revisions, newest first, separated by spaces.
func path(_ ids: String) -> RevisionPath {
  guard let path = RevisionPath(ids.split(separator: " ").map { revision(String($0)) }) else {
    preconditionFailure("'\(ids)'")
  }
  return path
}

/// A tree of the given paths, merged in order; paths that begin with `x` are deletions.
func tree(_ paths: [String], collation: CollationName = .bytes) -> RevisionTree {
  var tree = RevisionTree(collation: Collation(collation))
  for ids in paths {
    let deleted = ids.hasPrefix("x")
    _ = tree.merge(path(deleted ? String(ids.dropFirst()) : ids), deleted: deleted)
  }
  return tree
}

extension RevisionTree {
  /// The leaves in winner order, each with its history.
  var shape: [String] {
    leaves.map { leaf in
      ancestry(of: leaf).map { $0.description }.joined(separator: " ")
    }
  }
}

/// SplitMix64.
struct Randomness {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((mixed ^ (mixed >> 31)).multipliedFullWidth(by: UInt64(bound)).high)
  }

  mutating func shuffle<Element>(_ elements: inout [Element]) {
    for place in elements.indices.dropFirst() { elements.swapAt(place, below(place + 1)) }
  }
}
