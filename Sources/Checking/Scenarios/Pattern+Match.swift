internal import JSON

extension Pattern {
  /// Whether a value matches; false if the search is undecided.
  func agrees(with value: JSONValue, _ bindings: Bindings) -> Bool {
    var matcher = Matcher()
    return matcher.solve([.match(self, value)], bindings) != nil
  }

  /// Checks a value with the existing bindings.
  func match(_ value: JSONValue, _ bindings: Bindings) -> Match {
    var matcher = Matcher()
    if let bindings = matcher.solve([.match(self, value)], bindings) {
      return .match(bindings)
    }
    guard !matcher.gaveUp else { return .undecided }
    let mismatches = mismatches(with: value, bindings)
    guard mismatches.isEmpty else { return .mismatch(mismatches) }
    // No single element differs; only the assignment as a whole fails.
    return .mismatch([Mismatch(path: ValuePath(), expected: json, actual: value)])
  }
}

/// A search for a match; only lists in any order have several candidates.
private struct Matcher {
  /// The maximum number of comparisons of one match, which is undecided after that.
  private static let comparisonsMax = 200_000

  private var comparisonsLeft = Matcher.comparisonsMax
  /// Whether the search ended without a decision.
  private(set) var gaveUp = false

  enum Goal {
    /// The value, nil if it is missing, matches the pattern.
    case match(Pattern, JSONValue?)
    /// The patterns match distinct elements.
    case place(Placement)
  }

  /// Patterns without an element, and the remaining elements.
  struct Placement {
    var patterns: ArraySlice<Pattern>
    /// The indices of the candidates of each pattern.
    var candidates: ArraySlice<[Int]>
    let elements: [JSONValue]
    var taken: Set<Int> = []
  }

  /// The bindings that satisfy all goals, the last one first; nil if the search failed.
  mutating func solve(_ goals: [Goal], _ bindings: Bindings) -> Bindings? {
    var (goals, bindings) = (goals, bindings)
    while let goal = goals.popLast() {
      guard comparisonsLeft > 0 else {
        gaveUp = true
        return nil
      }
      comparisonsLeft -= 1
      switch goal {
      case .match(.absent, let value):
        guard value == nil else { return nil }
      case .match(.unordered(let patterns), let value):
        guard let elements = value?.arrayValue, elements.count == patterns.count,
          let placement = placement(patterns, elements, bindings: bindings)
        else { return nil }
        goals.append(.place(placement))
      case .match(.winnerFirst(let patterns), let value):
        guard let elements = value?.arrayValue, elements.count == patterns.count else { return nil }
        // Goals are processed from the end: the winner before the others.
        goals.append(
          .match(.unordered(Array(patterns.dropFirst())), .array(Array(elements.dropFirst()))))
        if let winner = patterns.first, let first = elements.first {
          goals.append(.match(winner, first))
        }
      case .match(let pattern, let value):
        guard let value, meet(pattern, value, goals: &goals, bindings: &bindings) else {
          return nil
        }
      case .place(var placement):
        guard let pattern = placement.patterns.popFirst() else { continue }
        let candidates = placement.candidates.popFirst() ?? []
        let free = candidates.filter { !placement.taken.contains($0) }
        // A choice between candidates may need backtracking.
        guard free.count == 1, let place = free.first else {
          return choose(pattern, free, placement: placement, goals: goals, bindings: bindings)
        }
        let element = placement.elements[place]
        placement.taken.insert(place)
        goals += [.place(placement), .match(pattern, element)]
      }
    }
    return bindings
  }

  /// Checks a goal with one candidate, or replaces it by smaller goals.
  private func meet(
    _ pattern: Pattern, _ value: JSONValue, goals: inout [Goal], bindings: inout Bindings
  ) -> Bool {
    switch pattern {
    case .literal(let expected): return expected.isSameValue(as: value)
    case .any: return true
    case .bind(let name, let form):
      bindings[name] = value
      return form.fits(value)
    case .ref(let name): return bindings[name]?.isSameValue(as: value) ?? false
    case .object(let members):
      guard let object = value.objectValue else { return false }
      for member in members.reversed() {
        goals.append(.match(member.pattern, object[member.answerName, orImplied: member]))
      }
      return true
    case .names(let members), .only(let members):
      guard let object = value.objectValue, object.count == members.count else { return false }
      for member in members.reversed() {
        goals.append(.match(member.pattern, object[member.name]))
      }
      return true
    case .list(let patterns):
      guard let elements = value.arrayValue, elements.count == patterns.count else { return false }
      for (pattern, element) in zip(patterns, elements).reversed() {
        goals.append(.match(pattern, element))
      }
      return true
    case .unordered, .winnerFirst, .absent: return false
    }
  }

  /// The placement of patterns; nil if no placement matches, and empty if any one is sufficient.
  private mutating func placement(
    _ patterns: [Pattern], _ elements: [JSONValue], bindings: Bindings
  ) -> Placement? {
    // Patterns without bindings come first: each matches few elements.
    let patterns = patterns.filter { $0.isClosed } + patterns.filter { !$0.isClosed }
    var index = CandidateIndex(elements)
    var candidates: [[Int]] = []
    for pattern in patterns {
      var places: [Int] = []
      for place in index.places(for: pattern) {
        let canHave =
          pattern.isClosed
          ? solve([.match(pattern, elements[place])], bindings) != nil
          : pattern.canMatch(elements[place], bindings)
        guard !gaveUp else { return nil }
        if canHave { places.append(place) }
      }
      guard !places.isEmpty else { return nil }
      candidates.append(places)
    }
    guard Assignment.exists(candidates) else { return nil }
    // Without bindings, all placements are equivalent.
    guard patterns.last?.isClosed == false else {
      return Placement(patterns: [], candidates: [], elements: [])
    }
    return Placement(patterns: patterns[...], candidates: candidates[...], elements: elements)
  }

  /// Finds an element for a pattern such that the other patterns and goals match.
  private mutating func choose(
    _ pattern: Pattern, _ free: [Int], placement: Placement, goals: [Goal],
    bindings: Bindings
  ) -> Bindings? {
    var tried: [JSONValue] = []
    for place in free where !tried.contains(placement.elements[place]) {
      let element = placement.elements[place]
      // Of equal elements only one is tried; otherwise 20 of them would have 20! orders.
      tried.append(element)
      var rest = placement
      rest.taken.insert(place)
      let solution = solve(goals + [.place(rest), .match(pattern, element)], bindings)
      if solution != nil || gaveUp { return solution }
    }
    return nil
  }
}

extension Pattern {
  /// Whether a value can match with all names bound; true if only a search can decide.
  fileprivate func canMatch(_ value: JSONValue?, _ bindings: Bindings) -> Bool {
    guard let value else { return self == .absent }
    switch self {
    case .absent: return false
    case .any: return true
    case .literal(let expected): return expected.isSameValue(as: value)
    case .bind(_, let form): return form.fits(value)
    // An unbound name is bound within the same list.
    case .ref(let name): return bindings[name].map { $0.isSameValue(as: value) } ?? true
    case .unordered(let patterns): return value.arrayValue?.count == patterns.count
    case .winnerFirst(let patterns):
      guard let elements = value.arrayValue, elements.count == patterns.count else { return false }
      return zip(patterns, elements).prefix(1).allSatisfy { $0.canMatch($1, bindings) }
    case .list(let patterns):
      guard let elements = value.arrayValue, elements.count == patterns.count else { return false }
      return zip(patterns, elements).allSatisfy { $0.canMatch($1, bindings) }
    case .object(let members):
      guard let object = value.objectValue else { return false }
      return members.allSatisfy {
        $0.pattern.canMatch(object[$0.answerName, orImplied: $0], bindings)
      }
    case .names(let members), .only(let members):
      guard let object = value.objectValue, object.count == members.count else { return false }
      return members.allSatisfy { $0.pattern.canMatch(object[$0.name], bindings) }
    }
  }
}

extension JSONObject {
  /// The value of a member; a missing `deleted` is false where false is expected, and missing
  /// attachments are empty.
  subscript(name: JSONString, orImplied member: Pattern.Member) -> JSONValue? {
    if let value = self[name] { return value }
    switch member.pattern {
    case .literal(false) where name == "deleted": return false
    case .names([]): return [:]
    default: return nil
    }
  }
}

extension JSONValue {
  /// The generation of a revision id; nil for an invalid id.
  var generation: Int64? {
    guard let bytes = textValue?.utf8, let hyphen = bytes.firstIndex(of: UInt8(ascii: "-")) else {
      return nil
    }
    let digits = bytes[..<hyphen]
    // 16 digits exceed the last generation, 2^53 - 1, and never overflow.
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
