internal import JSON

/// All conflicts of a small domain, the smallest first.
///
/// A body has two members, each absent, 1 or 2, so there are 9 bodies. An ancestor is one of them
/// or unknown, and a leaf is one of them or a tombstone. The leaves are distinguished by their
/// revision ids, so their assignment counts.
struct ConflictEnumeration: Sequence {
  /// The numbers of leaves.
  var leaves: ClosedRange<Int> = 2...3

  static let names: [JSONString] = ["a", "b"]

  /// The 9 bodies.
  static let bodies: [JSONObject] = {
    let values: [JSONValue?] = [nil, 1, 2]
    return values.flatMap { first in
      values.map { second in
        var body = JSONObject()
        body[names[0]] = first
        body[names[1]] = second
        return body
      }
    }
  }()

  /// The number of conflicts.
  var count: Int {
    let states = Self.bodies.count + 1
    return leaves.map { leaves in (0..<leaves).reduce(states) { count, _ in count * states } }
      .reduce(0, +)
  }

  /// The conflicts in the order of their size.
  func makeIterator() -> some IteratorProtocol<ConflictCase> {
    let states: [JSONObject?] = Self.bodies + [nil]
    var cases: [(size: [Int], conflict: ConflictCase)] = []
    cases.reserveCapacity(count)
    for count in leaves {
      let combinations = (0..<count).reduce(1) { product, _ in product * states.count }
      for number in 0..<(combinations * states.count) {
        var rest = number
        func next() -> JSONObject? {
          defer { rest /= states.count }
          return states[rest % states.count]
        }
        let sides = (0..<count).map { _ in ConflictCase.Side(body: next()) }
        let conflict = ConflictCase(ancestor: next(), sides: sides)
        cases.append((conflict.size, conflict))
      }
    }
    // A stable order: conflicts of one size stay in the order of their numbers.
    let order = cases.indices.sorted { left, right in
      cases[left].size == cases[right].size
        ? left < right : cases[left].size.precedes(cases[right].size)
    }
    return order.lazy.map { cases[$0].conflict }.makeIterator()
  }
}
