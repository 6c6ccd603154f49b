#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

// The one place in which this module and the command line talk to the system.

/// The files of the machine, by path.
package enum Files {
  /// Why a file could not be read or written.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package let path: String
    package let reason: String

    package var description: String { "\(path): \(reason)" }

    /// The failure of the system call that was made last.
    fileprivate init(_ path: String) {
      self.init(path, String(cString: strerror(errno)))
    }

    fileprivate init(_ path: String, _ reason: String) {
      self.path = path
      self.reason = reason
    }
  }

  /// The bytes of a regular file; everything else is refused, for a pipe may never end.
  package static func read(_ path: String) throws(Failure) -> [UInt8] {
    // Without this, opening a pipe waits for somebody to write to it.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(path) }
    defer { _ = close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(path, "not a regular file") }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = systemRead(descriptor, &chunk, chunk.count)
      guard count >= 0 else { throw Failure(path) }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Makes a file of these bytes, or replaces the one that is there.
  package static func write(_ text: String, to path: String) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw Failure(path) }
    guard write(text, descriptor: descriptor) else {
      let failure = Failure(path)
      _ = close(descriptor)
      throw failure
    }
    // A full disk may show itself only now.
    guard close(descriptor) == 0 else { throw Failure(path) }
  }

  /// Writes to an open descriptor; false when it does not take everything.
  package static func write(_ text: String, descriptor: Int32) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  /// The names in a folder in byte order, without those that begin with a dot.
  package static func names(inFolder path: String) throws(Failure) -> [String] {
    guard let folder = opendir(path) else { throw Failure(path) }
    defer { _ = closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.utf8.first != UInt8(ascii: ".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether a path that leads somewhere is a symbolic link.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Fails, and says why, when nothing is there.
  package static func require(_ path: String) throws(Failure) {
    guard exists(path) else { throw Failure(path) }
  }

  /// The absolute path without symbolic links, or nil when there is nothing.
  package static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The real path of the running program.
  package static var executable: String? {
    #if os(Linux)
      return realPath("/proc/self/exe")
    #else
      return CommandLine.arguments.first.flatMap { realPath($0) }
    #endif
  }

  /// The value of a variable of the environment; an empty one counts as absent.
  package static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.utf8.isEmpty ? nil : text
  }

  /// Whether a descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}

// Inside the type the plain names would mean its own functions.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int
{
  read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
