internal import Datastore
internal import JSON
internal import ObjectContexts
internal import ObjectMapping

/// The contexts on one open object store, by name.
final class ContextSession {
  let store: IncrementalStore
  let cache: StoreCoordinatorCache
  /// All contexts, including those of stacks.
  var contexts: [JSONString: ManagedObjectContext] = [:]
  /// The observed fetches by context and name.
  var observers: [JSONString: [JSONString: FetchedResultsController]] = [:]
  var stacks: [JSONString: StackSession] = [:]

  init(_ store: IncrementalStore) throws(StoreError) {
    self.store = store
    cache = StoreCoordinatorCache(store)
    do throws(ContextError) { try cache.tallyConflicts() } catch {
      if case .store(let error) = error.reason { throw error }
    }
  }

  func open(
    _ name: JSONString, parent: JSONString?, policy: JSONString?, options: JSONValue?
  ) throws(ContextError) {
    try refuseTaken(name)
    let parent: ManagedObjectContext.Parent =
      if let parent { .context(try context(parent)) } else { .coordinator(cache) }
    contexts[name] = ManagedObjectContext(
      parent,
      policy: try policy.map { (name) throws(ContextError) in try self.policy(name) } ?? .error,
      options: try self.options(options))
  }

  /// Performs an operation, or a step of one, that leaves no trace if it fails: objects that it read
  /// are not registered either. Only the report on a failed save or resolution remains.
  func undoing<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let all = Array(contexts.values) + stacks.values.map { $0.stack.writerContext }
    let before = all.map { $0.state }
    let (rows, tally) = (cache.rows, cache.tally)
    do throws(Failure) { return try body() } catch {
      for (context, state) in zip(all, before) {
        let report = context.state
        context.state = state
        context.state.keepReport(of: report)
      }
      (cache.rows, cache.tally) = (rows, tally)
      throw error
    }
  }

  /// Throws if a context with the name exists.
  func refuseTaken(_ name: JSONString) throws(ContextError) {
    guard contexts[name] == nil else {
      throw ContextError(
        .store(StoreError(.datastore(nil, DatastoreError(.conflict)), "'\(name)' already exists")))
    }
  }

  func context(_ name: JSONString) throws(ContextError) -> ManagedObjectContext {
    guard let context = contexts[name] else {
      throw ContextError(
        .store(
          StoreError(
            .datastore(nil, DatastoreError(.badObject(what: "unknownContext", name: name))),
            "unknown context '\(name)'")))
    }
    return context
  }

  func policy(_ name: JSONString) throws(ContextError) -> MergePolicy {
    guard let policy = MergePolicy(named: name.string) else {
      let known = MergePolicy.allCases.map { $0.name }.joined(separator: ", ")
      throw Self.badRequest("policy", message: "policy: '\(name)' is not one of \(known)")
    }
    return policy
  }

  static func badRequest(_ path: String, message: String) -> ContextError {
    ContextError(
      .store(
        StoreError(.datastore(nil, DatastoreError(.badRequest(path: path))), message)))
  }

  func options(_ json: JSONValue?) throws(ContextError) -> ContextOptions {
    var options = ContextOptions()
    guard let json else { return options }
    do throws(DecodingFailure) {
      var reader = try ObjectReader(json, path: "options")
      func bool(_ name: JSONString, _ standard: Bool) throws(DecodingFailure) -> Bool {
        try reader.optionalBool(name) ?? standard
      }
      options = ContextOptions(
        postsOnEmptySave: try bool("postsOnEmptySave", options.postsOnEmptySave),
        mergedDeletionsAreChanges: try bool(
          "mergedDeletionsAreChanges", options.mergedDeletionsAreChanges),
        parentConflict: try reader.optionalWord("parentConflict") ?? options.parentConflict,
        deletedInParent: try reader.optionalWord("deletedInParent") ?? options.deletedInParent,
        recreatesDeleted: try bool("recreatesDeleted", options.recreatesDeleted),
        childrenStayTemporary: try bool("childrenStayTemporary", options.childrenStayTemporary),
        keepsWinner: try bool("keepsWinner", options.keepsWinner))
      try reader.finish()
    } catch {
      throw Self.badRequest("options", message: error.description)
    }
    return options
  }
}

extension ObjectReader {
  /// A member whose text is one of a list; nil if it is absent.
  mutating func optionalWord<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: JSONString
  ) throws(DecodingFailure) -> Choice? {
    guard let text = try optionalText(name) else { return nil }
    guard let choice = Choice(rawValue: text.string) else {
      let known = Choice.allCases.map { $0.rawValue }.joined(separator: ", ")
      throw DecodingFailure(path: path(to: name), message: "'\(text)' is not one of \(known)")
    }
    return choice
  }
}
