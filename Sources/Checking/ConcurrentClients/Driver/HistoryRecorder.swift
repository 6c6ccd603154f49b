internal import Datastore
internal import Synchronization

/// Records the operations of all connections in the order of their requests and responses.
final class HistoryRecorder: Sendable {
  private struct State {
    var operations: [ClientOperation] = []
    var knowledge = SharedKnowledge()
  }

  private let state = Mutex(State())
  private let ticks = Atomic<Int64>(0)

  /// The place of a request or a response in the order of all.
  func tick() -> Int64 { ticks.add(1, ordering: .sequentiallyConsistent).newValue }

  func add(_ operation: ClientOperation) {
    state.withLock { state in
      state.operations.append(operation)
      if let outcome = operation.outcome { state.knowledge.note(operation.operation, outcome) }
    }
  }

  var operations: [ClientOperation] { state.withLock { $0.operations } }

  /// The next operation of a client, by what all clients know.
  func next(_ client: inout WorkloadClient) -> StoreAction {
    let knowledge = state.withLock { $0.knowledge }
    let action = client.next(knowledge)
    state.withLock { $0.knowledge.announce(action) }
    return action
  }
}
