internal import JSON

/// Objects as documents, and documents as objects.
///
///     let mapping = DocumentMapping(model)
///     let document = try mapping.encode(object)
///     let (copy, warnings) = try mapping.decode(document, id: object.id)
public struct DocumentMapping: Sendable {
  /// How values are written. Every form is read.
  public enum Form: String, CaseIterable, Sendable {
    /// What the documents of CDTIncrementalStore say, with their errors mended.
    case documented
    /// What its released versions write: binary content beside the document, doubles as texts, images
    /// of floats with a sign, `""` for no object.
    case released
  }

  public let model: ManagedObjectModel
  public let form: Form
  /// Whether a number counts for more than its image where the image may have come through doubles.
  public let trustsNumbers: Bool
  public let transformers: TransformerRegistry

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
