/// The reason why a file or folder is not read as a model.
public struct ModelFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the file or folder.
  public let path: String
  /// The line, 1 or more; nil if the error concerns the complete file, or a folder.
  public let line: Int?
  /// What is wrong, with the name of the entity or property.
  public let what: String
  /// What was expected, or what to do; nil if `what` says it.
  public let expected: String?

  /// Creates an error.
  public init(path: String, line: Int? = nil, what: String, expected: String? = nil) {
    self.path = path
    self.line = line
    self.what = what
    self.expected = expected
  }

  public var description: String {
    let place = line.map { "\(path):\($0)" } ?? path
    return "\(place): \(what)" + (expected.map { "; expected \($0)" } ?? "")
  }
}

/// A part of a model file that Touchstone reads differently from Core Data, or not at all.
public struct ModelFileWarning: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of differences.
  public enum Reason: String, CaseIterable, Sendable {
    /// A UUID or URI becomes a text, because the document format has no type for it.
    case storedAsText
    /// A transient attribute without a type is left out; documents never contain it.
    case untypedTransient
    /// The value of a derived attribute is not computed.
    case derived
    /// The entity has a parent entity: it has copies of the inherited properties.
    case inherited
    /// Objects of an abstract entity can be created.
    case abstract
    /// The order of an ordered relationship is lost.
    case ordered
    /// A relationship without a consistent inverse has none.
    case inverse
    /// A default value cannot be read.
    case defaultValue
    /// A rule for values cannot be checked.
    case validation
    /// A uniqueness constraint contains something other than stored attributes.
    case uniqueness
    /// A modifier of version hashes has no effect.
    case hashModifier
    /// Configurations have no effect.
    case configuration
    /// Fetch requests of the model are left out.
    case fetchRequest
    /// An unknown element or attribute of the file is ignored.
    case unknown
  }

  /// The path of the file.
  public let path: String
  /// The line of the element, 1 or more.
  public let line: Int
  /// The part of the model, such as `Recipe.title`, or the name of an XML element.
  public let element: String
  /// The kind of the difference.
  public let reason: Reason
  /// The difference and its effect.
  public let message: String

  public var description: String { "\(path):\(line): \(element): \(message)" }
}
