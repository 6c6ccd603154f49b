public import JSON

/// A position in the feed of changes of one store: opaque to everyone but the store that made it.
public enum UpdateSequence: Hashable, Sendable {
  case integer(Int64)
  case text(Text)

  /// The sequence as it stands in JSON.
  public var json: JSONValue {
    switch self {
    case .integer(let value): .integer(value)
    case .text(let text): .string(text)
    }
  }

  /// Reads a sequence; anything but a string or an integer is a failure.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    switch json {
    case .integer(let value): self = .integer(value)
    case .string(let text): self = .text(text)
    default:
      throw DecodingFailure(
        path: path, message: "expected a sequence (a string or an integer), found \(json.kind)")
    }
  }
}

extension UpdateSequence: CustomStringConvertible {
  public var description: String { json.serialized() }
}
