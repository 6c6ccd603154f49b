internal import Datastore
internal import JSON
internal import ObjectContexts
internal import ObjectMapping

extension ContextSession {
  /// Observes a fetch of a context under a name, and returns the ids of its results.
  func observe(
    _ fetch: ObservedFetch, as observer: JSONString, of name: JSONString, objects: ObjectDatastore
  ) throws(ContextError) -> ContextAnswer {
    let context = try context(name)
    if let taken = observers[name]?[observer], !taken.isEnded {
      throw ContextError(
        .store(
          StoreError(
            .datastore(nil, DatastoreError(.conflict)), "'\(observer)' already exists")))
    }
    let request = try ContextError.ofStore { () throws(StoreError) in
      try objects.request(fetch.fetch)
    }
    let results = try FetchedResultsController(request, in: context)
    observers[name, default: [:]][observer] = results
    return .ids(results.fetchedObjects.map { $0.id })
  }

  /// Returns the changes of an observed fetch since its last update; a failure changes nothing.
  func update(_ observer: JSONString, of name: JSONString) throws(ContextError) -> ContextAnswer {
    guard var results = observers[name]?[observer], !results.isEnded else {
      throw ContextError(
        .store(
          StoreError(
            .datastore(
              nil, DatastoreError(.badObject(what: "unknownObserver", name: observer))),
            "unknown observer '\(observer)'")))
    }
    let changes = try results.update()
    observers[name]?[observer] = results
    return .changes(
      changes.map { ObservedChange($0) }, ids: results.fetchedObjects.map { $0.id })
  }
}

extension ObservedChange {
  fileprivate init(_ change: FetchedResultChange) {
    switch change {
    case .deleted(let id, let place): self.init(.deleted, id, from: Int64(place))
    case .inserted(let id, let place): self.init(.inserted, id, to: Int64(place))
    case .moved(let id, let from, let to):
      self.init(.moved, id, from: Int64(from), to: Int64(to))
    case .updated(let id, let place): self.init(.updated, id, to: Int64(place))
    }
  }
}
