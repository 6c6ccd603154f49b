#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A thread that does one thing.
final class WorkerThread {
  /// Nil where the system had none to give; then others do the work.
  private let thread: pthread_t?

  /// What the first thread of a process has on most systems, and other threads on few.
  private static let stackBytes = 8 << 20

  /// The work of a thread, on its way there.
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  init(_ body: @escaping @Sendable () -> Void) {
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

  /// Waits until it is done.
  func join() {
    if let thread { pthread_join(thread, nil) }
  }
}
