#if HTTP
  internal import Synchronization

  /// Memory that several requests share.
  final class ByteBudget: Sendable {
    private let left: Mutex<Int>

    /// - Parameter total: in bytes.
    init(_ total: Int) { left = Mutex(total) }

    /// Takes some bytes; false if there are not as many.
    func reserve(_ count: Int) -> Bool {
      left.withLock { left in
        guard left >= count else { return false }
        left -= count
        return true
      }
    }

    func release(_ count: Int) { left.withLock { $0 += count } }
  }
#endif
