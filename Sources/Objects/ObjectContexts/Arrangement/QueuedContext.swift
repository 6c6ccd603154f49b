public import JSON
public import ObjectMapping

/// A context as passed to a closure on its queue.
///
/// Source: the guide of DataStore, "Usage"; the names are those of the guide.
public struct QueuedContext {
  /// The queue of the context: `main` or `background`.
  public let queue: StackQueue
  package let stack: ThreeContextStack
  let operation: Int?

  package init(_ stack: ThreeContextStack, _ queue: StackQueue, operation: Int?) {
    self.stack = stack
    self.queue = queue
    self.operation = operation
  }

  /// The context itself; records a warning if it is used on another queue.
  public var context: ManagedObjectContext {
    if let running = stack.running.last, running != queue {
      stack.warn(.foreignQueue(context: queue, on: running))
    }
    return stack.context(queue)
  }

  // MARK: Insertion

  /// Inserts an object with its defaults, and passes it to the closure.
  ///
  /// - Parameter id: the id of the object; nil to generate one.
  @discardableResult
  public func insertObject(
    entityName: JSONString, id: ObjectID? = nil, _ closure: (LiveObject) throws -> Void = { _ in }
  ) throws -> LiveObject {
    let context = context
    let id = id ?? ObjectID.new(of: entityName, stack.environment)
    try context.insert(entityName, id: id)
    let object = LiveObject(id, in: context)
    try closure(object)
    return object
  }

  // MARK: Fetches

  /// The objects for which a predicate is true, sorted.
  public func findEntities(
    entityName: JSONString, predicate: FetchPredicate? = nil,
    sortDescriptors: [FetchSortDescriptor] = []
  ) throws(ContextError) -> [LiveObject] {
    let context = context
    let request = ObjectFetchRequest(entityName, where: predicate, sort: sortDescriptors)
    return try context.fetch(request).map { LiveObject($0.id, in: context) }
  }

  /// All objects of an entity.
  public func findAll(entityName: JSONString) throws(ContextError) -> [LiveObject] {
    try findEntities(entityName: entityName)
  }

  /// The objects whose key has a value, or a new object with that value if no object matches.
  ///
  /// The value is passed as an argument and not inserted into the text of a predicate, so quotation
  /// marks in it are harmless.
  ///
  /// - Parameter handler: called with the inserted object, or with every result, depending on
  ///   `StackOptions.handledObjects`.
  ///
  /// Source: the guide of DataStore, "Insertion If Empty Fetch Result on Background Queue".
  @discardableResult
  public func findOrInsertEntities(
    entityName: JSONString, whereKey key: JSONString, equalsValue value: PredicateValue,
    _ handler: @escaping (LiveObject) throws -> Void = { _ in }
  ) throws -> [LiveObject] {
    try findOrInsert(FindOrInsert(entityName, where: key, equals: value, handler: handler))
  }

  @discardableResult
  package func findOrInsert(_ request: FindOrInsert) throws -> [LiveObject] {
    let found = try find(request)
    guard found.isEmpty else {
      try handle(request, found)
      return found
    }
    return [try insert(request)]
  }

  /// Saves only this context, into the writer; its sibling then merges the saved changes.
  public func save() throws(ContextError) { _ = try stack.saveContext(queue) }

  func find(_ request: FindOrInsert) throws(ContextError) -> [LiveObject] {
    record(request.data)
    return try findEntities(
      entityName: request.entity,
      predicate: .comparison(
        PredicateComparison(.path([request.key]), .equal, operand: .value(request.value))))
  }

  @discardableResult
  func insert(_ request: FindOrInsert) throws -> LiveObject {
    let entity = stack.model[request.entity]
    let value = request.value.property(of: entity?.attribute(request.key)?.type)
    return try insertObject(entityName: request.entity, id: request.id) { object in
      try object.set([request.key: value])
      try request.handler(object)
    }
  }

  /// Passes the found objects to the handler, if every result is handled.
  func handle(_ request: FindOrInsert, _ found: [LiveObject]) throws {
    guard stack.options.handledObjects == .everyResult else { return }
    for object in found { try request.handler(object) }
  }

  /// Records the data that the operation uses.
  private func record(_ data: SharedData) {
    guard let operation, stack.sharedData.record(data, by: operation) else { return }
    stack.warn(.sameData(data))
  }

  /// Records the objects that the context is about to save.
  func recordChanges() {
    let context = stack.context(queue)
    for id in context.insertedIDs + context.updatedIDs + context.deletedIDs { record(.object(id)) }
  }
}

extension PredicateValue {
  /// The value converted to the type of an attribute.
  fileprivate func property(of type: AttributeType?) -> PropertyValue {
    switch self {
    case .none: .none
    case .bool(let value): .attribute(.bool(value))
    case .integer(let value):
      switch type {
      case .double?: .attribute(.double(Double(value)))
      case .float?: .attribute(.float(Float(value)))
      case .bool?: .attribute(.bool(value != 0))
      default: .attribute(.integer(value))
      }
    case .double(let value):
      type == .float ? .attribute(.float(Float(value))) : .attribute(.double(value))
    case .decimal(let value): .attribute(.decimal(value))
    case .text(let value):
      type == .id ? .attribute(.identifier(value)) : .attribute(.text(value))
    case .date(let value): .attribute(.date(value))
    case .object(let id): .toOne(id)
    }
  }
}
