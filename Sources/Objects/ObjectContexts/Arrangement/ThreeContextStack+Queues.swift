package import JSON

// Queues as lists of blocks.

extension ThreeContextStack {
  // MARK: Ready queues

  /// Queues with a next piece that is not blocked, in their order.
  public var readyQueues: [StackQueue] {
    StackQueue.allCases.filter { isReady($0) }
  }

  /// The blocked queues with the queues that block them.
  public var waits: [QueueWait] { StackQueue.allCases.compactMap { wait(of: $0) } }

  /// Whether every queue with work is blocked.
  public var isDeadlocked: Bool { readyQueues.isEmpty && !waits.isEmpty }

  /// The number of blocks of a queue, including the current one.
  public func count(of queue: StackQueue) -> Int { queues[queue.place].count }

  /// Whether a queue has a next piece, is not blocked, and is not running one.
  private func isReady(_ queue: StackQueue) -> Bool {
    guard let frame = queues[queue.place].first?.frames.last else { return false }
    return !frame.isRunning && wait(of: queue) == nil
  }

  /// The reason for which a queue is blocked; nil if it is ready or idle.
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
      // A child accesses the writer on the writer's queue, but not during a block of it.
      guard queue != .writer, queues[StackQueue.writer.place].first?.isBegun ?? false,
        piece.needsWriter(self)
      else { return nil }
      return QueueWait(queue, doing: piece.name, waitsFor: .writer)
    }
  }

  // MARK: Execution

  /// Runs the next piece of a queue; returns false if it is idle, blocked, or running one.
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

  /// Runs all queues, always the first ready one, until no work is left.
  public func run() throws(ContextError) {
    while let queue = readyQueues.first { step(queue) }
    if !waits.isEmpty { throw ContextError(.deadlock(waits)) }
  }

  /// Removes the next piece of a queue.
  private func next(_ queue: StackQueue) -> QueuePiece? {
    let depth = queues[queue.place][0].frames.count - 1
    guard !queues[queue.place][0].frames[depth].pieces.isEmpty else { return nil }
    return queues[queue.place][0].frames[depth].pieces.removeFirst()
  }

  /// Returns from calls without further pieces, or ends them with an error.
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
    guard let error else { return settle(waiter, nil) }
    // The call that waited fails when its queue runs next.
    let depth = queues[waiter.place][0].frames.count - 1
    let piece = QueuePiece(queues[waiter.place][0].frames[depth].name) {
      _ throws(ContextError) in throw error
    }
    queues[waiter.place][0].frames[depth].pieces.insert(piece, at: 0)
  }

  /// Ends the inner calls of a queue with an error; their callers no longer wait.
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

  // MARK: Enqueueing

  /// Appends a block to a queue.
  func enqueue(_ frame: QueueFrame, on queue: StackQueue, waiter: StackQueue? = nil) {
    blockCount += 1
    queues[queue.place].append(QueueBlock(blockCount, frame, waiter: waiter))
  }

  /// Appends a block to a queue; its pieces run in order.
  package func enqueue(_ name: JSONString, on queue: StackQueue, _ pieces: [QueuePiece]) {
    enqueue(QueueFrame(name, pieces), on: queue)
  }

  /// Enqueues a block and makes the running queue wait for it; on the running queue itself it
  /// becomes the next call.
  ///
  /// Source: Core Data, `performAndWait`; it can be called on the context's own queue.
  func enqueueAndWait(_ frame: QueueFrame, on queue: StackQueue) {
    let caller = running.last ?? .caller
    guard caller != queue else { return call(frame) }
    let depth = queues[caller.place][0].frames.count - 1
    queues[caller.place][0].frames[depth].pieces.insert(QueuePiece(waitingFor: queue), at: 0)
    enqueue(frame, on: queue, waiter: caller)
  }

  /// Makes a call the next one on the running queue.
  func call(_ frame: QueueFrame) {
    let caller = running.last ?? .caller
    queues[caller.place][0].frames.append(frame)
  }

  /// Inserts pieces before all others of the running queue.
  func goOn(with pieces: [QueuePiece]) {
    let caller = running.last ?? .caller
    let depth = queues[caller.place][0].frames.count - 1
    queues[caller.place][0].frames[depth].pieces.insert(contentsOf: pieces, at: 0)
  }

  // MARK: Waiting

  /// Makes a call and runs other queues until it has returned; throws on a deadlock.
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

  /// The chain of queues that block a queue, each once.
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
