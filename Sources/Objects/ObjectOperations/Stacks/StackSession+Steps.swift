internal import Datastore
internal import JSON
internal import ObjectContexts
internal import ObjectMapping

// Steps of closures as work on a queue.

extension StackSession {
  /// The steps as pieces of one block; the transcript records the result of each.
  func work(_ steps: [StackStep], _ transcript: StackTranscript) -> [StackWork] {
    steps.flatMap { step in
      switch step {
      case .perform(let closure): return inner(closure, transcript)
      case .saveAll:
        return [
          StackWork(step.name) { context in
            transcript.results.append(StackResult())
            context.stack.callSave()
            return []
          }
        ]
      default:
        return [
          StackWork(step.name) { [self] context in
            let result = try session.undoing { try take(step, context) }
            transcript.results.append(result)
            return []
          }
        ]
      }
    }
  }

  /// A closure on a queue that the outer closure waits for.
  private func inner(_ closure: StackClosure, _ transcript: StackTranscript) -> [StackWork] {
    let inner = StackTranscript()
    return [
      StackWork("perform") { [self] context in
        let queue = try Self.publicQueue(closure.queue)
        let work = work(closure.steps, inner)
        if closure.saves {
          context.stack.callWaitAndSave(work, on: queue)
        } else {
          context.stack.callAndWait(work, on: queue)
        }
        return []
      },
      StackWork("performed") { _ in
        transcript.results.append(StackResult(results: inner.results))
        return []
      },
    ]
  }

  /// An uninterrupted step.
  private func take(_ step: StackStep, _ context: QueuedContext) throws -> StackResult {
    switch step {
    case .insert(let id, let entity, let values):
      let values = try session.values(values ?? [:], of: entity)
      try context.insertObject(entityName: entity, id: id) { try $0.set(values) }
    case .change(let id, let values):
      let entity = try context.context.object(id).entity
      try context.context.set(try session.values(values, of: entity), of: id)
    case .delete(let id): try context.context.delete(id)
    case .find(let fetch):
      let request = try ContextError.ofStore { () throws(StoreError) in try objects.request(fetch) }
      return StackResult(
        objects: try encoded(
          try context.findEntities(
            entityName: fetch.entity, predicate: request.predicate, sortDescriptors: request.sort)))
    case .findAll(let entity):
      return StackResult(objects: try encoded(try context.findAll(entityName: entity)))
    case .findOrInsert(let entity, let key, let value, let id, let values):
      return try findOrInsert(
        entity, key, value: value, id: id, values: values ?? [:], context: context)
    case .save:
      return StackResult(changes: SavedChanges(try context.stack.saveContext(context.queue)))
    case .saveAll, .perform: break
    }
    return StackResult()
  }

  private func findOrInsert(
    _ entity: JSONString, _ key: JSONString, value: JSONValue, id: ObjectID,
    values: JSONValue,
    context: QueuedContext
  ) throws -> StackResult {
    let wanted = try session.values(.object([key: value]), of: entity)[key] ?? .none
    let set = try session.values(values, of: entity)
    var handled: [ObjectID] = []
    let request = FindOrInsert(entity, where: key, equals: PredicateValue(wanted), id: id) {
      handled.append($0.id)
      try $0.set(set)
    }
    let found = try context.findOrInsert(request)
    return StackResult(objects: try encoded(found), handled: handled)
  }

  private func encoded(_ found: [LiveObject]) throws(ContextError) -> [JSONValue] {
    var objects: [JSONValue] = []
    for object in found { objects.append(session.encoded(try object.context.object(object.id))) }
    return objects
  }
}

extension PredicateValue {
  /// The constant that is equal to this value of a property.
  fileprivate init(_ value: PropertyValue) {
    switch value {
    case .none, .toMany: self = .none
    case .toOne(let id): self = .object(id)
    case .attribute(let value):
      switch value {
      case .text(let text), .identifier(let text): self = .text(text)
      case .bool(let value): self = .bool(value)
      case .date(let seconds): self = .date(seconds)
      case .integer(let value): self = .integer(value)
      case .double(let value): self = .double(value)
      case .float(let value): self = .double(Double(value))
      case .decimal(let value): self = .decimal(value)
      case .bytes: self = .none
      }
    }
  }

  /// The value of a property as encoded in calls.
  var json: JSONValue {
    switch self {
    case .none: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .double(let value), .date(let value): .double(value)
    case .decimal(let value): .text("\(value)")
    case .text(let text): .string(text)
    case .object(let id): id.json
    }
  }
}
