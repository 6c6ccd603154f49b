public import JSON

/// What objects are asked for: the predicates of Core Data, as values.
///
/// Source: Apple, "Predicate Format String Syntax".
public indirect enum Predicate: Hashable, Sendable {
  case truth(Bool)
  case and([Predicate])
  case or([Predicate])
  case not(Predicate)
  case comparison(PredicateComparison)
}

/// One comparison of what lies at a key path.
public struct PredicateComparison: Hashable, Sendable {
  /// For which of the objects at a key path that leads to many it has to hold.
  public enum Quantifier: String, CaseIterable, Sendable {
    /// At least one.
    case any = "ANY"
    /// Each of them; so it holds for none.
    case all = "ALL"
    /// Not a single one.
    case none = "NONE"
  }

  public enum Operator: String, CaseIterable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case isIn = "IN"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    /// `*` is any text and `?` one character.
    case like = "LIKE"
    /// The whole text matches a regular expression.
    case matches = "MATCHES"

    /// Whether it asks for a part of a text, or for its form.
    var isOfTexts: Bool {
      switch self {
      case .beginsWith, .endsWith, .contains, .like, .matches: true
      default: false
      }
    }
  }

  /// What is compared.
  public enum Subject: Hashable, Sendable {
    /// The object itself.
    case object
    /// Names of relationships and, at the end, of a property.
    case path([JSONString])
    /// How many objects lie at a path, `@count`.
    case count(of: [JSONString])
  }

  public enum Operand: Hashable, Sendable {
    case value(PredicateValue)
    case list([PredicateValue])
  }

  public var quantifier: Quantifier?
  public var subject: Subject
  public var `operator`: Operator
  public var operand: Operand
  /// `[c]`: letters that differ in case only are equal.
  public var ignoresCase: Bool
  /// `[d]`: letters that differ in their marks only are equal.
  public var ignoresMarks: Bool

  public init(
    _ subject: Subject, _ operator: Operator, operand: Operand,
    quantifier: Quantifier? = nil, ignoresCase: Bool = false, ignoresMarks: Bool = false
  ) {
    self.subject = subject
    self.operator = `operator`
    self.operand = operand
    self.quantifier = quantifier
    self.ignoresCase = ignoresCase
    self.ignoresMarks = ignoresMarks
  }
}

/// A constant of a predicate.
public enum PredicateValue: Hashable, Sendable {
  case none
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case decimal(DecimalNumber)
  case text(JSONString)
  /// Seconds since 1970-01-01T00:00:00Z.
  case date(Double)
  /// An object, by the id of its document.
  case object(ObjectID)
}

extension PredicateValue {
  /// Whether nothing is equal to it, or different from it.
  public var isNaN: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    default: false
    }
  }
}

/// Why a predicate cannot be used.
public struct PredicateError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: String, CaseIterable, Sendable {
    /// The text is no predicate.
    case badFormat
    /// The model has no such property.
    case unknownKey
    /// The constant cannot be compared with what lies at the key path.
    case wrongType
    /// A key path leads to many objects, and nobody says for which it has to hold.
    case needsQuantifier
    /// It is part of the language, and not of what is done here.
    case unsupported
  }

  public let kind: Kind
  /// The operator or the key that is meant.
  public let name: JSONString?
  public let message: String

  public init(_ kind: Kind, _ name: JSONString? = nil, message: String) {
    self.kind = kind
    self.name = name
    self.message = message
  }

  public var description: String {
    "\(kind.rawValue)\(name.map { " '\($0)'" } ?? ""): \(message)"
  }
}
