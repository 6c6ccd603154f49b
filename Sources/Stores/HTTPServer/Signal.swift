#if HTTP
  /// A counter on which threads wait until it is above 0.
  final class Signal: @unchecked Sendable {
    private let monitor = Monitor()
    // Used within the monitor.
    private var count = 0

    /// Lets one thread continue.
    func signal() {
      monitor.locked {
        count += 1
        monitor.wakeAll()
      }
    }

    /// Waits for a signal.
    func wait() {
      monitor.locked {
        while count == 0 { monitor.wait() }
        count -= 1
      }
    }

    /// Waits for a signal; false if none comes in time.
    func wait(withinMilliseconds limit: Int) -> Bool {
      let end = Monitor.Deadline(milliseconds: Int64(limit))
      return monitor.locked {
        while count == 0, monitor.wait(until: end) {}
        guard count > 0 else { return false }
        count -= 1
        return true
      }
    }
  }
#endif
