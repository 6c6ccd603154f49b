public import Datastore
public import JSON

/// Whether an outcome matches its expectation.
public enum Match: Hashable, Sendable {
  /// A match; the bindings include those of the expectation.
  case match(Bindings)
  /// No match, with the differences; at least one.
  case mismatch([Mismatch])
  /// Undecided: the expectation has too many possible matches.
  case undecided
}

/// One difference between an outcome and its expectation.
public struct Mismatch: Hashable, Sendable {
  /// The place of the difference.
  public let path: ValuePath
  /// The expected value; nil if no value is expected.
  public let expected: JSONValue?
  /// The actual value; nil if there is none.
  public let actual: JSONValue?
  /// The source of the expected value, if the expectation does not contain it.
  public let remark: String

  /// Creates a difference.
  public init(
    path: ValuePath, expected: JSONValue?, actual: JSONValue?, remark: String = ""
  ) {
    self.path = path
    self.expected = expected
    self.actual = actual
    self.remark = remark
  }
}

extension ExpectedOutcome {
  /// Checks an outcome; messages of errors are ignored.
  public func match(_ outcome: Outcome, _ bindings: Bindings) -> Match {
    match(outcome.json, bindings)
  }

  /// Checks an outcome in its JSON form.
  public func match(_ outcome: JSONValue, _ bindings: Bindings) -> Match {
    switch self {
    case .ok(let pattern):
      return Pattern.object([Pattern.Member("ok", pattern)]).match(outcome, bindings)
    case .error(let pattern):
      return Pattern.object([Pattern.Member("error", pattern)]).match(outcome, bindings)
    case .oneOf(let alternatives):
      var isUndecided = false
      for alternative in alternatives {
        switch alternative.match(outcome, bindings) {
        case .match(let bindings): return .match(bindings)
        case .undecided: isUndecided = true
        case .mismatch: break
        }
      }
      if isUndecided { return .undecided }
      let mismatch = Mismatch(path: ValuePath(), expected: json, actual: outcome)
      return .mismatch([mismatch])
    }
  }
}

extension Step {
  /// The expected outcome of the step, with the default expectation filled in.
  public var effectiveExpectation: ExpectedOutcome {
    if let expectation { return expectation }
    if case .directive(.replicate(let replication)) = content, !replication.mayEndEarly {
      return .ok(.object([Pattern.Member("state", .literal("complete"))]))
    }
    guard case .insertRevisions(let records)? = template?.sample.action else {
      return .ok(.object([]))
    }
    let accepted = Pattern.object([Pattern.Member("ok", .object([]))])
    let results = Pattern.list(Array(repeating: accepted, count: records.count))
    return .ok(.object([Pattern.Member("results", results)]))
  }
}
