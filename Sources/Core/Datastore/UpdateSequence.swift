public import JSON

/// A position in the feed of changes of one store, opaque to all other parties.
///
/// CouchDB 1 and PouchDB return integers, CouchDB 2.0 and later texts, BigCouch an array of an
/// integer and a text.
public enum UpdateSequence: Hashable, Sendable {
  /// An integer.
  case integer(Int64)
  /// A text.
  case text(JSONString)
  /// Texts and integers, at least one.
  case array([JSONValue])

  /// The sequence in JSON.
  public var json: JSONValue {
    switch self {
    case .integer(let value): .integer(value)
    case .text(let text): .string(text)
    case .array(let parts): .array(parts)
    }
  }

  /// Reads a sequence; anything but a string, an integer or an array of those is a failure.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    switch json {
    case .integer(let value): self = .integer(value)
    case .string(let text): self = .text(text)
    case .array(let parts) where !parts.isEmpty && parts.allSatisfy(Self.isPart):
      self = .array(parts)
    default:
      throw DecodingFailure(
        path: path,
        message: "expected a sequence (a string, an integer or an array of those), "
          + "found \(json.kind)")
    }
  }

  private static func isPart(_ json: JSONValue) -> Bool {
    switch json {
    case .integer, .string: true
    default: false
    }
  }
}

extension UpdateSequence: CustomStringConvertible {
  public var description: String { json.serialized() }
}
