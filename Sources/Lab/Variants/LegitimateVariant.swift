public import Datastore
internal import ReferenceDatastore

/// A correct store that differs from the bundled ones where no rule decides.
///
/// A check that rejects one of them requires something without a rule: it would be a false alarm
/// for a product that behaves like that. `variant:NAME` runs one in any command.
public struct LegitimateVariant: Sendable {
  /// The name of the variant.
  public let name: String
  /// The behavior of such a store.
  public let sentence: String
  /// The id of a vector in which the difference occurs, or which the store does not have to pass.
  public let telling: String
  /// The rules of level SHOULD that the store does not keep; vectors that cite one may fail.
  public let waived: [String]
  private let makeStore: @Sendable () -> any ImplementationUnderTest

  /// A variant with a store of its own.
  init(
    _ name: String, _ sentence: String, telling: String, waived: [String] = [],
    makeStore: @escaping @Sendable () -> any ImplementationUnderTest
  ) {
    (self.name, self.sentence) = (name, sentence)
    (self.telling, self.waived) = (telling, waived)
    self.makeStore = makeStore
  }

  /// A variant of the model that makes other choices.
  init(
    _ name: String, _ sentence: String, telling: String, waived: [String] = [],
    choosing change: @Sendable (inout Freedom) -> Void
  ) {
    var freedom = Freedom()
    change(&freedom)
    self.init(name, sentence, telling: telling, waived: waived) { [freedom] in
      ReferenceDatastore(freedom)
    }
  }

  /// A variant that changes operations to the model, or their outcomes.
  init(
    _ name: String, _ sentence: String, telling: String,
    varying make: @escaping @Sendable () -> any Variation
  ) {
    self.init(name, sentence, telling: telling) {
      VariedDatastore(ReferenceDatastore(), make())
    }
  }

  /// A store without any data.
  public func make() -> any ImplementationUnderTest { makeStore() }

  /// All variants, in groups.
  public static let all: [LegitimateVariant] =
    choices + names + sequences + pages + orders + bodies + offers + restrictions
}

/// A permitted difference of a store from the model.
protocol Variation {
  /// The declared properties of the store.
  func describe(_ description: inout ImplementationDescription)

  /// Performs an operation with the store that differs.
  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome

  /// Forgets everything about stores that were deleted.
  mutating func forget()
}

extension Variation {
  func describe(_ description: inout ImplementationDescription) {}

  mutating func forget() {}
}

/// The model with a difference in front of it.
final class VariedDatastore: ImplementationLayer {
  private let store: ReferenceDatastore
  private var variation: any Variation
  let description: ImplementationDescription

  var base: any ImplementationUnderTest { store }

  init(_ store: ReferenceDatastore, _ variation: any Variation) {
    self.store = store
    self.variation = variation
    var description = store.description
    variation.describe(&description)
    self.description = description
  }

  // Not in `forget`: the state of a variation belongs to the data, and survives a crash.

  func reset() throws(HarnessError) {
    variation.forget()
    try base.reset()
  }

  func begin(_ undertaking: Undertaking) throws(HarnessError) {
    variation.forget()
    try base.begin(undertaking)
  }

  func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    variation.perform(operation, environment, store: store)
  }
}

/// Changes successful results.
struct VaryingResults: Variation {
  let rewrite: @Sendable (StoreOperation, OperationResult) -> OperationResult

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    let outcome = store.perform(operation, environment)
    guard case .ok(let result) = outcome else { return outcome }
    return .ok(rewrite(operation, result))
  }
}
