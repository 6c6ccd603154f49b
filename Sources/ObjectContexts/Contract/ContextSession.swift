internal import Datastore
internal import JSON
internal import ObjectMapping

/// The contexts on one open store of objects, by name.
final class ContextSession {
  let store: IncrementalStore
  private let cache: StoreCoordinatorCache
  private var contexts: [Text: ManagedObjectContext] = [:]

  init(_ store: IncrementalStore) throws(StoreError) {
    self.store = store
    cache = StoreCoordinatorCache(store)
    do throws(ContextError) { try cache.takeCensus() } catch {
      if case .store(let error) = error.reason { throw error }
    }
  }

  func open(
    _ name: Text, parent: Text?, policy: Text?, options: JSONValue?
  ) throws(ContextError) {
    guard contexts[name] == nil else {
      throw ContextError(
        .store(StoreError(.datastore(nil, DatastoreError(.conflict)), "there is a '\(name)'")))
    }
    let parent: ManagedObjectContext.Parent =
      if let parent { .context(try context(parent)) } else { .coordinator(cache) }
    contexts[name] = ManagedObjectContext(
      parent,
      policy: try policy.map { (name) throws(ContextError) in try self.policy(name) } ?? .error,
      options: try self.options(options))
  }

  func context(_ name: Text) throws(ContextError) -> ManagedObjectContext {
    guard let context = contexts[name] else {
      throw ContextError(
        .store(
          StoreError(
            .datastore(nil, DatastoreError(.badObject(what: "unknownContext", name: name))),
            "there is no context '\(name)'")))
    }
    return context
  }

  func policy(_ name: Text) throws(ContextError) -> MergePolicy {
    guard let policy = MergePolicy(named: name.string) else { throw Self.misspelt("policy") }
    return policy
  }

  static func misspelt(_ path: String) -> ContextError {
    ContextError(
      .store(
        StoreError(
          .datastore(nil, DatastoreError(.badRequest(path: path))), "\(path) is not understood")))
  }

  private func options(_ json: JSONValue?) throws(ContextError) -> ContextOptions {
    var options = ContextOptions()
    guard let json else { return options }
    do throws(DecodingFailure) {
      var reader = try ObjectReader(json, path: "options")
      func bool(_ name: Text, _ standard: Bool) throws(DecodingFailure) -> Bool {
        try reader.optionalBool(name) ?? standard
      }
      func choice<Choice: RawRepresentable<String>>(
        _ name: Text, _ standard: Choice
      ) throws(DecodingFailure) -> Choice {
        guard let text = try reader.optionalText(name) else { return standard }
        guard let choice = Choice(rawValue: text.string) else {
          throw DecodingFailure(path: "options.\(name)", message: "'\(text)' is no choice")
        }
        return choice
      }
      options = ContextOptions(
        postsOnEmptySave: try bool("postsOnEmptySave", options.postsOnEmptySave),
        mergedDeletionsAreChanges: try bool(
          "mergedDeletionsAreChanges", options.mergedDeletionsAreChanges),
        parentConflict: try choice("parentConflict", options.parentConflict),
        deletedInParent: try choice("deletedInParent", options.deletedInParent),
        recreatesDeleted: try bool("recreatesDeleted", options.recreatesDeleted),
        childrenStayTemporary: try bool("childrenStayTemporary", options.childrenStayTemporary))
      try reader.finish()
    } catch {
      throw Self.misspelt("options")
    }
    return options
  }
}
