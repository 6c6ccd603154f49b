public import JSON

/// A condition for objects: the predicates of Core Data, as values.
///
/// Source: Apple, "Predicate Format String Syntax".
public indirect enum Predicate: Hashable, Sendable {
  case truth(Bool)
  case and([Predicate])
  case or([Predicate])
  case not(Predicate)
  case comparison(PredicateComparison)
}

/// One comparison of the value at a key path.
public struct PredicateComparison: Hashable, Sendable {
  /// The quantifier over the objects of a to-many key path.
  public enum Quantifier: String, CaseIterable, Sendable {
    /// The comparison holds for at least one object.
    case any = "ANY"
    /// The comparison holds for each object; true for an empty relationship.
    case all = "ALL"
    /// The comparison holds for no object.
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
    /// `*` matches any text and `?` one character.
    case like = "LIKE"
    /// The complete text matches a regular expression.
    case matches = "MATCHES"

    /// Whether the operator tests a part or the form of a text.
    var isOfTexts: Bool {
      switch self {
      case .beginsWith, .endsWith, .contains, .like, .matches: true
      default: false
      }
    }
  }

  /// The left side of a comparison.
  public enum Subject: Hashable, Sendable {
    /// The object itself.
    case object
    /// Names of relationships followed by the name of a property.
    case path([JSONString])
    /// The number of objects at a path, `@count`.
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
  /// `[c]`: case-insensitive.
  public var ignoresCase: Bool
  /// `[d]`: diacritic-insensitive.
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
  /// Whether no value compares equal or unequal to it.
  public var isNaN: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    default: false
    }
  }
}

/// The error of an unusable predicate.
public struct PredicateError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: String, CaseIterable, Sendable {
    /// The text is not a valid predicate.
    case badFormat
    /// The model has no such property.
    case unknownKey
    /// The constant cannot be compared with the value at the key path.
    case wrongType
    /// A key path leads to many objects but has no quantifier.
    case needsQuantifier
    /// A part of the language that is not supported here.
    case unsupported
  }

  public let kind: Kind
  /// The operator or the key concerned.
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
