public import Datastore
public import JSON

/// A device that uses collections of a backend.
///
/// It is used by one thread at a time. Each call is finished before it returns.
public final class CollectionDevice {
  /// The client with its cache and its offline queue, and the network.
  public var session = CollectionSession()
  /// The backend.
  public let backend: any BackendEndpoint
  /// The source of temporary ids, and of the ids of a local backend.
  public let environment: RunEnvironment

  /// Creates a device without open collections.
  public init(_ backend: any BackendEndpoint, _ environment: RunEnvironment) {
    self.backend = backend
    self.environment = environment
  }

  /// Opens the collection of a type.
  ///
  /// Throws `badMapping` if the description of the type is not valid. The collections of related
  /// types must be open as well before objects with relations are saved or loaded.
  ///
  /// Source: `collectionFromString:ofClass:`, `storeWithCollection:options:`.
  @discardableResult
  public func collection<Object: CollectionPersistable>(
    of type: Object.Type, _ options: CollectionOptions = CollectionOptions()
  ) throws(CollectionError) -> ObjectCollection<Object> {
    let description = try Object.collectionDescription()
    session.client.open(description, options)
    return ObjectCollection(name: description.name, device: self)
  }

  /// Sends the saves and removals of the offline queue.
  ///
  /// - Returns: the events of the queue, in order.
  public func sendQueued() throws(CollectionError) -> [QueueEvent] {
    do throws(HarnessError) { return try session.drain(backend, environment).queueEvents } catch {
      throw CollectionError(error)
    }
  }
}

/// A collection of a backend whose objects have a type of the application.
///
/// Source: the guide, "Saving" and "Fetching": `KCSAppdataStore`, `KCSCachedStore`.
public struct ObjectCollection<Object: CollectionPersistable> {
  /// The name of the collection.
  public let name: JSONString
  let device: CollectionDevice

  /// Saves objects, after the new ones that they refer to, and returns them with their ids.
  ///
  /// Throws the error of the call; `succeeded` then contains the objects that were saved.
  ///
  /// Source: `saveObject:withCompletionBlock:withProgressBlock:`.
  @discardableResult
  public func save(_ objects: [Object]) throws(CollectionError) -> [Object] {
    try loaded(.save(objects.map { $0.collectionObject }))
  }

  /// Saves one object and returns it with its id.
  @discardableResult
  public func save(_ object: Object) throws(CollectionError) -> Object {
    try save([object]).first ?? object
  }

  /// The objects that a query matches, in its order, with the relations that the mapping fills.
  ///
  /// - Parameter policy: the source of the results; nil for that of the collection. With `both` the
  ///   results are those of the last source that responded.
  ///
  /// Source: `queryWithQuery:withCompletionBlock:withProgressBlock:`.
  public func query(
    _ query: CollectionQuery = CollectionQuery(), policy: CachePolicy? = nil
  ) throws(CollectionError) -> [Object] {
    try loaded(.query(query, policy: policy))
  }

  /// The objects with ids, in the order of the ids.
  ///
  /// Source: `loadObjectWithID:withCompletionBlock:withProgressBlock:`.
  public func load(
    _ ids: [JSONString], policy: CachePolicy? = nil
  ) throws(CollectionError) -> [Object] {
    try loaded(.load(ids, policy: policy))
  }

  /// The number of objects that a query matches.
  public func count(
    _ query: CollectionQuery = CollectionQuery()
  ) throws(CollectionError) -> Int64 {
    try count(.count(query))
  }

  /// Removes objects; returns their number.
  ///
  /// - Parameter rule: the treatment of related objects.
  ///
  /// Source: `removeObject:withCompletionBlock:withProgressBlock:`.
  @discardableResult
  public func remove(
    _ objects: [Object], _ rule: RemovalRule = .only
  ) throws(CollectionError) -> Int64 {
    try count(.remove(.objects(objects.map { $0.collectionObject }), rule))
  }

  // MARK: Calls

  private func loaded(_ call: CollectionCall) throws(CollectionError) -> [Object] {
    let (result, fills) = try perform(call)
    guard case .objects(var objects) = result else { return [] }
    for fill in fills {
      for place in objects.indices where objects[place].id == fill.id {
        objects[place].related[fill.relation] = fill.objects.map { .object($0) }
      }
    }
    return objects.map { Object($0) }
  }

  private func count(_ call: CollectionCall) throws(CollectionError) -> Int64 {
    guard case .count(let count) = try perform(call).result else { return 0 }
    return count
  }

  private func perform(
    _ call: CollectionCall
  ) throws(CollectionError) -> (result: CollectionCallback.Result, fills: [FilledRelation]) {
    let report: CollectionSession.Report
    do throws(HarnessError) {
      report = try device.session.perform(
        call, on: name, device.backend, environment: device.environment)
    } catch {
      throw CollectionError(error)
    }
    guard let last = report.callbacks.last else {
      throw CollectionError(.badAnswer, "the call ended without a result")
    }
    if case .error(let error) = last.result { throw error }
    return (last.result, report.fills.filter { $0.collection == name })
  }
}

extension CollectionError {
  /// The error of a call whose backend failed without a response.
  fileprivate init(_ error: HarnessError) {
    self.init(.network(.unknown), "the backend failed: \(error.message)")
  }
}
