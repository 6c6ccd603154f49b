#if HTTP
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Glibc
  #endif

  /// A counter on which threads wait until it is above 0.
  final class Signal: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var count = 0

    init() {
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(condition, nil)
    }

    deinit {
      pthread_cond_destroy(condition)
      pthread_mutex_destroy(mutex)
      condition.deallocate()
      mutex.deallocate()
    }

    /// Lets one thread continue.
    func signal() {
      pthread_mutex_lock(mutex)
      count += 1
      pthread_cond_signal(condition)
      pthread_mutex_unlock(mutex)
    }

    /// Waits for a signal.
    func wait() {
      pthread_mutex_lock(mutex)
      while count == 0 { pthread_cond_wait(condition, mutex) }
      count -= 1
      pthread_mutex_unlock(mutex)
    }

    /// Waits for a signal; false if none comes in time.
    func wait(withinMilliseconds limit: Int) -> Bool {
      var end = timespec()
      clock_gettime(CLOCK_REALTIME, &end)
      let nanoseconds = end.tv_nsec + limit % 1000 * 1_000_000
      end.tv_sec += limit / 1000 + nanoseconds / 1_000_000_000
      end.tv_nsec = nanoseconds % 1_000_000_000
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      while count == 0 {
        guard pthread_cond_timedwait(condition, mutex, &end) == 0 else { break }
      }
      guard count > 0 else { return false }
      count -= 1
      return true
    }
  }
#endif
