internal import JSON

/// An index of the few values that a pattern can match.
///
/// Values are indexed by a hash that is equal for equal JSON values, and objects also by that of
/// each of their members.
struct CandidateIndex {
  private let values: [JSONValue]
  private var wholes: [Int: [Int]] = [:]
  /// By the name of a member, then by its value; created on the first use of the name.
  private var members: [JSONString: [Int: [Int]]] = [:]

  init(_ values: [JSONValue]) {
    self.values = values
    for (place, value) in values.enumerated() {
      wholes[value.sameValueHash, default: []].append(place)
    }
  }

  /// The indices of all values that the pattern matches, and possibly of some others, ascending.
  mutating func places(for pattern: Pattern) -> [Int] {
    switch pattern {
    case .literal(let value): return wholes[value.sameValueHash] ?? []
    case .object(let members):
      var best: [Int]?
      // An optional flag is not selective, and would have to be indexed by its default.
      for member in members where member.name != "deleted" {
        guard case .literal(let value) = member.pattern else { continue }
        let places = file(member.name)[value.sameValueHash] ?? []
        if places.count < best?.count ?? .max { best = places }
      }
      return best ?? Array(values.indices)
    default: return Array(values.indices)
    }
  }

  private mutating func file(_ name: JSONString) -> [Int: [Int]] {
    if let file = members[name] { return file }
    var file: [Int: [Int]] = [:]
    for (place, value) in values.enumerated() {
      guard let member = value.objectValue?[name] else { continue }
      file[member.sameValueHash, default: []].append(place)
    }
    members[name] = file
    return file
  }
}

extension JSONValue {
  /// A hash that is equal for equal values; it differs from process to process.
  var sameValueHash: Int {
    var hasher = Hasher()
    switch self {
    case .null: hasher.combine(0)
    case .bool(let flag): hasher.combine(flag)
    case .string(let text): hasher.combine(text)
    // Equal numbers are equal as doubles; false candidates only cost a comparison.
    case .integer(let number): hasher.combine(Double(number))
    case .unsigned(let number): hasher.combine(Double(number))
    case .double(let number): hasher.combine(number)
    case .array(let elements):
      hasher.combine(elements.count)
      for element in elements { hasher.combine(element.sameValueHash) }
    case .object(let object):
      // A sum, because members have no order.
      var sum = object.count
      for member in object.members {
        var pair = Hasher()
        pair.combine(member.name)
        pair.combine(member.value.sameValueHash)
        sum &+= pair.finalize()
      }
      hasher.combine(sum)
    }
    return hasher.finalize()
  }
}

/// Whether all patterns of a list match distinct values, given the candidates of each.
///
/// Bipartite matching with augmenting paths: a pattern takes a free candidate, or moves the pattern
/// that has a candidate to another one.
struct Assignment {
  private let candidates: [[Int]]
  /// The pattern assigned to each value.
  private var holders: [Int: Int] = [:]

  init(_ candidates: [[Int]]) { self.candidates = candidates }

  /// Whether an assignment exists.
  static func exists(_ candidates: [[Int]]) -> Bool {
    var assignment = Assignment(candidates)
    return candidates.indices.allSatisfy { pattern in
      var visited: Set<Int> = []
      return assignment.place(pattern, &visited)
    }
  }

  private mutating func place(_ pattern: Int, _ visited: inout Set<Int>) -> Bool {
    for value in candidates[pattern] where holders[value] == nil {
      holders[value] = pattern
      return true
    }
    for value in candidates[pattern] where visited.insert(value).inserted {
      guard let holder = holders[value], place(holder, &visited) else { continue }
      holders[value] = pattern
      return true
    }
    return false
  }
}
