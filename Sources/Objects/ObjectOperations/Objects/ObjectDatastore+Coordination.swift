internal import Datastore
internal import JSON
internal import ObjectMapping

// A coordinator for the duration of one call; the stores that it opens remain.

extension ObjectDatastore {
  func coordinate(
    _ coordination: ObjectCoordination
  ) throws(StoreError) -> CoordinationAnswer {
    var types = StoreTypeRegistry(registersAutomatically: coordination.registration == .automatic)
    if case .times(let count) = coordination.registration {
      // Two registrations have the same effect as a million.
      for _ in 0..<max(0, min(count, 3)) { types.registerIncrementalStore() }
    }
    for other in coordination.others {
      types.register(other) { request in OtherStore(type: other, url: request.url) }
    }
    let coordinator = StoreCoordinator(
      try model(coordination.model), types: types, host: host)
    var answer = CoordinationAnswer(type: IncrementalStore.type)
    for addition in coordination.stores {
      answer.added.append(
        try result { () throws(StoreError) in
          let store = try coordinator.addStore(
            type: addition.type, configuration: addition.configuration, url: addition.url,
            options: IncrementalStoreOptions(
              migratesAutomatically: addition.migrates ?? false,
              mendsNames: addition.mendsNames ?? false))
          return (store as? IncrementalStore)?.answer
        })
    }
    answer.stores = IncrementalStore.stores(of: coordinator).map { $0.url }
    answer.found = coordination.find.map {
      IncrementalStore.store(of: coordinator, at: $0)?.answer
    }
    for question in coordination.targets {
      answer.targets.append(
        try result { () throws(StoreError) in
          guard let store = IncrementalStore.store(of: coordinator, at: question.url) else {
            throw StoreError(.badURL, "no store at '\(question.url)'")
          }
          return try store.target(question.remote)
        })
    }
    return answer
  }

  /// The result of a call; a failure of the datastore itself is rethrown.
  private func result<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Result<Value, DatastoreError> {
    do throws(StoreError) {
      return .success(try body())
    } catch {
      switch error.reason {
      case .harness, .unanswered: throw error
      default: return .failure(error.asDatastoreError)
      }
    }
  }
}

extension IncrementalStore {
  fileprivate var answer: CoordinationAnswer.Store {
    CoordinationAnswer.Store(name: name, remote: remote)
  }
}

/// A store of another type, without any data.
private final class OtherStore: PersistentStore {
  let type: JSONString
  let url: JSONString

  init(type: JSONString, url: JSONString) {
    self.type = type
    self.url = url
  }
}
