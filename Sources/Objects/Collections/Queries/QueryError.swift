public import JSON

/// The error of an invalid query.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons for an invalid query.
  public enum Reason: Hashable, Sendable {
    /// The field name is not valid.
    case badField
    /// The conditional does not accept the value.
    case badValue
    /// A regular expression is not valid, or does not begin with `^`.
    case badExpression
    /// A place is not valid, or a condition on a place is not on `_geoloc`.
    case badPlace
    /// Only conditions on one field can be negated, but not an exact match.
    case cannotNegate
    /// The conditional is not supported.
    case unsupported
    /// The query has a condition on a field of a related object; joins are not supported.
    case relatedField
    /// The query has a syntax error.
    case malformed
  }

  /// The reason.
  public let reason: Reason
  /// The field concerned, or the path to the error.
  public let field: JSONString
  /// A message for people.
  public let message: String

  /// Creates an error.
  public init(_ reason: Reason, _ field: JSONString, message: String) {
    self.reason = reason
    self.field = field
    self.message = message
  }

  public var description: String { field.isEmpty ? message : "\(field): \(message)" }
}
