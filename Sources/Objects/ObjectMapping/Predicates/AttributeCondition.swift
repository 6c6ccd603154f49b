internal import Datastore
internal import JSON

/// Comparisons of an attribute with constants.
struct AttributeCondition {
  typealias Operator = PredicateComparison.Operator

  let attribute: AttributeDescription
  /// Whether numbers may be stored as texts of digits, which only decimals compare.
  let readsDigits: Bool
  let field: FieldPath
  /// The path of the token of a non-finite number.
  private let token: FieldPath

  init(_ attribute: AttributeDescription, readsDigits: Bool) {
    self.attribute = attribute
    self.readsDigits = readsDigits
    field = FieldPath(names: [attribute.name])
    token = FieldPath(names: [EnvelopeMember.meta(of: attribute.name), MetaMember.nonFinite])
  }

  func selector(_ comparison: PredicateComparison) throws(StoreError) -> FindSelector {
    guard comparison.quantifier == nil else {
      throw StoreError(
        FetchPredicateError(
          .unsupported, comparison.quantifier.map { JSONString($0.rawValue) },
          message: "'\(attribute.name)' is not a to-many key path"))
    }
    guard !comparison.ignoresCase || attribute.type == .utf8 else {
      throw wrongType("[c] and [d] apply to texts only")
    }
    switch (comparison.operator, comparison.operand) {
    case (.between, .list(let ends)) where ends.count == 2:
      return .all([
        try selector(.greaterOrEqual, ends[0], comparison: comparison),
        try selector(.lessOrEqual, ends[1], comparison: comparison),
      ])
    case (.isIn, .list(let values)):
      var selectors: [FindSelector] = []
      for value in values { selectors.append(try selector(.equal, value, comparison: comparison)) }
      return .any(selectors)
    case (.between, _), (.isIn, _), (_, .list):
      throw StoreError(
        FetchPredicateError(
          .unsupported, JSONString(comparison.operator.rawValue),
          message: "IN requires a list, BETWEEN a list of two values, other operators one value"))
    case (let `operator`, .value(let value)):
      return try selector(`operator`, value, comparison: comparison)
    }
  }

  private func selector(
    _ operator: Operator, _ value: PredicateValue, comparison: PredicateComparison
  ) throws(StoreError) -> FindSelector {
    if value == .none {
      switch `operator` {
      case .equal where attribute.type == .id: return SelectorCompiler.nothing
      case .notEqual where attribute.type == .id: return SelectorCompiler.everything
      case .equal: return isNil
      case .notEqual: return .not(isNil)
      // No value is less or greater than nil.
      case .less, .lessOrEqual, .greater, .greaterOrEqual: return SelectorCompiler.nothing
      default: throw wrongType("nil cannot be compared with [c] or [d]")
      }
    }
    guard !`operator`.isOfTexts || attribute.type == .utf8 || attribute.type == .id else {
      throw wrongType("the operator applies to texts only")
    }
    switch attribute.type {
    case .bool: return try truth(`operator`, value)
    case .int16, .int32, .int64: return try integer(`operator`, value)
    case .double, .float: return try floating(`operator`, value)
    case .decimal: return try decimal(`operator`, value)
    case .date1970:
      guard case .date(let seconds) = value else { throw wrongType("expected a date") }
      return compare(`operator`, .value(.double(seconds)))
    case .utf8, .id:
      guard case .text(let text) = value else { throw wrongType("expected a text") }
      let ownText = try TextCondition(field, ignoresCase: comparison.ignoresCase)
        .selector(`operator`, text)
      guard attribute.type == .id else { return ownText }
      // Objects without a value have their URI in this attribute.
      let identifier = FieldPath(names: [EnvelopeMember.identifier])
      let itsURI = try TextCondition(identifier, ignoresCase: comparison.ignoresCase)
        .selector(`operator`, text)
      return .any([.all([.not(isNil), ownText]), .all([isNil, itsURI])])
    case .xform, .binary: throw wrongType("bytes cannot be compared")
    }
  }

  func wrongType(_ message: String) -> StoreError {
    StoreError(FetchPredicateError(.wrongType, attribute.name, message: message))
  }

  // MARK: Nil

  /// Whether the type has values that JSON numbers cannot represent.
  private var hasTokens: Bool {
    attribute.type == .double || attribute.type == .float || attribute.type == .decimal
  }

  /// A stored non-finite number. A token of infinity without a value is a leftover.
  func isToken(_ nonFinite: NonFinite) -> FindSelector {
    let isThere = FindSelector.field(token, [.equals(.value(.text(nonFinite.rawValue)))])
    return nonFinite == .nan ? isThere : .all([isThere, .field(field, [.exists(true)])])
  }

  /// A number without a token.
  var isPlain: FindSelector { .field(token, [.exists(false)]) }

  private var isNil: FindSelector {
    let isAbsent = FindSelector.field(field, [.exists(false)])
    let isNull = FindSelector.field(field, [.equals(.value(.null))])
    // NaN and infinities may also be stored as null.
    return hasTokens
      ? .any([.all([isAbsent, .not(isToken(.nan))]), .all([isNull, isPlain])])
      : .any([isAbsent, isNull])
  }
}
