internal import Datastore
internal import JSON

/// Matches a regular expression by following all places of a text at once.
///
/// A node takes the set of places where a match of it may begin to the set of places where such a
/// match ends. No place is looked at twice for one node, so the time is bounded by the length of the
/// text times the size of the expression.
struct ExpressionMatching {
  private let scalars: [Unicode.Scalar]

  /// Whether the expression matches some part of the text.
  static func occurs(_ root: RegularExpression.Node, in text: Text) -> Bool {
    let matching = ExpressionMatching(scalars: Array(text.string.unicodeScalars))
    return !matching.ends(of: root, from: Set(0...matching.scalars.count)).isEmpty
  }

  private func ends(of node: RegularExpression.Node, from starts: Set<Int>) -> Set<Int> {
    if starts.isEmpty { return [] }
    switch node {
    case .scalar(let set):
      return Set(
        starts.filter { $0 < scalars.count && set.contains(scalars[$0]) }.map { $0 + 1 })
    case .start: return starts.intersection([0])
    case .end: return starts.intersection([scalars.count])
    case .sequence(let nodes):
      return nodes.reduce(starts) { places, node in ends(of: node, from: places) }
    case .choice(let nodes):
      return nodes.reduce(into: []) { $0.formUnion(ends(of: $1, from: starts)) }
    case .repeated(let node, let least, let most):
      let places = (0..<least).reduce(starts) { places, _ in ends(of: node, from: places) }
      var reached = places
      var newest = places
      var count = least
      while !newest.isEmpty, count < most ?? .max {
        newest = ends(of: node, from: newest).subtracting(reached)
        reached.formUnion(newest)
        count += 1
      }
      return reached
    }
  }
}

extension RegularExpression.ScalarSet {
  fileprivate func contains(_ scalar: Unicode.Scalar) -> Bool {
    ranges.contains { $0.contains(scalar.value) } != isNegated
  }
}
