internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

// The system calls of this module and of the command line.

/// The files of the machine, by path.
package enum Files {
  /// The reason why a file could not be read or written.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package let path: String
    package let reason: String

    package var description: String { "\(path): \(reason)" }

    /// The failure of the last system call.
    fileprivate init(_ path: String) {
      self.init(path, String(cString: strerror(errno)))
    }

    fileprivate init(_ path: String, _ reason: String) {
      self.path = path
      self.reason = reason
    }
  }

  /// Returns the bytes of a regular file; rejects other files, because a pipe may never end.
  package static func read(_ path: String) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    try readParts(path) { part in
      bytes += part
      return true
    }
    return bytes
  }

  /// Reads a regular file in parts of at most 64 KiB, until the closure returns false.
  package static func readParts(
    _ path: String, _ body: (ArraySlice<UInt8>) -> Bool
  ) throws(Failure) {
    // Without this flag, opening a pipe waits for a writer.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(path) }
    defer { _ = close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(path, "not a regular file") }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = systemRead(descriptor, &chunk, count: chunk.count)
      guard count >= 0 else { throw Failure(path) }
      guard count > 0, body(chunk[..<count]) else { return }
    }
  }

  /// Throws if a path has no folder, or is a folder.
  package static func requirePlace(_ path: String) throws(Failure) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT != S_IFDIR else { throw Failure(path, "is a folder") }
      return
    }
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "."
    guard stat(folder, &status) == 0 else { throw Failure(path) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw Failure(path, "\(folder) is no folder") }
  }

  /// Creates or replaces a file with these bytes.
  ///
  /// Bytes for a named pipe go to its reader. Fails if the pipe has no reader within the given
  /// time, or if the reader does not read for that long.
  package static func write(
    _ text: String, to path: String, pipeMilliseconds: Int = 10_000
  ) throws(Failure) {
    let descriptor = try openForWriting(path, pipeMilliseconds)
    var status = stat()
    let isPipe = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    let failure: Failure?
    if isPipe {
      failure = writePipe(text, descriptor, path: path, milliseconds: pipeMilliseconds)
    } else {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
      failure = write(text, descriptor: descriptor) ? nil : Failure(path)
    }
    if let failure {
      _ = close(descriptor)
      throw failure
    }
    // A full disk may be reported only here.
    guard close(descriptor) == 0 else { throw Failure(path) }
  }

  /// Opens a file for writing; waits a limited time for the reader of a named pipe.
  private static func openForWriting(
    _ path: String, _ milliseconds: Int
  ) throws(Failure) -> Int32 {
    let (step, limit) = (20, milliseconds)
    var waited = 0
    while true {
      // Without O_NONBLOCK the call waits for a reader for ever.
      let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC
      let descriptor = open(path, flags, 0o644)
      if descriptor >= 0 { return descriptor }
      guard errno == ENXIO, isPipe(path) else { throw Failure(path) }
      guard waited < limit else {
        throw Failure(path, "no process has opened this named pipe for reading in \(limit) ms")
      }
      usleep(UInt32(step) * 1000)
      waited += step
    }
  }

  private static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Writes to a non-blocking pipe; returns the failure, or nil.
  private static func writePipe(
    _ text: String, _ descriptor: Int32, path: String, milliseconds: Int
  ) -> Failure? {
    // A reader that closed the pipe must be an error of this call, and not end the process.
    let former = signal(SIGPIPE, SIG_IGN)
    defer { _ = signal(SIGPIPE, former) }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, count: $0.count) }
      if count > 0 {
        bytes = bytes.dropFirst(count)
        continue
      }
      guard count < 0, errno == EAGAIN || errno == EINTR else { return Failure(path) }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if poll(&waiting, 1, Int32(clamping: milliseconds)) == 0 {
        return Failure(path, "its reader has read nothing for \(milliseconds) ms")
      }
    }
    return nil
  }

  /// Creates a folder, unless it exists.
  package static func createFolder(_ path: String) throws(Failure) {
    guard mkdir(path, 0o755) == 0 || isFolder(path) else { throw Failure(path) }
  }

  /// Removes a file.
  package static func remove(_ path: String) throws(Failure) {
    guard unlink(path) == 0 else { throw Failure(path) }
  }

  /// Writes to an open descriptor; false if not all bytes were written.
  package static func write(_ text: String, descriptor: Int32) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, count: $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  /// Returns the names in a folder in byte order, without hidden files.
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

  /// Whether the last part of an existing path is a symbolic link.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The path of the folder that contains the last part of a path.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether the path leads to a file with content, not to a folder, a pipe or a device.
  package static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Throws if nothing exists at the path.
  package static func require(_ path: String) throws(Failure) {
    guard exists(path) else { throw Failure(path) }
  }

  /// Returns the same path for the same file, also for one that does not exist yet.
  package static func place(_ path: String) -> String {
    if let real = realPath(path) { return real }
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let folder = parts.dropLast().map { String($0) ?? "" }.joined(separator: "/")
    let start = folder.utf8.isEmpty ? (parts.count > 1 ? "/" : ".") : folder
    return realPath(start).map { "\($0)/\(parts.last.flatMap { String($0) } ?? "")" } ?? path
  }

  /// Returns the absolute path without symbolic links; nil if nothing exists there.
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

  /// The number of processors, 1 or more.
  package static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Returns the value of an environment variable; an empty one counts as absent.
  package static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.utf8.isEmpty ? nil : text
  }

  /// Locks a file until this process ends; false if another process has the lock.
  ///
  /// Creates the file with the text if it does not exist. Locking it again has no effect.
  package static func hold(_ path: String, orMakeOf text: String) throws(Failure) -> Bool {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Failure(path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw closing(descriptor, path) }
    let identity = [UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)]
    let isEmpty = status.st_size == 0
    return try held.withLock { (held) throws(Failure) in
      guard !held.contains(identity) else {
        _ = close(descriptor)
        return true
      }
      // The system releases the lock when the process ends in any way.
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let isHeld = errno == EWOULDBLOCK
        let failure = closing(descriptor, path)
        guard isHeld else { throw failure }
        return false
      }
      if isEmpty, !write(text, descriptor: descriptor) { throw closing(descriptor, path) }
      held.insert(identity)
      return true
    }
  }

  /// The files that this process has locked, by device and number.
  private static let held = Mutex<Set<[UInt64]>>([])

  /// The failure of the last system call, after closing its file.
  private static func closing(_ descriptor: Int32, _ path: String) -> Failure {
    let failure = Failure(path)
    _ = close(descriptor)
    return failure
  }

  /// Opens a placeholder for each closed standard stream, so that no other file gets its number.
  ///
  /// Otherwise output would go into that file. The placeholder accepts no output.
  package static func occupyStandardStreams() {
    var descriptor = open("/dev/null", O_RDONLY)
    while (0...2).contains(descriptor) { descriptor = open("/dev/null", O_RDONLY) }
    if descriptor >= 0 { _ = close(descriptor) }
  }

  /// The number of columns of a terminal; 0 if unknown, nil if there is no terminal.
  package static func terminalColumns(_ descriptor: Int32) -> Int? {
    guard isTerminal(descriptor) else { return nil }
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
  }

  /// Whether a descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}

// Inside the type, the plain names would mean its own functions.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, count: Int) -> Int {
  read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, count: Int) -> Int {
  write(descriptor, buffer, count)
}
