internal import Datastore
internal import JSON
internal import ObjectContexts
internal import ObjectMapping

// Stacks by name, on an open object store.

extension ContextSession {
  func answer(
    _ action: StackAction, _ objects: ObjectDatastore
  ) throws(ContextError) -> StackAnswer {
    switch action {
    case .open(let name, let policy, let options):
      try open(stack: name, policy: policy, options: options, objects)
      return .done
    case .perform(let name, let closure, let call):
      return try stack(name).perform(closure, call)
    case .save(let name, let call): return .begun(try stack(name).save(call))
    case .run(let name, let queue): return .news(try stack(name).run(queue))
    case .reset(let name):
      try stack(name).stack.reset()
      return .done
    case .entity(let name, let prefix):
      return .entity(store.model.entityName(ofClass: name, withClassPrefix: prefix))
    }
  }

  private func stack(_ name: JSONString) throws(ContextError) -> StackSession {
    guard let stack = stacks[name] else {
      throw ContextError(
        .store(
          StoreError(
            .datastore(nil, DatastoreError(.badObject(what: "unknownStack", name: name))),
            "unknown stack '\(name)'")))
    }
    return stack
  }

  /// Creates a stack; its public contexts become contexts of the session, but the writer does not.
  private func open(
    stack name: JSONString, policy: JSONString?, options: JSONValue?, _ objects: ObjectDatastore
  ) throws(ContextError) {
    let names = (main: JSONString("\(name).main"), background: JSONString("\(name).background"))
    try refuseTaken(names.main)
    try refuseTaken(names.background)
    let options = try stackOptions(options)
    let stack = ThreeContextStack(
      over: cache,
      policy: try policy.map { (name) throws(ContextError) in try self.policy(name) } ?? .error,
      options: options.own, contextOptions: options.contexts, objects.host.environment)
    stacks[name] = StackSession(stack, in: self, objects)
    contexts[names.main] = stack.mainContext
    contexts[names.background] = stack.backgroundContext
  }

  /// Reads the options of the stack, and those of `openContext` for the two public contexts.
  private func stackOptions(
    _ json: JSONValue?
  ) throws(ContextError) -> (own: StackOptions, contexts: ContextOptions) {
    let own = StackOptions()
    guard let json else { return (own, ContextOptions()) }
    guard let object = json.objectValue else {
      let message = "options: expected an object, found \(json.kind)"
      throw Self.badRequest("options", message: message)
    }
    let names: Set<JSONString> = ["handledObjects", "saveFailure", "takesTurns"]
    let others = object.members.filter { !names.contains($0.name) }.map { ($0.name, $0.value) }
    let options = try self.options(.object(JSONObject(others)))
    do throws(DecodingFailure) {
      var reader = ObjectReader(object, path: "options")
      return (
        StackOptions(
          handledObjects: try reader.optionalWord("handledObjects") ?? own.handledObjects,
          saveFailure: try reader.optionalWord("saveFailure") ?? own.saveFailure,
          takesTurns: try reader.optionalBool("takesTurns") ?? own.takesTurns),
        options
      )
    } catch {
      throw Self.badRequest("options", message: error.description)
    }
  }

  /// Saves a context; the save of a context of a stack is observed by its stack.
  func save(
    _ name: JSONString, _ context: ManagedObjectContext
  ) throws(ContextError) -> SaveNotification {
    for stack in stacks.values {
      guard let queue = stack.queue(of: context) else { continue }
      return try stack.stack.saveContext(queue)
    }
    return try context.save()
  }
}
