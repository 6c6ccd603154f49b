public import JSON

/// Why there is no such query.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    /// The field is no name of one.
    case badField
    /// The conditional does not take the value.
    case badValue
    /// A regular expression is none, or does not begin with `^`.
    case badExpression
    /// A place that is none, or a condition on a place that is not on `_geoloc`.
    case badPlace
    /// Only conditions on one field can be negated, and no exact match.
    case cannotNegate
    /// The conditional has a name and no meaning.
    case unsupported
    /// It asks for a field of a related object; there are no joins.
    case relatedField
    /// It is no text of a query.
    case malformed
  }

  public let reason: Reason
  /// The field that is meant, or the way to what is wrong.
  public let field: JSONString
  public let message: String

  public init(_ reason: Reason, _ field: JSONString, message: String) {
    self.reason = reason
    self.field = field
    self.message = message
  }

  public var description: String { field.isEmpty ? message : "\(field): \(message)" }
}
