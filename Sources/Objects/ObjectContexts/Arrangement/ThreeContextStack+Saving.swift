internal import Datastore
internal import JSON
internal import ObjectMapping

// Saving: the main context, the background context, the writer.

extension ThreeContextStack {
  /// Called with each saved context.
  public typealias ContextSaved = (StackQueue, SaveNotification) -> Void

  /// Saves all contexts one after the other, each on its queue; the completion is called on the
  /// main queue.
  ///
  /// The save stops at the first failure. It includes all changes of a context at the time of its
  /// turn, independent of their origin.
  ///
  /// Source: the guide of DataStore, "Example"; the product behaves in this way.
  public func save(completion: ((ContextError?) -> Void)? = nil) {
    beginSave(Saving(completion: completion))
  }

  /// Saves all contexts, and reports each of them.
  public func save(
    onContextSave told: @escaping ContextSaved, completion: ((ContextError?) -> Void)? = nil
  ) {
    beginSave(Saving(told: told, completion: completion))
  }

  /// Saves all contexts, and waits until all are saved or one has failed.
  ///
  /// Merges into the siblings may still be enqueued afterwards.
  public func saveAndWait(onContextSave told: ContextSaved? = nil) throws(ContextError) {
    try waiting("saveAndWait") { stack in stack.callSave(told) }
  }

  /// Makes a save of all contexts the next call on the running queue.
  package func callSave(_ told: ContextSaved? = nil) {
    let pieces = Self.saved.map { queue in
      QueuePiece(JSONString("request the save of \(queue.rawValue)")) { stack in
        stack.enqueueAndWait(
          QueueFrame(JSONString("save \(queue.rawValue)"), [Self.savePiece(queue, told)]), on: queue
        )
      }
    }
    call(QueueFrame("saveAndWait", pieces))
  }

  /// The contexts in the order of the save.
  private static let saved: [StackQueue] = [.main, .background, .writer]

  /// An asynchronous save of all contexts.
  struct Saving {
    /// The name of the block that it belongs to.
    var name: JSONString = "save"
    var told: ContextSaved?
    /// The operation that it completes.
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
    // A context without changes does not access the writer.
    QueuePiece(
      JSONString("save \(queue.rawValue)"), needsWriter: { $0.context(queue).hasChanges }
    ) { stack throws(ContextError) in
      let notification = try stack.saveContext(queue)
      told?(queue, notification)
    }
  }

  /// Saves one context; its sibling then merges the saved changes.
  package func saveContext(_ queue: StackQueue) throws(ContextError) -> SaveNotification {
    let context = context(queue)
    do throws(ContextError) {
      let notification = try context.save()
      events.append(.saved(queue, notification))
      // A save without changes may post no notification.
      if let sibling = queue.sibling, context.state.events.contains(.didSave) {
        enqueueMerge(of: notification, from: queue, into: sibling)
      }
      return notification
    } catch {
      let failure = error.on(queue)
      events.append(.failed(queue, failure))
      throw failure
    }
  }

  /// Enqueues the merge on the queue of the sibling, after all its other blocks.
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
  /// The saved objects in messages; empty for an empty notification.
  fileprivate var words: String {
    let parts = [("inserted", inserted), ("updated", updated), ("deleted", deleted)]
      .filter { !$0.1.isEmpty }
      .map { word, ids in "\(word) " + ids.map { $0.text.string }.joined(separator: ", ") }
    return parts.isEmpty ? "" : ": " + parts.joined(separator: "; ")
  }
}
