package import JSON

// Closures on the two queues, with the names of the guide.

extension ThreeContextStack {
  /// Work of an application on one of the contexts.
  public typealias ContextClosure = (QueuedContext) throws -> Void
  /// Called at the end of a save, with the context of the closure.
  public typealias ContextCompletion = (QueuedContext, ContextError?) -> Void

  // MARK: Main queue

  /// Enqueues a closure on the main queue.
  public func performClosure(_ closure: @escaping ContextClosure) {
    perform([StackWork(closure)], on: .main)
  }

  /// Enqueues a closure on the main queue, followed by a save of all contexts.
  ///
  /// - Parameter completion: called on the main queue after the save or a failure.
  public func performClosureAndSave(
    _ closure: @escaping ContextClosure, completion: ContextCompletion? = nil
  ) {
    performAndSave([StackWork(closure)], on: .main, completion: completion)
  }

  /// Runs a closure on the main queue and waits for its end.
  public func performClosureAndWait(_ closure: @escaping ContextClosure) throws(ContextError) {
    try waiting("performClosureAndWait") { stack in
      stack.callAndWait([StackWork(closure)], on: .main)
    }
  }

  /// Runs a closure on the main queue, saves all contexts, and waits for the end of the save.
  public func performClosureWaitAndSave(_ closure: @escaping ContextClosure) throws(ContextError) {
    try waiting("performClosureWaitAndSave") { stack in
      stack.callWaitAndSave([StackWork(closure)], on: .main)
    }
  }

  // MARK: Background queue

  /// Enqueues a closure on the background queue.
  public func performBackgroundClosure(_ closure: @escaping ContextClosure) {
    perform([StackWork(closure)], on: .background)
  }

  /// Enqueues a closure on the background queue, followed by a save of all contexts.
  ///
  /// - Parameter completion: called on the main queue, with the background context, which must not
  ///   be used there.
  public func performBackgroundClosureAndSave(
    _ closure: @escaping ContextClosure, completion: ContextCompletion? = nil
  ) {
    performAndSave([StackWork(closure)], on: .background, completion: completion)
  }

  /// Runs a closure on the background queue and waits for its end.
  public func performBackgroundClosureAndWait(
    _ closure: @escaping ContextClosure
  ) throws(ContextError) {
    try waiting("performBackgroundClosureAndWait") { stack in
      stack.callAndWait([StackWork(closure)], on: .background)
    }
  }

  /// Runs a closure on the background queue, saves all contexts, and waits for the end of the save.
  public func performBackgroundClosureWaitAndSave(
    _ closure: @escaping ContextClosure
  ) throws(ContextError) {
    try waiting("performBackgroundClosureWaitAndSave") { stack in
      stack.callWaitAndSave([StackWork(closure)], on: .background)
    }
  }

  // MARK: In pieces

  /// Called with the error that ended work on a queue; without it the error becomes an event.
  package typealias WorkFailed = (ContextError) -> Void

  /// Enqueues work on a queue.
  package func perform(
    _ work: [StackWork], on queue: StackQueue, named name: JSONString = "closure",
    failed: WorkFailed? = nil
  ) {
    enqueue(
      QueueFrame(name, work.map { $0.piece(on: queue, of: nil) }) { stack, error in
        if let error { stack.tell(failed, of: error, on: queue) }
        return nil
      }, on: queue)
  }

  private func tell(_ failed: WorkFailed?, of error: ContextError, on queue: StackQueue) {
    if let failed { failed(error) } else { events.append(.failed(queue, error)) }
  }

  /// Enqueues work on a queue, followed by a save of all contexts.
  package func performAndSave(
    _ work: [StackWork], on queue: StackQueue, named name: JSONString = "closure",
    completion: ContextCompletion? = nil, failed: WorkFailed? = nil
  ) {
    let operation = sharedData.number()
    let context = QueuedContext(self, queue, operation: operation)
    let saving = Saving(
      name: name, operation: operation,
      completion: completion.map { completion in { completion(context, $0) } })
    func begin(_ stack: ThreeContextStack) {
      stack.sharedData.begin(operation, on: queue)
      stack.enqueue(
        QueueFrame(name, work.map { $0.piece(on: queue, of: operation) }) { stack, error in
          if let error {
            stack.tell(failed, of: error, on: queue)
            stack.finish(saving, error)
          } else {
            context.recordChanges()
            stack.beginSave(saving)
          }
          return nil
        }, on: queue)
    }
    guard options.takesTurns else { return begin(self) }
    turns.append(Turn(operation: operation, queue: queue, begin: begin))
    if turns.count == 1 { begin(self) }
  }

  /// Makes work on a queue the next call of the running one.
  package func callAndWait(_ work: [StackWork], on queue: StackQueue) {
    enqueueAndWait(
      QueueFrame("closure", work.map { $0.piece(on: queue, of: nil) }), on: queue)
  }

  /// Makes work on a queue, followed by a save of all contexts, the next call of the running queue.
  package func callWaitAndSave(_ work: [StackWork], on queue: StackQueue) {
    let operation = sharedData.number()
    var pieces = [
      QueuePiece("closure") { stack in
        stack.sharedData.begin(operation, on: queue)
        stack.enqueueAndWait(
          QueueFrame("closure", work.map { $0.piece(on: queue, of: operation) }), on: queue)
      },
      QueuePiece("save") { stack in
        QueuedContext(stack, queue, operation: operation).recordChanges()
        stack.callSave()
      },
    ]
    if options.takesTurns {
      turns.append(Turn(operation: operation, queue: running.last ?? .caller, begin: nil))
      pieces.insert(QueuePiece(turnOf: operation), at: 0)
    }
    call(
      QueueFrame("closure and save", pieces) { stack, error in
        stack.end(operation)
        return error
      })
  }

  /// Ends an operation with a save, successfully or not.
  func end(_ operation: Int) {
    sharedData.end(operation)
    guard let place = turns.firstIndex(where: { $0.operation == operation }) else { return }
    turns.remove(at: place)
    if place == 0 { turns.first?.begin?(self) }
  }
}
