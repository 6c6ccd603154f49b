internal import Datastore
internal import JSON

/// Comparisons of texts by their bytes, and by regular expressions for parts of texts.
struct TextCondition {
  private let field: FieldPath
  private let ignoresCase: Bool

  init(_ field: FieldPath, ignoresCase: Bool) {
    self.field = field
    self.ignoresCase = ignoresCase
  }

  func selector(
    _ operator: PredicateComparison.Operator, _ text: JSONString
  ) throws(StoreError) -> FindSelector {
    let operand = Operand.value(.string(text))
    switch `operator` {
    case .equal where ignoresCase: return try matches("^\(pattern(text))$", `operator`)
    case .notEqual where ignoresCase: return .not(try matches("^\(pattern(text))$", `operator`))
    case .equal: return .field(field, [.equals(operand)])
    case .notEqual: return .field(field, [.differs(operand)])
    case .beginsWith: return try matches("^\(pattern(text))", `operator`)
    case .endsWith: return try matches("\(pattern(text))$", `operator`)
    case .contains: return try matches(pattern(text), `operator`)
    case .like: return try matches("^\(pattern(text, hasWildcards: true))$", `operator`)
    case .matches:
      guard !ignoresCase else { throw refused("MATCHES[c]") }
      // The pattern must be a valid expression by itself, not only between parentheses.
      _ = try matches(text.string, `operator`)
      return try matches("^(\(text))$", `operator`)
    case .less: return try ordered(.less, operand)
    case .lessOrEqual: return try ordered(.lessOrEqual, operand)
    case .greater: return try ordered(.greater, operand)
    case .greaterOrEqual: return try ordered(.greaterOrEqual, operand)
    case .between, .isIn: throw refused(JSONString(`operator`.rawValue))
    }
  }

  private func refused(_ name: JSONString) -> StoreError {
    StoreError(
      FetchPredicateError(.unsupported, name, message: "the operator is not supported for texts"))
  }

  private func ordered(
    _ comparison: Datastore.Comparison, _ operand: Operand
  ) throws(StoreError) -> FindSelector {
    guard !ignoresCase else { throw refused("[c]") }
    return .field(field, [.type(.string), .compares(comparison, operand)])
  }

  private func matches(
    _ pattern: String, _ operator: PredicateComparison.Operator
  ) throws(StoreError) -> FindSelector {
    do throws(DatastoreError) {
      return .field(field, [.matches(try RegularExpression(JSONString(pattern)))])
    } catch {
      throw StoreError(
        FetchPredicateError(
          .unsupported, JSONString(`operator`.rawValue),
          message: "the pattern is not valid: \(error)"))
    }
  }

  /// A pattern that matches exactly this text; with `ignoresCase`, ASCII letters match in both
  /// cases.
  private func pattern(_ text: JSONString, hasWildcards: Bool = false) -> String {
    var pattern = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text.string.unicodeScalars {
      if hasWildcards, !isEscaped {
        switch scalar {
        case "\\":
          isEscaped = true
          continue
        case "*":
          pattern += "(.|\n)*".unicodeScalars
          continue
        case "?":
          pattern += "(.|\n)".unicodeScalars
          continue
        default: break
        }
      }
      isEscaped = false
      let byte = scalar.isASCII ? UInt8(scalar.value) : 0
      if ignoresCase, (97...122).contains(byte | 0x20) {
        let other = Unicode.Scalar(byte ^ 0x20)
        pattern += "[\(scalar)\(other)]".unicodeScalars
      } else {
        if "\\^$.|?*+()[]{}".unicodeScalars.contains(scalar) { pattern.append("\\") }
        pattern.append(scalar)
      }
    }
    return String(pattern)
  }
}
