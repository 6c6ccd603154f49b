internal import Datastore
internal import JSON
internal import ObjectContexts
internal import ObjectMapping

/// A stack of the contract: operations by number, and the events since the last call.
final class StackSession {
  let stack: ThreeContextStack
  unowned let session: ContextSession
  let objects: ObjectDatastore
  /// The number of operations so far.
  private var count: Int64 = 0
  private var happenings: [StackHappening] = []
  /// The number of warnings reported so far.
  private var warned = 0

  init(_ stack: ThreeContextStack, in session: ContextSession, _ objects: ObjectDatastore) {
    self.stack = stack
    self.session = session
    self.objects = objects
  }

  /// The queue of a public context.
  func queue(of context: ManagedObjectContext) -> StackQueue? {
    context === stack.mainContext
      ? .main : context === stack.backgroundContext ? .background : nil
  }

  // MARK: Operations

  func perform(_ closure: StackClosure, _ call: StackCall) throws(ContextError) -> StackAnswer {
    let queue = try Self.publicQueue(closure.queue)
    count += 1
    let operation = count
    let transcript = StackTranscript()
    var work = self.work(closure.steps, transcript)
    work.append(
      StackWork("end of the closure") { [self] _ in
        transcript.isComplete = true
        tell(
          StackHappening(
            .ran, on: JSONString(queue.rawValue), operation: operation, results: transcript.results)
        )
        return []
      })
    func failed(_ error: ContextError) {
      tell(
        StackHappening(
          .ran, on: JSONString(queue.rawValue), operation: operation, error: error.asDatastoreError)
      )
    }
    guard call == .waits else {
      if closure.saves {
        stack.performAndSave(
          work, on: queue, completion: completion(operation, call), failed: failed)
      } else {
        stack.perform(work, on: queue, failed: failed)
      }
      return .begun(operation)
    }
    do throws(ContextError) {
      try stack.waiting("performInStack") { stack in
        if closure.saves {
          stack.callWaitAndSave(work, on: queue)
        } else {
          stack.callAndWait(work, on: queue)
        }
      }
    } catch {
      if case .deadlock = error.reason { throw error }
      if !transcript.isComplete { failed(error) }
      throw error
    }
    return .performed(operation, transcript.results)
  }

  func save(_ call: StackCall) throws(ContextError) -> Int64 {
    count += 1
    if call == .waits {
      try stack.saveAndWait()
    } else if let completion = completion(count, call) {
      stack.save { completion(QueuedContext(self.stack, .main, operation: nil), $0) }
    } else {
      stack.save()
    }
    return count
  }

  private func completion(
    _ operation: Int64, _ call: StackCall
  ) -> ThreeContextStack.ContextCompletion? {
    guard call == .completes else { return nil }
    return { [self] _, error in
      let queue = stack.running.last ?? .caller
      tell(
        StackHappening(
          .completed, on: JSONString(queue.rawValue), operation: operation,
          error: error?.asDatastoreError))
    }
  }

  // MARK: Execution

  func run(_ name: JSONString?) throws(ContextError) -> StackNews {
    if let name {
      guard let queue = StackQueue(rawValue: name.string), queue != .caller else {
        throw Self.badQueue(name, known: "main, background, writer")
      }
      runBlock(of: queue)
    } else {
      while let queue = stack.readyQueues.first { runBlock(of: queue) }
      if !stack.waits.isEmpty { throw ContextError(.deadlock(stack.waits)) }
    }
    drain()
    defer {
      happenings = []
      warned = stack.warnings.count
    }
    return StackNews(
      events: happenings,
      warnings: stack.warnings.dropFirst(warned).compactMap { StackCaution($0) },
      ready: stack.readyQueues.map { JSONString($0.rawValue) },
      waits: stack.waits.map {
        StackWaiting(JSONString($0.queue.rawValue), for: JSONString($0.waitsFor.rawValue))
      })
  }

  /// Runs the next block of a queue to its end, or until it waits.
  private func runBlock(of queue: StackQueue) {
    let block = stack.blocks(of: queue).first?.number
    while block != nil, stack.blocks(of: queue).first?.number == block, stack.step(queue) {}
  }

  /// Appends an event, after those of the stack.
  private func tell(_ happening: StackHappening) {
    drain()
    happenings.append(happening)
  }

  private func drain() {
    happenings += stack.events.map { StackHappening($0) }
    stack.events = []
  }

  static func publicQueue(_ name: JSONString) throws(ContextError) -> StackQueue {
    switch name {
    case "main": return .main
    case "background": return .background
    default: throw badQueue(name, known: "main, background")
    }
  }

  private static func badQueue(_ name: JSONString, known: String) -> ContextError {
    ContextSession.badRequest("queue", message: "queue: '\(name)' is not one of \(known)")
      .on(.caller)
  }
}

/// The results of the steps of a closure so far.
final class StackTranscript {
  var results: [StackResult] = []
  /// Whether the closure ended without an error.
  var isComplete = false
}

extension StackHappening {
  fileprivate init(_ event: StackEvent) {
    switch event {
    case .saved(let queue, let notification):
      self.init(.saved, on: JSONString(queue.rawValue), changes: SavedChanges(notification))
    case .merged(let queue, let from, let notification):
      self.init(
        .merged, on: JSONString(queue.rawValue), from: JSONString(from.rawValue),
        changes: SavedChanges(notification))
    case .failed(let queue, let error):
      self.init(.failed, on: JSONString(queue.rawValue), error: error.asDatastoreError)
    }
  }
}

extension StackCaution {
  /// The use of a wrong queue is impossible, because closures receive only the context of their
  /// queue.
  fileprivate init?(_ warning: StackWarning) {
    guard case .sameData(let data) = warning else { return nil }
    switch data {
    case .object(let id): self.init(.object(id))
    case .value(let entity, let key, let value):
      self.init(.value(entity: entity, key: key, value.json))
    }
  }
}
