public import Datastore
internal import JSON

// How much work the expressions of a selector may make. It is known before anything is matched.

extension Subject {
  /// Whether one of the texts that a selector looks at is too long for the expression there.
  public func isTooMuchWork(for selector: Selector) -> Bool {
    switch selector {
    case .all(let parts), .any(let parts), .none(let parts):
      parts.contains { isTooMuchWork(for: $0) }
    case .not(let part): isTooMuchWork(for: part)
    case .field(let path, let conditions):
      value(at: path).map { value in conditions.contains { $0.isTooMuchWork(on: value) } } ?? false
    case .text: false
    }
  }

  /// Fails if one of the texts that a selector looks at is too long for the expression there.
  public func checkWork(of selector: Selector) throws(DatastoreError) {
    guard isTooMuchWork(for: selector) else { return }
    let limit = RegularExpression.workMax
    throw DatastoreError(
      .tooLarge(limit: limit),
      "a text of '\(id)' is too long for the expression: parts times bytes exceed \(limit)")
  }
}

extension Condition {
  fileprivate func isTooMuchWork(on value: JSONValue) -> Bool {
    let elements = value.arrayValue ?? []
    switch self {
    case .matches(let expression):
      return ([value] + elements).contains { text in
        text.textValue.map { expression.isTooMuchWork(for: $0) } ?? false
      }
    case .not(let conditions): return conditions.contains { $0.isTooMuchWork(on: value) }
    case .element(.conditions(let conditions)):
      return elements.contains { element in
        conditions.contains { $0.isTooMuchWork(on: element) }
      }
    case .element(.selector(let selector)):
      return elements.contains {
        $0.objectValue != nil && Subject(element: $0).isTooMuchWork(for: selector)
      }
    default: return false
    }
  }
}
