public import JSON

/// A condition for objects: the predicates of Core Data, as values.
///
/// Source: Apple, "Predicate Format String Syntax".
public indirect enum FetchPredicate: Hashable, Sendable {
  /// A constant: `TRUEPREDICATE` or `FALSEPREDICATE`.
  case truth(Bool)
  /// All of these hold.
  case and([FetchPredicate])
  /// At least one of these holds.
  case or([FetchPredicate])
  /// This does not hold.
  case not(FetchPredicate)
  /// A comparison holds.
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

  /// The comparison operators.
  public enum Operator: String, CaseIterable, Sendable {
    /// Both sides are equal.
    case equal = "=="
    /// The sides differ.
    case notEqual = "!="
    /// The value is less than the constant.
    case less = "<"
    /// The value is less than the constant, or equal to it.
    case lessOrEqual = "<="
    /// The value is greater than the constant.
    case greater = ">"
    /// The value is greater than the constant, or equal to it.
    case greaterOrEqual = ">="
    /// The value lies between two constants, inclusive.
    case between = "BETWEEN"
    /// The value is one of the constants.
    case isIn = "IN"
    /// The text begins with the constant.
    case beginsWith = "BEGINSWITH"
    /// The text ends with the constant.
    case endsWith = "ENDSWITH"
    /// The text contains the constant.
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

  /// The right side of a comparison.
  public enum Operand: Hashable, Sendable {
    /// One constant.
    case value(PredicateValue)
    /// Several constants, for `BETWEEN` and `IN`.
    case list([PredicateValue])
  }

  /// The quantifier; nil without one.
  public var quantifier: Quantifier?
  /// The left side.
  public var subject: Subject
  /// The operator.
  public var `operator`: Operator
  /// The right side.
  public var operand: Operand
  /// `[c]`: case-insensitive.
  public var ignoresCase: Bool
  /// `[d]`: diacritic-insensitive.
  public var ignoresMarks: Bool

  /// Creates a comparison.
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
  /// Nil.
  case none
  /// A truth value.
  case bool(Bool)
  /// An integer of 64 signed bits.
  case integer(Int64)
  /// A double.
  case double(Double)
  /// A decimal number.
  case decimal(DecimalNumber)
  /// A text.
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
public struct FetchPredicateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
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

  /// The kind of the error.
  public let kind: Kind
  /// The operator or the key concerned.
  public let name: JSONString?
  /// A message for people.
  public let message: String

  /// Creates an error.
  public init(_ kind: Kind, _ name: JSONString? = nil, message: String) {
    self.kind = kind
    self.name = name
    self.message = message
  }

  public var description: String {
    "\(kind.rawValue)\(name.map { " '\($0)'" } ?? ""): \(message)"
  }
}
