package import JSON

// Queues as lists of blocks.

extension ThreeContextStack {
  // MARK: Who can go on

  /// Queues with something to do that is not waiting, in their order.
  public var readyQueues: [StackQueue] {
    StackQueue.allCases.filter { isReady($0) }
  }

  /// Who waits for whom; empty for nobody.
  public var waits: [QueueWait] { StackQueue.allCases.compactMap { wait(of: $0) } }

  /// Whether all that is left to do waits for each other.
  public var isDeadlocked: Bool { readyQueues.isEmpty && !waits.isEmpty }

  /// How many blocks a queue has, the one that it is in the middle of as well.
  public func count(of queue: StackQueue) -> Int { queues[queue.place].count }

  /// Whether a queue has something to do, waits for nobody, and is not in the middle of a piece.
  private func isReady(_ queue: StackQueue) -> Bool {
    guard let frame = queues[queue.place].first?.frames.last else { return false }
    return !frame.isRunning && wait(of: queue) == nil
  }

  /// What a queue waits for; nil when it can go on, or has nothing to do.
  private func wait(of queue: StackQueue) -> QueueWait? {
    guard let frame = queues[queue.place].first?.frames.last, let piece = frame.pieces.first else {
      return nil
    }
    switch piece.kind {
    case .wait(let other): return QueueWait(queue, doing: frame.name, waitsFor: other)
    case .turn(let operation):
      guard let first = turns.first, first.operation != operation else { return nil }
      return QueueWait(queue, doing: frame.name, waitsFor: first.queue)
    case .work:
      // A child asks the writer on the writer's queue, and not in the middle of a block of it.
      guard queue != .writer, queues[StackQueue.writer.place].first?.isBegun ?? false,
        piece.needsWriter(self)
      else { return nil }
      return QueueWait(queue, doing: piece.name, waitsFor: .writer)
    }
  }

  // MARK: Running

  /// Runs the next piece of a queue; false when it has none, waits, or is running one.
  @discardableResult
  public func step(_ queue: StackQueue) -> Bool {
    guard isReady(queue) else { return false }
    queues[queue.place][0].isBegun = true
    let depth = queues[queue.place][0].frames.count - 1
    guard case .work(let work)? = next(queue)?.kind else {
      settle(queue, nil)
      return true
    }
    queues[queue.place][0].frames[depth].isRunning = true
    running.append(queue)
    var failure: ContextError?
    do throws(ContextError) { try work(self) } catch { failure = error }
    running.removeLast()
    if let failure { end(queue, to: depth + 1, failure) }
    queues[queue.place][0].frames[depth].isRunning = false
    settle(queue, failure)
    return true
  }

  /// Runs all queues, always the first that can go on, until nothing is left to do.
  public func run() throws(ContextError) {
    while let queue = readyQueues.first { step(queue) }
    if !waits.isEmpty { throw ContextError(.deadlock(waits)) }
  }

  /// Takes the next piece of a queue away.
  private func next(_ queue: StackQueue) -> QueuePiece? {
    let depth = queues[queue.place][0].frames.count - 1
    guard !queues[queue.place][0].frames[depth].pieces.isEmpty else { return nil }
    return queues[queue.place][0].frames[depth].pieces.removeFirst()
  }

  /// Lets calls return that have nothing left to do, or end with an error.
  private func settle(_ queue: StackQueue, _ error: ContextError?) {
    var error = error
    while let frame = queues[queue.place].first?.frames.last {
      guard !frame.isRunning, error != nil || frame.pieces.isEmpty else { return }
      queues[queue.place][0].frames.removeLast()
      error = frame.end(self, error)
    }
    guard !queues[queue.place].isEmpty else { return }
    let block = queues[queue.place].removeFirst()
    guard let waiter = block.waiter else { return }
    _ = next(waiter)
    settle(waiter, error)
  }

  /// Ends the inner calls of a queue with an error; nobody waits any more for what they waited for.
  private func end(_ queue: StackQueue, to depth: Int, _ error: ContextError) {
    for other in queues.indices {
      for place in queues[other].indices where queues[other][place].waiter == queue {
        queues[other][place].waiter = nil
      }
    }
    while queues[queue.place][0].frames.count > depth {
      let frame = queues[queue.place][0].frames.removeLast()
      _ = frame.end(self, error)
    }
  }

  // MARK: Putting work on queues

  /// Puts a block at the end of a queue.
  func enqueue(_ frame: QueueFrame, on queue: StackQueue, waiter: StackQueue? = nil) {
    blockCount += 1
    queues[queue.place].append(QueueBlock(blockCount, frame, waiter: waiter))
  }

  /// Puts a block at the end of a queue; the pieces run in order.
  package func enqueue(_ name: JSONString, on queue: StackQueue, _ pieces: [QueuePiece]) {
    enqueue(QueueFrame(name, pieces), on: queue)
  }

  /// Puts a block on a queue and lets the running one wait for it; on the queue itself it is next.
  ///
  /// Source: Core Data, `performAndWait`; it can be called on the context's own queue.
  func enqueueAndWait(_ frame: QueueFrame, on queue: StackQueue) {
    let caller = running.last ?? .caller
    guard caller != queue else { return call(frame) }
    let depth = queues[caller.place][0].frames.count - 1
    queues[caller.place][0].frames[depth].pieces.insert(QueuePiece(waitingFor: queue), at: 0)
    enqueue(frame, on: queue, waiter: caller)
  }

  /// Makes a call next on the running queue.
  func call(_ frame: QueueFrame) {
    let caller = running.last ?? .caller
    queues[caller.place][0].frames.append(frame)
  }

  /// What the running queue does next, before all that it has to do.
  func goOn(with pieces: [QueuePiece]) {
    let caller = running.last ?? .caller
    let depth = queues[caller.place][0].frames.count - 1
    queues[caller.place][0].frames[depth].pieces.insert(contentsOf: pieces, at: 0)
  }

  // MARK: Waiting

  /// Makes a call and runs what it waits for until it has returned; throws when that cannot be.
  package func waiting(
    _ name: JSONString, _ work: @escaping (ThreeContextStack) throws(ContextError) -> Void
  ) throws(ContextError) {
    let caller = running.last ?? .caller
    let isOutside = running.isEmpty
    if isOutside {
      var block = QueueBlock(0, QueueFrame("application", []))
      block.frames[0].isRunning = true
      block.isBegun = true
      queues[caller.place].insert(block, at: 0)
    }
    defer { if isOutside { queues[caller.place].removeFirst() } }
    let depth = queues[caller.place][0].frames.count
    let outcome = Outcome()
    queues[caller.place][0].frames.append(
      QueueFrame(name, [QueuePiece(name, work)]) { _, error in
        outcome.error = error
        return nil
      })
    while queues[caller.place][0].frames.count > depth {
      let chain = waits(from: caller)
      guard let last = chain.last else {
        step(caller)
        continue
      }
      guard isReady(last.waitsFor) else {
        let deadlock = ContextError(.deadlock(chain))
        end(caller, to: depth, deadlock)
        throw deadlock
      }
      step(last.waitsFor)
    }
    if let error = outcome.error { throw error }
  }

  private final class Outcome {
    var error: ContextError?
  }

  /// Whom a queue waits for, whom that one waits for, and so on, each once.
  private func waits(from queue: StackQueue) -> [QueueWait] {
    var chain: [QueueWait] = []
    var queue = queue
    while let wait = wait(of: queue), !chain.contains(wait) {
      chain.append(wait)
      queue = wait.waitsFor
    }
    return chain
  }
}
