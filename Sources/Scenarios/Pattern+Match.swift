internal import JSON

extension Pattern {
  /// Judges a value with what is bound so far.
  func match(_ value: JSONValue, _ bindings: Bindings) -> Match {
    var matcher = Matcher()
    if let bindings = matcher.solve([Matcher.Goal(pattern: self, value: value)], bindings) {
      return .match(bindings)
    }
    guard !matcher.gaveUp else { return .undecided }
    let mismatches = mismatches(with: value, bindings)
    guard mismatches.isEmpty else { return .mismatch(mismatches) }
    // Only the choice of elements as a whole fails, not any of them.
    return .mismatch([Mismatch(path: ValuePath(), expected: json, actual: value)])
  }
}

/// A search for a way to match; only lists in any order have more than one.
private struct Matcher {
  /// How many comparisons one match may take before it is undecided.
  private static let comparisonsMax = 200_000

  private var comparisonsLeft = Matcher.comparisonsMax
  /// Whether the search ended before it knew.
  private(set) var gaveUp = false

  struct Goal {
    let pattern: Pattern
    /// Nil when there is no value.
    let value: JSONValue?
  }

  /// The bindings under which all goals are met, the last one first; nil when there are none.
  mutating func solve(_ goals: [Goal], _ bindings: Bindings) -> Bindings? {
    var (goals, bindings) = (goals, bindings)
    while let goal = goals.popLast() {
      guard comparisonsLeft > 0 else {
        gaveUp = true
        return nil
      }
      comparisonsLeft -= 1
      switch goal.pattern {
      case .absent:
        guard goal.value == nil else { return nil }
      case .unordered(let patterns):
        guard let elements = goal.value?.arrayValue, elements.count == patterns.count else {
          return nil
        }
        guard !patterns.isEmpty else { continue }
        // What nothing is bound by comes first: each of those matches few elements or none.
        let closed = patterns.filter { $0.isClosed }
        let open = patterns.filter { !$0.isClosed }
        return place(closed + open, elements, goals, bindings)
      default:
        guard let value = goal.value, meet(goal.pattern, value, &goals, &bindings) else {
          return nil
        }
      }
    }
    return bindings
  }

  /// Meets a goal that can be met in one way, or turns it into smaller goals.
  private func meet(
    _ pattern: Pattern, _ value: JSONValue, _ goals: inout [Goal], _ bindings: inout Bindings
  ) -> Bool {
    switch pattern {
    case .literal(let expected): return expected.isSameValue(as: value)
    case .any: return true
    case .bind(let name, let generation):
      bindings[name] = value
      return generation == nil || value.generation == generation
    case .ref(let name): return bindings[name]?.isSameValue(as: value) ?? false
    case .object(let members):
      guard let object = value.objectValue else { return false }
      for member in members.reversed() {
        goals.append(Goal(pattern: member.pattern, value: object[member.name, orImplied: member]))
      }
      return true
    case .list(let patterns):
      guard let elements = value.arrayValue, elements.count == patterns.count else { return false }
      for (pattern, element) in zip(patterns, elements).reversed() {
        goals.append(Goal(pattern: pattern, value: element))
      }
      return true
    case .unordered, .absent: return false
    }
  }

  /// Finds an element for the first pattern such that the other patterns and goals work out.
  private mutating func place(
    _ patterns: [Pattern], _ elements: [JSONValue], _ goals: [Goal],
    _ bindings: Bindings
  ) -> Bindings? {
    guard let pattern = patterns.first else { return solve(goals, bindings) }
    var tried: [JSONValue] = []
    for (index, element) in elements.enumerated() where !tried.contains(element) {
      // Of equal elements one stands for all, or twenty of them had 20! orders.
      tried.append(element)
      var others = elements
      others.remove(at: index)
      let rest = Goal(pattern: .unordered(Array(patterns.dropFirst())), value: .array(others))
      let solution = solve(goals + [rest, Goal(pattern: pattern, value: element)], bindings)
      if solution != nil || gaveUp { return solution }
    }
    return nil
  }
}

extension JSONObject {
  /// The value of a member; a missing `deleted` is false wherever false is expected.
  subscript(name: Text, orImplied member: Pattern.Member) -> JSONValue? {
    self[name] ?? (name == "deleted" && member.pattern == .literal(false) ? false : nil)
  }
}

extension JSONValue {
  /// The generation of a revision id, or nil when this is none.
  var generation: Int64? {
    guard let bytes = textValue?.utf8, let hyphen = bytes.firstIndex(of: UInt8(ascii: "-")) else {
      return nil
    }
    let digits = bytes[..<hyphen]
    // Sixteen digits reach beyond the last generation, 2^53 - 1, and never overflow.
    guard let first = digits.first, first != UInt8(ascii: "0"), digits.count <= 16 else {
      return nil
    }
    var generation: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      generation = generation * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return generation
  }
}
