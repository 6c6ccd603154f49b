internal import Datastore
internal import JSON
internal import ObjectMapping

// Resetting.

extension ThreeContextStack {
  /// Empties the store and resets the contexts; enqueued blocks remain.
  ///
  /// Source: the guide of DataStore; the product's `reset`.
  public func reset() throws(ContextError) {
    try resetContexts()
    try waiting("reset") { stack in
      stack.enqueueAndWait(
        QueueFrame(
          "empty the store",
          [
            QueuePiece("empty the store") { stack throws(ContextError) in
              try stack.emptyStore()
            }
          ]), on: .writer)
    }
  }

  /// Resets the contexts, which discards unsaved changes.
  public func resetContexts() throws(ContextError) {
    for queue: StackQueue in [.main, .background, .writer] {
      try waiting("reset") { stack in
        stack.enqueueAndWait(
          QueueFrame("reset", [QueuePiece("reset") { $0.context(queue).reset() }]), on: queue)
      }
    }
  }

  private func emptyStore() throws(ContextError) {
    let cache = writerContext.coordinator
    try ContextError.ofStore { () throws(StoreError) in
      var request = SaveRequest()
      for entity in model.entities {
        request.deleted += try cache.store.rows(of: entity.name).map { $0.id }
      }
      if !request.deleted.isEmpty { _ = try cache.store.write(request, over: [:]) }
    }
    cache.rows = [:]
  }
}
