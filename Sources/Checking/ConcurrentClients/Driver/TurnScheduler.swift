internal import Datastore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Lets one of several threads run at a time, and chooses the next one at each pause.
///
/// The choices follow from a list or a seed, so that a run can be repeated exactly. A thread must not
/// pause while it holds a lock that another one waits for.
package final class TurnScheduler: @unchecked Sendable {
  /// Which thread runs next.
  package enum Policy: Sendable {
    /// The choices of a seed.
    case random(seed: UInt64)
    /// At each pause the place of the next thread among those that can run, the current one first;
    /// 0 after the end of the list.
    case list([Int])
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var random: RandomGenerator
  private var list: [Int]?
  /// The threads that have not ended, by their numbers.
  private var running: [Int]
  private var current: Int
  private var arrived = 0
  private var total: Int
  /// The choices so far: the place that was chosen, the number of places, and the state before.
  private var log: [(chosen: Int, count: Int, state: UInt64)] = []
  /// A hash of the state at a pause, without the thread whose turn it is; called under the lock.
  private let state: (@Sendable () -> UInt64)?

  /// - Parameters:
  ///   - threads: the numbers of the threads; the first one begins.
  ///   - state: a hash of the state at a pause; nil if it is not needed.
  package init(_ policy: Policy, threads: [Int], state: (@Sendable () -> UInt64)? = nil) {
    self.state = state
    running = threads
    total = threads.count
    current = threads.first ?? 0
    switch policy {
    case .random(let seed): random = RandomGenerator(seed: seed)
    case .list(let choices):
      random = RandomGenerator(seed: 0)
      list = choices
    }
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(changed)
    mutex.deallocate()
    changed.deallocate()
  }

  /// The thread whose turn it is; for closures that run in it.
  package var now: Int { current }

  /// The choices of all pauses so far.
  package var choices: [(chosen: Int, count: Int, state: UInt64)] {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return log
  }

  /// Waits until all threads have begun and it is the turn of this one.
  package func begin(_ thread: Int) {
    pthread_mutex_lock(mutex)
    arrived += 1
    pthread_cond_broadcast(changed)
    while arrived < total || current != thread { pthread_cond_wait(changed, mutex) }
    pthread_mutex_unlock(mutex)
  }

  /// Gives another thread the chance to run, and waits for the next turn.
  package func pause(_ thread: Int) {
    pthread_mutex_lock(mutex)
    guard current == thread, arrived == total else {
      // Outside of the run, such as during its preparation.
      pthread_mutex_unlock(mutex)
      return
    }
    choose(first: thread)
    while current != thread { pthread_cond_wait(changed, mutex) }
    pthread_mutex_unlock(mutex)
  }

  /// Gives another thread the chance to run, from the thread whose turn it is.
  package func pauseCurrent() {
    pthread_mutex_lock(mutex)
    let thread = current
    guard arrived == total, running.contains(thread) else {
      // Before the threads begin, or after they have ended.
      pthread_mutex_unlock(mutex)
      return
    }
    choose(first: thread)
    while current != thread { pthread_cond_wait(changed, mutex) }
    pthread_mutex_unlock(mutex)
  }

  /// Leaves out a thread that never began.
  package func withdraw(_ thread: Int) {
    pthread_mutex_lock(mutex)
    total -= 1
    running.removeAll { $0 == thread }
    if current == thread { current = running.first ?? current }
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }

  /// Ends a thread, whose turn it is.
  package func end(_ thread: Int) {
    pthread_mutex_lock(mutex)
    let place = running.firstIndex(of: thread) ?? 0
    running.removeAll { $0 == thread }
    if !running.isEmpty { choose(first: running[place % running.count]) }
    pthread_mutex_unlock(mutex)
  }

  private func choose(first: Int) {
    let count = running.count
    guard count > 1 else {
      current = running.first ?? current
      pthread_cond_broadcast(changed)
      return
    }
    let chosen: Int
    if let list {
      chosen = log.count < list.count ? min(list[log.count], count - 1) : 0
    } else {
      chosen = random.below(count)
    }
    let start = running.firstIndex(of: first) ?? 0
    log.append((chosen, count, state.map { mix($0()) ^ mix(UInt64(start)) } ?? 0))
    current = running[(start + chosen) % count]
    pthread_cond_broadcast(changed)
  }
}
