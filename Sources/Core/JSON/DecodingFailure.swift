/// The error for a JSON value that does not have the expected form.
public struct DecodingFailure: Error, Equatable, Sendable {
  /// The path from the root to the value, such as `steps[3].do.rev`; empty for the root itself.
  public let path: String

  /// The expectation and the actual value, such as `expected a string, found a number`.
  public let message: String

  /// A failure at a path from the root.
  public init(path: String, message: String) {
    self.path = path
    self.message = message
  }

  /// A failure because the value is of another kind.
  public init(path: String, expected: String, found: JSONValue) {
    self.init(path: path, message: "expected \(expected), found \(found.kind)")
  }
}

extension DecodingFailure: CustomStringConvertible {
  public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
