#if HTTP
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Glibc
  #endif
  internal import Datastore

  /// Counts the changes of each database, so that feeds can wait for the next one.
  final class ChangeSignal: @unchecked Sendable {
    // The mutex protects both.
    private var versions: [StoreName: UInt64] = [:]
    private var isClosed = false
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

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

    private func locked<Result>(_ body: () -> Result) -> Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body()
    }

    /// The number of changes of a database so far.
    func version(of database: StoreName) -> UInt64 { locked { versions[database] ?? 0 } }

    func changed(_ database: StoreName) {
      locked {
        versions[database, default: 0] += 1
        pthread_cond_broadcast(condition)
      }
    }

    /// Wakes all waiting feeds, for the end of the service.
    func close() {
      locked {
        isClosed = true
        pthread_cond_broadcast(condition)
      }
    }

    /// Whether the service has ended.
    var isEnded: Bool { locked { isClosed } }

    enum Wake { case changed, timedOut, closed }

    /// Waits until a database has changed since a version.
    func wait(
      for database: StoreName, after version: UInt64, milliseconds: Int64
    ) -> Wake {
      var end = timespec()
      clock_gettime(CLOCK_REALTIME, &end)
      let nanoseconds = end.tv_nsec + Int(milliseconds % 1000) * 1_000_000
      end.tv_sec += Int(milliseconds / 1000) + nanoseconds / 1_000_000_000
      end.tv_nsec = nanoseconds % 1_000_000_000
      return locked {
        while !isClosed, versions[database] ?? 0 == version {
          guard pthread_cond_timedwait(condition, mutex, &end) == 0 else { break }
        }
        if isClosed { return .closed }
        return versions[database] ?? 0 == version ? .timedOut : .changed
      }
    }
  }
#endif
