/// Where in a JSON value which expectation of its form was not met.
public struct DecodingFailure: Error, Equatable, Sendable {
  /// The way from the root, such as `steps[3].do.rev`; empty for the root itself.
  public let path: String

  /// What was expected and what was found, such as `expected a string, found a number`.
  public let message: String

  /// A failure at a path from the root.
  public init(path: String, message: String) {
    self.path = path
    self.message = message
  }

  /// The failure to find the expected kind of value.
  public init(path: String, expected: String, found: JSONValue) {
    self.init(path: path, message: "expected \(expected), found \(found.kind)")
  }
}

extension DecodingFailure: CustomStringConvertible {
  public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
