internal import JSON

// Matching decides whether a value matches; this locates the differences. It descends greedily
// instead of searching, and reports small differing parts for readers, without a proof of
// minimality.

extension Pattern {
  /// The smallest parts of a value that do not match, in their order.
  func mismatches(with value: JSONValue, _ bindings: Bindings) -> [Mismatch] {
    var search = MismatchSearch(bindings: bindings)
    search.compare(self, value, path: ValuePath())
    return search.found
  }
}

private struct MismatchSearch {
  var bindings: Bindings
  var found: [Mismatch] = []

  mutating func compare(_ pattern: Pattern, _ value: JSONValue?, path: ValuePath) {
    guard let value else {
      if pattern != .absent { report(pattern, nil, path: path) }
      return
    }
    switch pattern {
    case .any: break
    case .absent: report(pattern, value, path: path)
    case .bind(let name, let form):
      bindings[name] = value
      if !form.fits(value) { report(pattern, value, path: path) }
    case .ref(let name):
      if bindings[name]?.isSameValue(as: value) != true { report(pattern, value, path: path) }
    case .literal(let expected): compare(literal: expected, value, path)
    case .object(let members):
      guard let object = value.objectValue else { return report(pattern, value, path: path) }
      compare(members, object, value: value, path: path)
    case .names(let members), .only(let members):
      guard let object = value.objectValue else { return report(pattern, value, path: path) }
      compare(members, object, value: value, path: path)
      for member in object.members where !members.contains(where: { $0.name == member.name }) {
        let path = path.appending(.member(member.name))
        found.append(Mismatch(path: path, expected: nil, actual: member.value))
      }
    case .list(let patterns):
      guard let elements = value.arrayValue else { return report(pattern, value, path: path) }
      compare(patterns, elements, path: path)
    case .unordered(let patterns):
      guard let elements = value.arrayValue else { return report(pattern, value, path: path) }
      compare(unordered: patterns, elements[...], path)
    case .winnerFirst(let patterns):
      guard let elements = value.arrayValue else { return report(pattern, value, path: path) }
      if let winner = patterns.first {
        compare(winner, elements.first, path: path.appending(.element(0)))
      }
      compare(unordered: Array(patterns.dropFirst()), elements.dropFirst(), path)
    }
  }

  private mutating func compare(
    _ members: [Pattern.Member], _ object: JSONObject, value: JSONValue, path: ValuePath
  ) {
    // An error in the place of a result is one difference, not one for each member it lacks.
    let outcomes: [JSONString] = ["ok", "error", "unknown"]
    if members.count == 1, let only = members.first, outcomes.contains(only.name),
      object[only.name] == nil, outcomes.contains(where: { object[$0] != nil })
    {
      return report(.object(members), value, path: path)
    }
    for member in members {
      let part = object[member.answerName, orImplied: member]
      compare(member.pattern, part, path: path.appending(.member(member.answerName)))
    }
  }

  /// Lists are compared from both ends, so that one element too many is one difference.
  private mutating func compare(
    _ patterns: [Pattern], _ elements: [JSONValue], path: ValuePath
  ) {
    var (start, patternEnd, elementEnd) = (0, patterns.count, elements.count)
    if patterns.count != elements.count {
      while start < min(patternEnd, elementEnd), agrees(patterns[start], elements[start]) {
        compare(patterns[start], elements[start], path: path.appending(.element(start)))
        start += 1
      }
      while start < min(patternEnd, elementEnd),
        agrees(patterns[patternEnd - 1], elements[elementEnd - 1])
      {
        patternEnd -= 1
        elementEnd -= 1
      }
    }
    guard patternEnd - start != elementEnd - start else {
      for index in start..<patternEnd {
        compare(patterns[index], elements[index], path: path.appending(.element(index)))
      }
      return
    }
    for index in start..<patternEnd {
      report(patterns[index], nil, path: path.appending(.element(index)))
    }
    for index in start..<elementEnd {
      found.append(
        Mismatch(
          path: path.appending(.element(index)), expected: nil, actual: elements[index]))
    }
  }

  private mutating func compare(
    unordered patterns: [Pattern], _ elements: ArraySlice<JSONValue>, _ path: ValuePath
  ) {
    let start = elements.startIndex
    var index = CandidateIndex(Array(elements))
    var taken: Set<Int> = []
    var unmatched: [Pattern] = []
    for pattern in patterns.filter({ $0.isClosed }) + patterns.filter({ !$0.isClosed }) {
      let place = index.places(for: pattern).map { start + $0 }.first { place in
        !taken.contains(place) && agrees(pattern, elements[place])
      }
      if let place {
        compare(pattern, elements[place], path: path.appending(.element(place)))
        taken.insert(place)
      } else {
        unmatched.append(pattern)
      }
    }
    let left = zip(elements.indices, elements).filter { !taken.contains($0.0) }
    // A single unmatched pattern is compared with the single remaining element.
    if let pattern = unmatched.first, let element = left.first, unmatched.count == 1,
      left.count == 1
    {
      return compare(pattern, element.1, path: path.appending(.element(element.0)))
    }
    for pattern in unmatched { report(pattern, nil, path: path.appending(.someElement)) }
    for (index, element) in left {
      found.append(
        Mismatch(path: path.appending(.element(index)), expected: nil, actual: element))
    }
  }

  private mutating func compare(
    literal expected: JSONValue, _ value: JSONValue, _ path: ValuePath
  ) {
    switch (expected, value) {
    case _ where expected.isSameValue(as: value): break
    case (.object(let expected), .object(let object)):
      for member in expected.members {
        let path = path.appending(.member(member.name))
        if let part = object[member.name] {
          compare(literal: member.value, part, path)
        } else {
          found.append(Mismatch(path: path, expected: member.value, actual: nil))
        }
      }
      for member in object.members where expected[member.name] == nil {
        let path = path.appending(.member(member.name))
        found.append(Mismatch(path: path, expected: nil, actual: member.value))
      }
    case (.array(let expected), .array(let elements)):
      compare(expected.map { Pattern.literal($0) }, elements, path: path)
    default: found.append(Mismatch(path: path, expected: expected, actual: value))
    }
  }

  private func agrees(_ pattern: Pattern, _ value: JSONValue) -> Bool {
    pattern.agrees(with: value, bindings)
  }

  private mutating func report(_ pattern: Pattern, _ value: JSONValue?, path: ValuePath) {
    var mismatch = Mismatch(path: path, expected: pattern.json, actual: value)
    if pattern == .absent {
      mismatch = Mismatch(path: path, expected: nil, actual: value)
    } else if case .ref(let name) = pattern, let bound = bindings[name] {
      mismatch = Mismatch(path: path, expected: bound, actual: value, remark: "bound as \(name)")
    }
    found.append(mismatch)
  }
}
