public import Datastore
internal import JSON

// The work that the regular expressions of a selector can need on one document. It is known before
// any matching starts.

extension Subject {
  /// Whether the expressions of a selector need more work than `RegularExpression.workMax` in
  /// total.
  public func isTooMuchWork(for selector: FindSelector) -> Bool {
    work(of: selector) > RegularExpression.workMax
  }

  /// Throws if the expressions of a selector need more work than `RegularExpression.workMax` in
  /// total.
  public func checkWork(of selector: FindSelector) throws(DatastoreError) {
    guard isTooMuchWork(for: selector) else { return }
    let limit = RegularExpression.workMax
    throw DatastoreError(
      .tooLarge(limit: limit),
      "the strings of '\(id)' are too long for $regex: expression parts × bytes exceed \(limit)")
  }

  /// The sum of parts × bytes over all expressions and all strings that they are matched with; at
  /// least `RegularExpression.workMax` + 1 if the sum exceeds the limit.
  fileprivate func work(of selector: FindSelector) -> Int64 {
    switch selector {
    case .all(let parts), .any(let parts), .none(let parts):
      parts.sumOfWork { work(of: $0) }
    case .not(let part): work(of: part)
    case .field(let path, let conditions):
      value(at: path).map { value in conditions.sumOfWork { $0.work(on: value) } } ?? 0
    case .text: 0
    }
  }
}

extension Condition {
  fileprivate func work(on value: JSONValue) -> Int64 {
    let elements = value.arrayValue ?? []
    return switch self {
    case .matches(let expression):
      ([value] + elements).sumOfWork { $0.textValue.map { expression.work(on: $0) } ?? 0 }
    case .not(let conditions): conditions.sumOfWork { $0.work(on: value) }
    case .element(.conditions(let conditions)):
      elements.sumOfWork { element in conditions.sumOfWork { $0.work(on: element) } }
    case .element(.selector(let selector)):
      elements.sumOfWork { element in
        element.objectValue == nil ? 0 : Subject(element: element).work(of: selector)
      }
    default: 0
    }
  }
}

extension Array {
  /// The sum of the elements' work. It stops at the first element that exceeds the limit, so that
  /// it cannot overflow.
  fileprivate func sumOfWork(_ work: (Element) -> Int64) -> Int64 {
    var sum: Int64 = 0
    for element in self {
      sum += work(element)
      guard sum <= RegularExpression.workMax else { return sum }
    }
    return sum
  }
}
