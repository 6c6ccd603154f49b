public import JSON

/// An error in the conversion between a document and an object.
public struct MappingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Kind: String, CaseIterable, Sendable {
    /// The document has no `CDTISEntityName`, or an invalid one.
    case noEntity
    /// The model has no such entity.
    case unknownEntity
    /// The entity has no such property.
    case unknownProperty
    /// The value does not have the property's type.
    case wrongType
    /// A number is out of range for the type.
    case outOfRange
    /// A date that is not finite.
    case nonFiniteDate
    /// Binary content is not valid base64.
    case badBase64
    /// An image is invalid, or contradicts its token.
    case badImage
    /// The text and the image of a decimal are different numbers.
    case decimalImageMismatch
    /// An identifier or a version has an unknown form.
    case badEnvelope
    /// The content is in an attachment that was not read.
    case missingContent
    /// No transformer of the class is registered.
    case unknownTransformer
    /// The transformer does not accept the value or the bytes.
    case transformerFailed
  }

  /// The kind of the error.
  public let kind: Kind
  /// The property, the member of the envelope, or the class of the transformer; nil if the error
  /// concerns the complete document.
  public let property: JSONString?
  /// A message for people.
  public let message: String

  /// Creates an error.
  public init(_ kind: Kind, _ property: JSONString? = nil, message: String) {
    self.kind = kind
    self.property = property
    self.message = message
  }

  public var description: String {
    "\(kind.rawValue)\(property.map { " '\($0)'" } ?? ""): \(message)"
  }
}

/// A warning about a document that could be read.
public struct MappingWarning: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of warnings.
  public enum Kind: String, CaseIterable, Sendable {
    /// The number and its image differ, and the image may have been converted to a double.
    case imageMayBeRounded
    /// An integer above 2^53 that may have been converted to a double.
    case integerMayBeRounded
    /// A decimal with more than 38 digits.
    case longDecimal
    /// `CDTISObjectVersion` is a number; the schema requires a string.
    case versionIsNumber
  }

  /// The kind of the warning.
  public let kind: Kind
  /// The name of the property, or of the member of the envelope.
  public let property: JSONString

  /// Creates a warning.
  public init(_ kind: Kind, _ property: JSONString) {
    self.kind = kind
    self.property = property
  }

  public var description: String { "\(kind.rawValue) '\(property)'" }
}
