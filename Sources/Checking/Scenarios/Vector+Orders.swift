internal import Datastore
internal import JSON

extension Vector {
  /// Findings, below `path`, for lists of expected results that are compared in order although the
  /// contract leaves their order open.
  ///
  /// Such a vector rejects a correct store, unless all elements of the list are expected to be
  /// equal; the sequence of a row is its own place in the list.
  func orderFindings(path: String) -> [DecodingFailure] {
    var search = OrderSearch(isDense: profile == .denseChanges)
    let path = DecodingPath.member("steps", of: path)
    for (index, step) in steps.enumerated() {
      guard let template = step.template, let expectation = step.expectation else { continue }
      let place = DecodingPath.member("expect", of: DecodingPath.element(index, of: path))
      let shape = ResultShape(of: template.sample.action)
      for pattern in expectation.results {
        search.visit(pattern, shape, path: DecodingPath.member("ok", of: place))
      }
    }
    return search.found
  }
}

/// A traversal of the pattern of a result together with the shape of the operation's result.
private struct OrderSearch {
  /// Whether the vector requires a store with an ordered changes feed.
  let isDense: Bool
  var found: [DecodingFailure] = []

  mutating func visit(_ pattern: Pattern, _ shape: ResultShape, path: String) {
    switch (pattern, shape) {
    case (.list(let patterns), .list(let element, let order)):
      let contents = patterns.map(\.withoutSequence)
      if isOpen(order), contents.contains(where: { $0 != contents[0] }) {
        found.append(
          DecodingFailure(
            path: path, message: "the contract does not define this order; expected '$unordered'"))
      }
      visit(patterns, element, path: path)
    case (.winnerFirst(let patterns), .list(let element, _)): visit(patterns, element, path: path)
    case (.unordered(let patterns), .list(let element, _)):
      visit(patterns, element, path: DecodingPath.member("$unordered", of: path))
    case (.list(let patterns), .results(let shapes)):
      for (index, (pattern, shape)) in zip(patterns, shapes).enumerated() {
        visit(pattern, shape, path: DecodingPath.element(index, of: path))
      }
    case (.object(let members), .object(let shapes)):
      for member in members {
        guard let shape = shapes.first(where: { $0.name == member.name })?.shape else { continue }
        visit(member.pattern, shape, path: DecodingPath.member(member.name, of: path))
      }
    case (.names(let members), .names(let shape)):
      for member in members {
        visit(member.pattern, shape, path: DecodingPath.member(member.name, of: path))
      }
    default: break
    }
  }

  private mutating func visit(_ patterns: [Pattern], _ shape: ResultShape, path: String) {
    for (index, pattern) in patterns.enumerated() {
      visit(pattern, shape, path: DecodingPath.element(index, of: path))
    }
  }

  private func isOpen(_ order: ValueShape.Order) -> Bool {
    switch order {
    case .inOrder, .winnerFirst, .results: false
    case .open: true
    case .inOrderIfDense: !isDense
    }
  }
}

extension Pattern {
  /// The pattern of a row without the name of its sequence.
  fileprivate var withoutSequence: Pattern {
    guard case .object(let members) = self else { return self }
    return .object(
      members.filter { member in
        if case .bind = member.pattern { member.name != "seq" } else { true }
      })
  }
}

extension ExpectedOutcome {
  /// The accepted results.
  fileprivate var results: [Pattern] {
    switch self {
    case .ok(let pattern): [pattern]
    case .error: []
    case .oneOf(let alternatives): alternatives.flatMap { $0.results }
    }
  }
}
