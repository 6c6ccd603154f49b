internal import JSON

/// Conversion between objects and documents.
///
///     let mapping = DocumentMapping(model)
///     let document = try mapping.encode(object)
///     let (copy, warnings) = try mapping.decode(document, id: object.id)
public struct DocumentMapping: Sendable {
  /// The form in which values are written. Every form can be read.
  public enum Form: String, CaseIterable, Sendable {
    /// The documented form of CDTIncrementalStore, with the errors of its documentation corrected.
    case documented
    /// The form of its released versions: binary content in attachments, doubles as texts, images
    /// of floats with a sign, `""` for no object.
    case released
  }

  /// The model of the objects.
  public let model: ManagedObjectModel
  /// The form in which values are written.
  public let form: Form
  /// Whether a number takes precedence over an image that may have been converted to a double.
  public let trustsNumbers: Bool
  /// The transformers of the application.
  public let transformers: TransformerRegistry

  /// Creates a mapping.
  public init(
    _ model: ManagedObjectModel, form: Form = .documented, trustsNumbers: Bool = false,
    transformers: TransformerRegistry = TransformerRegistry()
  ) {
    self.model = model
    self.form = form
    self.trustsNumbers = trustsNumbers
    self.transformers = transformers
  }

  func entity(_ name: JSONString) throws(MappingError) -> EntityDescription {
    guard let entity = model[name] else {
      throw MappingError(.unknownEntity, name, message: "the model has no entity '\(name)'")
    }
    return entity
  }
}
