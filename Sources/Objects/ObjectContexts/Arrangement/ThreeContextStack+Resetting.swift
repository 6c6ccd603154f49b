internal import Datastore
internal import JSON
internal import ObjectMapping

// Forgetting.

extension ThreeContextStack {
  /// Empties the store and forgets what the contexts hold; what waits on the queues stays there.
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

  /// Forgets what the contexts hold, and what was not saved with it.
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
