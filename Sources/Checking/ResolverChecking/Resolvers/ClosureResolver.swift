internal import ConcurrentClients
internal import Datastore
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A resolver of this process: a closure in a thread of its own, with a time limit.
///
/// A closure that exceeds the limit keeps its thread until the process ends; the next call gets
/// another thread. A trap ends the process: only a resolver behind an adapter survives one.
final class ClosureResolver: ConflictResolver {
  private let body: @Sendable (DocumentConflict) throws -> ConflictResolution
  private let limit: Duration
  private var worker: Worker?

  init(
    limit: Duration, _ body: @escaping @Sendable (DocumentConflict) throws -> ConflictResolution
  ) {
    self.limit = limit
    self.body = body
  }

  func resolve(_ conflict: DocumentConflict) throws(HarnessError) -> ConflictResolution {
    let worker: Worker
    if let running = self.worker { worker = running } else { worker = try Worker.start(body) }
    self.worker = worker
    switch worker.answer(conflict, within: limit) {
    case .success(let resolution): return resolution
    case .failure(.thrown(let message)):
      throw HarnessError(
        "The resolver threw an error: \(message)",
        breakdown: .init(shape: "error", isProtocolError: false))
    case nil:
      self.worker = nil
      throw HarnessError(
        "The resolver did not answer within \(limit).",
        breakdown: .init(shape: "hang", isProtocolError: false))
    }
  }

  func close() {
    worker?.end()
    worker = nil
  }

  deinit { worker?.end() }
}

/// The thread of a closure: it receives one conflict after the other.
private final class Worker: @unchecked Sendable {
  enum Failure: Error {
    case thrown(String)
  }

  private enum State {
    case idle
    case asked(DocumentConflict)
    case working
    case answered(Result<ConflictResolution, Failure>)
    case ended
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Protected by `mutex`.
  private var state = State.idle

  private init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  static func start(
    _ body: @escaping @Sendable (DocumentConflict) throws -> ConflictResolution
  ) throws(HarnessError) -> Worker {
    let worker = Worker()
    let thread = WorkerThread { worker.run(body) }
    guard thread.isRunning else { throw HarnessError("cannot start a thread") }
    return worker
  }

  private func run(_ body: (DocumentConflict) throws -> ConflictResolution) {
    pthread_mutex_lock(mutex)
    while true {
      switch state {
      case .ended:
        pthread_mutex_unlock(mutex)
        return
      case .asked(let conflict):
        state = .working
        pthread_mutex_unlock(mutex)
        let answer: Result<ConflictResolution, Failure>
        do { answer = .success(try body(conflict)) } catch {
          answer = .failure(.thrown("\(error)"))
        }
        pthread_mutex_lock(mutex)
        guard case .working = state else { continue }
        state = .answered(answer)
        // A thread that is woken while the mutex is locked sleeps again at once.
        pthread_mutex_unlock(mutex)
        pthread_cond_broadcast(changed)
        pthread_mutex_lock(mutex)
      case .idle, .working, .answered: pthread_cond_wait(changed, mutex)
      }
    }
  }

  /// The answer; nil if the time has passed, after which the thread ends as soon as it can.
  func answer(
    _ conflict: DocumentConflict, within limit: Duration
  ) -> Result<ConflictResolution, Failure>? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    state = .asked(conflict)
    pthread_mutex_unlock(mutex)
    pthread_cond_broadcast(changed)
    pthread_mutex_lock(mutex)
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    let (seconds, attoseconds) = limit.components
    let nanoseconds = Int(end.tv_nsec) + Int(attoseconds / 1_000_000_000)
    end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    while true {
      if case .answered(let answer) = state {
        state = .idle
        return answer
      }
      guard pthread_cond_timedwait(changed, mutex, &end) == 0 else {
        if case .answered = state { continue }
        state = .ended
        return nil
      }
    }
  }

  func end() {
    pthread_mutex_lock(mutex)
    state = .ended
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }
}
