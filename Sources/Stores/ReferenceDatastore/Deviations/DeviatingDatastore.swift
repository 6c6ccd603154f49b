public import Datastore
internal import JSON

/// The model with deviations from the rules, some of which may leave an operation without a valid
/// response.
public final class DeviatingDatastore: ImplementationLayer {
  private let model: ReferenceDatastore
  public var base: any ImplementationUnderTest { model }

  /// Creates a datastore without stores that offers what the model offers.
  public init(_ deviations: [Deviation]) {
    model = ReferenceDatastore(deviations: deviations)
  }

  /// Creates a datastore without stores that declares the properties of a product.
  ///
  /// A store cannot offer more than the model: capabilities that the model lacks are not declared.
  public init(declaring product: ImplementationDescription, _ deviations: [Deviation]) {
    model = ReferenceDatastore(declaring: product, deviations: deviations)
  }

  public func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    if let cause = model.deviations.first(where: {
      $0.leavesUnanswered(operation, in: model.state)
    }) {
      throw HarnessError(
        "no valid response to \(operation.action.name): deviation \(cause.id)",
        breakdown: HarnessError.Breakdown(shape: "no valid response"))
    }
    return model.perform(operation, environment)
  }
}
