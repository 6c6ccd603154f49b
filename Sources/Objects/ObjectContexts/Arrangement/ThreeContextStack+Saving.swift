internal import Datastore
internal import JSON
internal import ObjectMapping

// Saving: the main context, the background context, the writer.

extension ThreeContextStack {
  /// Told of each context that was saved.
  public typealias ContextSaved = (StackQueue, SaveNotification) -> Void

  /// Saves all contexts, one after the other, each on its queue; the completion is called on the main
  /// queue.
  ///
  /// It stops at the first that fails. What the contexts hold when their turn comes is saved, whoever
  /// changed it.
  ///
  /// Source: the guide of DataStore, "Example"; the product has it so.
  public func save(completion: ((ContextError?) -> Void)? = nil) {
    beginSave(Saving(completion: completion))
  }

  /// Saves all contexts, and tells of each.
  public func save(
    onContextSave told: @escaping ContextSaved, completion: ((ContextError?) -> Void)? = nil
  ) {
    beginSave(Saving(told: told, completion: completion))
  }

  /// Saves all contexts, and returns when that is done, or one has failed.
  ///
  /// Merges into the siblings may still be waiting on their queues.
  public func saveAndWait(onContextSave told: ContextSaved? = nil) throws(ContextError) {
    try waiting("saveAndWait") { stack in stack.callSave(told) }
  }

  /// Makes a save of all contexts the next call on the running queue.
  package func callSave(_ told: ContextSaved? = nil) {
    let pieces = Self.saved.map { queue in
      QueuePiece(JSONString("asks for the save of \(queue.rawValue)")) { stack in
        stack.enqueueAndWait(
          QueueFrame(JSONString("save \(queue.rawValue)"), [Self.savePiece(queue, told)]), on: queue
        )
      }
    }
    call(QueueFrame("saveAndWait", pieces))
  }

  /// The contexts in the order in which they are saved.
  private static let saved: [StackQueue] = [.main, .background, .writer]

  /// A save of all contexts that nobody waits for.
  struct Saving {
    /// What it belongs to.
    var name: JSONString = "save"
    var told: ContextSaved?
    /// The operation that it ends.
    var operation: Int?
    var completion: ((ContextError?) -> Void)?
  }

  func beginSave(_ saving: Saving) { save(Self.saved[...], saving) }

  private func save(_ rest: ArraySlice<StackQueue>, _ saving: Saving) {
    guard let queue = rest.first else { return finish(saving, nil) }
    if saving.operation == turns.first?.operation, !turns.isEmpty { turns[0].queue = queue }
    let piece = Self.savePiece(queue, saving.told)
    enqueue(
      QueueFrame(JSONString("save \(queue.rawValue)"), [piece]) { stack, error in
        let isUnheard = stack.options.saveFailure == .goesOnUnheard && saving.completion == nil
        if let error, !isUnheard {
          stack.finish(saving, error)
        } else {
          stack.save(rest.dropFirst(), saving)
        }
        return nil
      }, on: queue)
  }

  func finish(_ saving: Saving, _ error: ContextError?) {
    if let operation = saving.operation { end(operation) }
    guard let completion = saving.completion else { return }
    let name = JSONString("completion of \(saving.name)")
    enqueue(QueueFrame(name, [QueuePiece(name) { _ in completion(error) }]), on: .main)
  }

  private static func savePiece(_ queue: StackQueue, _ told: ContextSaved?) -> QueuePiece {
    // A context without changes has nothing to say to the writer.
    QueuePiece(
      JSONString("save \(queue.rawValue)"), needsWriter: { $0.context(queue).hasChanges }
    ) { stack throws(ContextError) in
      let notification = try stack.saveContext(queue)
      told?(queue, notification)
    }
  }

  /// Saves one context; its sibling is to merge what it saved.
  package func saveContext(_ queue: StackQueue) throws(ContextError) -> SaveNotification {
    let context = context(queue)
    do throws(ContextError) {
      let notification = try context.save()
      events.append(.saved(queue, notification))
      if let sibling = queue.sibling, !notification.isEmpty || context.options.postsOnEmptySave {
        enqueueMerge(of: notification, from: queue, into: sibling)
      }
      return notification
    } catch {
      let failure = error.on(queue)
      events.append(.failed(queue, failure))
      throw failure
    }
  }

  /// Puts the merge on the queue of the sibling, behind all that waits there.
  ///
  /// Source: the guide of DataStore, "Concurrency Approach".
  private func enqueueMerge(
    of notification: SaveNotification, from queue: StackQueue, into sibling: StackQueue
  ) {
    let name = JSONString("merge into \(sibling.rawValue)\(notification.words)")
    let piece = QueuePiece(name, needsWriter: { _ in !notification.isEmpty }) {
      stack throws(ContextError) in
      do throws(ContextError) { try stack.context(sibling).merge(notification) } catch {
        throw error.on(sibling)
      }
      stack.events.append(.merged(sibling, from: queue, notification))
    }
    enqueue(
      QueueFrame(name, [piece]) { stack, error in
        if let error { stack.events.append(.failed(sibling, error)) }
        return nil
      }, on: sibling)
  }
}

extension SaveNotification {
  /// What was saved, in words; nothing for an empty one.
  fileprivate var words: String {
    let parts = [("inserted", inserted), ("updated", updated), ("deleted", deleted)]
      .filter { !$0.1.isEmpty }
      .map { word, ids in "\(word) " + ids.map { $0.text.string }.joined(separator: ", ") }
    return parts.isEmpty ? "" : ": " + parts.joined(separator: "; ")
  }
}
