internal import Datastore
internal import JSON

// Matching an expression takes time proportional to the length of the text times the parts of the
// expression. The work of a selector is computed beforehand, so that a document that needs too much
// is rejected.

/// The work of a selector on one document, counted up to the first text that exceeds the limit.
private struct WorkTally {
  private var remaining = Int(RegularExpression.workMax)
  private(set) var isExceeded = false

  mutating func add(_ program: ExpressionProgram, _ value: JSONValue) {
    guard !isExceeded, case .string(let text) = value else { return }
    let (work, isBeyond) = text.utf8.count.multipliedReportingOverflow(by: program.parts)
    isExceeded = isBeyond || work > remaining
    if !isExceeded { remaining -= work }
  }
}

extension Matcher.Subject {
  /// Whether the expressions of the test need too much work on this document in total.
  func exceedsWork(_ test: Matcher.Test) -> Bool {
    var tally = WorkTally()
    add(test, to: &tally)
    return tally.isExceeded
  }

  fileprivate func add(_ test: Matcher.Test, to tally: inout WorkTally) {
    switch test {
    case .all(let parts), .any(let parts): for part in parts { add(part, to: &tally) }
    case .not(let part): add(part, to: &tally)
    case .words: return
    case .field(let source, let tests):
      guard tests.contains(where: { $0.hasExpression }), let value = value(source) else { return }
      for test in tests { test.add(value, to: &tally) }
    }
  }
}

extension Matcher.Test {
  /// Whether the test contains an expression.
  var hasExpression: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains { $0.hasExpression }
    case .not(let part): part.hasExpression
    case .field(_, let tests): tests.contains { $0.hasExpression }
    case .words: false
    }
  }
}

extension ValueTest {
  var hasExpression: Bool {
    switch self {
    case .some(.matches): true
    case .not(let tests), .element(let tests): tests.contains { $0.hasExpression }
    case .elementObject(let test): test.hasExpression
    default: false
    }
  }

  fileprivate func add(_ value: JSONValue, to tally: inout WorkTally) {
    let elements = if case .array(let elements) = value { elements } else { [] as [JSONValue] }
    switch self {
    case .some(.matches(let program)):
      tally.add(program, value)
      for element in elements { tally.add(program, element) }
    case .not(let tests):
      for test in tests { test.add(value, to: &tally) }
    case .element(let tests):
      for element in elements { for test in tests { test.add(element, to: &tally) } }
    case .elementObject(let test):
      for case .object(let object) in elements {
        Matcher.Subject(element: .object(object)).add(test, to: &tally)
      }
    default: return
    }
  }
}
