internal import Datastore

/// Records the operations of a vector with their outcomes, for an explanation of its failure.
final class RecordingLayer: ImplementationLayer {
  let base: any ImplementationUnderTest
  private(set) var exchanges: [(StoreOperation, Outcome)] = []

  init(_ base: any ImplementationUnderTest) { self.base = base }

  func forget() { exchanges = [] }

  /// All operations so far, and one without a valid response.
  func all(
    of store: ImplementationDescription, unanswered: StoreOperation? = nil
  ) -> VectorRecording {
    VectorRecording(store: store, exchanges: exchanges, unanswered: unanswered)
  }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    let outcome = try base.perform(operation, environment)
    exchanges.append((operation, outcome))
    return outcome
  }
}
