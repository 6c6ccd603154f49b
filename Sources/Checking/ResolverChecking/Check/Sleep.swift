#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Suspends the thread.
func sleepMicroseconds(_ count: UInt32) {
  var time = timespec(
    tv_sec: Int(count / 1_000_000), tv_nsec: Int(count % 1_000_000) * 1000)
  nanosleep(&time, nil)
}
