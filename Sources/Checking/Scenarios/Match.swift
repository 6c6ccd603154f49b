public import Datastore
public import JSON

/// Whether an answer is what was expected.
public enum Match: Hashable, Sendable {
  /// It is; the bindings hold what the expectation bound, beside what was bound before.
  case match(Bindings)
  /// It is not, and this is where; never empty.
  case mismatch([Mismatch])
  /// The expectation has too many ways to match, so nobody knows.
  case undecided
}

/// One place where an answer is not what was expected.
public struct Mismatch: Hashable, Sendable {
  public let path: ValuePath
  /// What should be there; nil when nothing should.
  public let expected: JSONValue?
  /// What is there; nil when nothing is.
  public let actual: JSONValue?
  /// Where the expected value comes from, when the expectation does not say it itself.
  public let remark: String

  public init(
    path: ValuePath, expected: JSONValue?, actual: JSONValue?, remark: String = ""
  ) {
    self.path = path
    self.expected = expected
    self.actual = actual
    self.remark = remark
  }
}

extension Expectation {
  /// Checks an outcome; messages of errors do not count.
  public func match(_ outcome: Outcome, _ bindings: Bindings) -> Match {
    match(outcome.json, bindings)
  }

  /// Checks an outcome as it stands in JSON.
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
  /// What must come of the step, spelled out where the file leaves it to the rule.
  public var effectiveExpectation: Expectation {
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
