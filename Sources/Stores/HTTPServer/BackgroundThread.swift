#if HTTP
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Glibc
  #endif

  /// Threads for requests that take as long as a session.
  public enum BackgroundThread {
    private final class Body: Sendable {
      let run: @Sendable () -> Void

      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Pauses the calling thread.
    public static func pause(microseconds: UInt32) { usleep(microseconds) }

    /// Runs a closure on a thread of its own; false if the system has none.
    public static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
      let body = Unmanaged.passRetained(Body(run))
      #if canImport(Glibc)
        var thread: pthread_t = 0
      #else
        var thread: pthread_t?
      #endif
      let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
      pthread_attr_init(attributes)
      pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
      let code = pthread_create(
        &thread, attributes,
        { context in
          #if canImport(Darwin)
            Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
          #else
            if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
          #endif
          return nil
        }, body.toOpaque())
      pthread_attr_destroy(attributes)
      attributes.deallocate()
      if code != 0 { body.release() }
      return code == 0
    }
  }
#endif
