public import Datastore
public import JSON
public import ReferenceDatastore

/// What is known about a product: its declarations, and its deviations from the rules.
public struct ProductFile: Sendable {
  /// The declarations of the product, as an adapter for it answers `hello`. The version may be a
  /// range, such as `3.4 to 3.5`.
  public let store: ImplementationDescription
  /// Where the knowledge comes from, for readers.
  public let about: JSONString
  /// The deviations, in the order in which they act.
  public let deviations: [Deviation]

  /// Creates a product file.
  public init(store: ImplementationDescription, about: JSONString, deviations: [Deviation]) {
    self.store = store
    self.about = about
    self.deviations = Deviation.named(deviations.map(\.id))
  }

  /// A new store that behaves as the product: the model with its declarations and deviations.
  public func makeModel() -> DeviatingDatastore {
    DeviatingDatastore(declaring: store, deviations)
  }
}
