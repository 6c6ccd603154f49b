#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A thread that runs one closure.
package final class WorkerThread {
  /// Nil if the system could not start a thread.
  private let thread: pthread_t?

  /// Whether the system could start the thread.
  package var isRunning: Bool { thread != nil }

  /// The usual stack size of the main thread; other threads have less on some systems.
  private static let stackBytes = 8 << 20

  /// The closure of a thread, while it is handed over.
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  package init(_ body: @escaping @Sendable () -> Void) {
    #if canImport(Glibc)
      var thread: pthread_t = 0
    #else
      var thread: pthread_t?
    #endif
    let work = Unmanaged.passRetained(Work(body))
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    pthread_attr_init(attributes)
    pthread_attr_setstacksize(attributes, Self.stackBytes)
    let code = pthread_create(
      &thread, attributes,
      { argument in
        let argument: UnsafeMutableRawPointer? = argument
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    pthread_attr_destroy(attributes)
    attributes.deallocate()
    if code != 0 { work.release() }
    self.thread = code == 0 ? thread : nil
  }

  /// Waits until the thread ends.
  package func join() {
    if let thread { pthread_join(thread, nil) }
  }
}
