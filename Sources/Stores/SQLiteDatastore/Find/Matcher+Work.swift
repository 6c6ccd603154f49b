internal import Datastore
internal import JSON

// Expressions take time like the text times their parts, so that a bound can be checked beforehand.

extension Matcher.Subject {
  /// Whether the test would match an expression against a text that is too long for it.
  func exceedsWork(_ test: Matcher.Test) -> Bool {
    switch test {
    case .all(let parts), .any(let parts): return parts.contains { exceedsWork($0) }
    case .not(let part): return exceedsWork(part)
    case .words: return false
    case .field(let source, let tests):
      guard tests.contains(where: { $0.hasExpression }), let value = value(source) else {
        return false
      }
      return tests.contains { $0.exceedsWork(value) }
    }
  }
}

extension Matcher.Test {
  /// Whether an expression is somewhere in the test.
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

  fileprivate func exceedsWork(_ value: JSONValue) -> Bool {
    switch self {
    case .some(.matches(let program)):
      if case .array(let elements) = value { return elements.contains { program.exceedsWork($0) } }
      return program.exceedsWork(value)
    case .not(let tests): return tests.contains { $0.exceedsWork(value) }
    case .element(let tests):
      guard case .array(let elements) = value else { return false }
      return elements.contains { element in tests.contains { $0.exceedsWork(element) } }
    case .elementObject(let test):
      guard case .array(let elements) = value else { return false }
      return elements.contains { element in
        guard case .object = element else { return false }
        return Matcher.Subject(element: element).exceedsWork(test)
      }
    default: return false
    }
  }
}

extension ExpressionProgram {
  fileprivate func exceedsWork(_ value: JSONValue) -> Bool {
    guard case .string(let text) = value else { return false }
    let (work, isBeyond) = text.utf8.count.multipliedReportingOverflow(by: parts)
    return isBeyond || work > Int(RegularExpression.workMax)
  }
}
