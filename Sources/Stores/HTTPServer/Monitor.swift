#if HTTP
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Glibc
  #endif

  /// A mutual exclusion whose owner can wait until another thread changes what it protects.
  ///
  /// `Synchronization.Mutex` has no condition to wait for.
  public final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Creates a monitor that no thread holds.
    public init() {
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(condition, nil)
    }

    deinit {
      pthread_cond_destroy(condition)
      pthread_mutex_destroy(mutex)
      condition.deallocate()
      mutex.deallocate()
    }

    /// Runs a closure while no other thread is in one.
    public func locked<Result, Failure: Error>(
      _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body()
    }

    /// Wakes all threads that wait; within `locked`.
    public func wakeAll() { pthread_cond_broadcast(condition) }

    /// Lets other threads in until one calls `wakeAll`; within `locked`. May also return earlier.
    public func wait() { pthread_cond_wait(condition, mutex) }

    /// The same with a time limit; returns false when it has passed.
    public func wait(until end: Deadline) -> Bool {
      var time = end.time
      return pthread_cond_timedwait(condition, mutex, &time) == 0
    }

    /// The end of a wait.
    public struct Deadline {
      fileprivate var time = timespec()

      /// A number of milliseconds from now, from 0.
      public init(milliseconds: Int64) {
        clock_gettime(CLOCK_REALTIME, &time)
        let nanoseconds = time.tv_nsec + Int(milliseconds % 1000) * 1_000_000
        time.tv_sec += Int(milliseconds / 1000) + nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
      }
    }
  }
#endif
