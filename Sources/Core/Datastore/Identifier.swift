public import JSON

/// A name in a message between a client and a store: bytes that are not validated yet.
///
/// The evaluating side defines validity, generation, order and canonical form. So an identifier can
/// only be compared for equality and hashed.
public struct Identifier<Named>: Hashable, Sendable {
  /// The bytes of the name.
  public let text: JSONString

  /// Creates an identifier without validation.
  public init(_ text: JSONString) { self.text = text }
}

extension Identifier: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(JSONString(value)) }
}

extension Identifier: CustomStringConvertible {
  public var description: String { text.string }
}

extension Identifier {
  /// The identifier in JSON.
  public var json: JSONValue { .string(text) }

  /// Reads an identifier; anything but a string is a failure.
  public init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    guard let text = json.textValue else {
      throw DecodingFailure(path: path, message: "expected a string, found \(json.kind)")
    }
    self.init(text)
  }
}

/// The kinds of named things.
public enum Named {
  /// Marks the names of stores.
  public enum Store: Sendable {}
  /// Marks the ids of documents.
  public enum Document: Sendable {}
  /// Marks the ids of revisions.
  public enum Revision: Sendable {}
}

/// The name of a store, such as `notes`.
public typealias StoreName = Identifier<Named.Store>

/// The id of a document, or of a local document without its `_local/`.
public typealias DocumentID = Identifier<Named.Document>

/// The id of a revision as encoded, such as `2-be2c05cd85b8468ce92b04e001b0e923`.
public typealias RevisionID = Identifier<Named.Revision>
