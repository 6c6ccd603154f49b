internal import Datastore
internal import JSON

/// Records the operations of a vector with their outcomes, for an explanation of its failure.
final class RecordingLayer: ImplementationLayer {
  let base: any ImplementationUnderTest
  private(set) var exchanges: [(StoreOperation, Outcome)] = []

  init(_ base: any ImplementationUnderTest) { self.base = base }

  func forget() { exchanges = [] }

  /// The stores from which the own replicator of a store has pulled.
  func sources(ofPullsTo store: StoreName) -> [StoreName] {
    exchanges.compactMap { operation, _ in
      guard operation.store == store, case .replicate(let turn) = operation.action,
        case .start(let start) = turn.event
      else { return nil }
      return StoreName(JSONString(String(start.remote.string.dropFirst())))
    }
  }

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
    if operation.isVisible { exchanges.append((operation, outcome)) }
    return outcome
  }
}

extension StoreOperation {
  /// Whether a recording needs the operation: a turn of the store's own replicator that pushes changes
  /// no document of its store, and its requests to the other store are operations of their own. A
  /// pull changes its store by itself, so that the store cannot be followed.
  fileprivate var isVisible: Bool {
    guard case .replicate(let turn) = action else { return true }
    if case .start(let start) = turn.event { return start.direction == .pull }
    return false
  }
}
