public import JSON

/// Why a document and an object cannot be made out of each other.
public struct MappingError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: String, CaseIterable, Sendable {
    /// The document has no `CDTISEntityName`, or none that is a name.
    case noEntity
    /// The model has no such entity.
    case unknownEntity
    /// The entity has no such property.
    case unknownProperty
    /// The value is none of the property's type.
    case wrongType
    /// A number is beyond what the type holds.
    case outOfRange
    /// A date that is no moment.
    case nonFiniteDate
    case badBase64
    /// An image is no image, or says something else than the token beside it.
    case badImage
    /// The text and the image of a decimal are two numbers.
    case decimalImageMismatch
    /// An identifier or a version is of no known form.
    case badEnvelope
    /// Content stands beside the document and is not here.
    case missingContent
    /// No transformer of the class is registered.
    case unknownTransformer
    /// The transformer does not take the value or the bytes.
    case transformerFailed
  }

  public let kind: Kind
  /// The property, the member of the envelope, or the class of the transformer; nil when it is about
  /// the whole.
  public let property: JSONString?
  public let message: String

  public init(_ kind: Kind, _ property: JSONString? = nil, message: String) {
    self.kind = kind
    self.property = property
    self.message = message
  }

  public var description: String {
    "\(kind.rawValue)\(property.map { " '\($0)'" } ?? ""): \(message)"
  }
}

/// What a reader noticed about a document that it could read.
public struct MappingWarning: Hashable, Sendable, CustomStringConvertible {
  public enum Kind: String, CaseIterable, Sendable {
    /// The number and its image differ, and the image looks like one that came through doubles.
    case imageMayBeRounded
    /// An integer above 2^53 that looks like one that came through doubles.
    case integerMayBeRounded
    /// A decimal with more than 38 digits.
    case longDecimal
    /// `CDTISObjectVersion` is a number; the schema says string.
    case versionIsNumber
  }

  public let kind: Kind
  public let property: JSONString

  public init(_ kind: Kind, _ property: JSONString) {
    self.kind = kind
    self.property = property
  }

  public var description: String { "\(kind.rawValue) '\(property)'" }
}
