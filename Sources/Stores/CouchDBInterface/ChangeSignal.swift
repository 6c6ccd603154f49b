#if HTTP
  internal import Datastore
  internal import HTTPServer

  /// Counts the changes of each database, so that feeds can wait for the next one.
  final class ChangeSignal: @unchecked Sendable {
    private let monitor = Monitor()
    // Used within the monitor.
    private var versions: [StoreName: UInt64] = [:]
    private var isClosed = false

    /// The number of changes of a database so far.
    func version(of database: StoreName) -> UInt64 {
      monitor.locked { versions[database] ?? 0 }
    }

    func changed(_ database: StoreName) {
      monitor.locked {
        versions[database, default: 0] += 1
        monitor.wakeAll()
      }
    }

    /// Wakes all waiting feeds, for the end of the service.
    func close() {
      monitor.locked {
        isClosed = true
        monitor.wakeAll()
      }
    }

    /// Whether the service has ended.
    var isEnded: Bool { monitor.locked { isClosed } }

    enum Wake { case changed, timedOut, closed }

    /// Waits until a database has changed since a version.
    func wait(for database: StoreName, after version: UInt64, milliseconds: Int64) -> Wake {
      let end = Monitor.Deadline(milliseconds: milliseconds)
      return monitor.locked {
        while !isClosed, versions[database] ?? 0 == version, monitor.wait(until: end) {}
        if isClosed { return .closed }
        return versions[database] ?? 0 == version ? .timedOut : .changed
      }
    }
  }
#endif
