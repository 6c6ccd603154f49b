#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The processors of the machine.
public enum Processor {
  /// Keeps this thread, and the processes it starts from now on, on its current processor.
  ///
  /// Runner and adapter wait for each other all the time. Waking a sleeping processor takes many
  /// times longer than switching on one: about 70 µs each way on a virtual machine. Only Linux
  /// supports this; elsewhere the call has no effect.
  public static func stayOnOne() {
    #if os(Linux)
      // The headers show these two to C programs only.
      typealias Current = @convention(c) () -> Int32
      typealias Bind = @convention(c) (pid_t, Int, UnsafeRawPointer) -> Int32
      guard let current = dlsym(nil, "sched_getcpu"), let bind = dlsym(nil, "sched_setaffinity")
      else { return }
      let number = Int(unsafeBitCast(current, to: Current.self)())
      var mask = [UInt8](repeating: 0, count: 128)
      guard mask.indices.contains(number / 8) else { return }
      mask[number / 8] = 1 << (number % 8)
      _ = unsafeBitCast(bind, to: Bind.self)(0, mask.count, mask)
    #endif
  }
}
