internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A new folder for the files of one adapter or run, with a unique name.
///
/// It is removed with its last reference, and with this process. If a process could not remove it,
/// because its machine or container was stopped, the first folder of a later process removes it:
/// the name has the owner, `touchstone-PID-START-XXXXXX`, and the owner holds a lock on it.
package final class DataFolder {
  package let path: String
  /// The descriptor with the lock.
  private let lock: Descriptor
  /// False if the folder was removed or is kept.
  private var isOwned = true

  /// - Parameter parent: the parent folder; nil for `TMPDIR`, or `/tmp`.
  package init(in parent: String? = nil) throws(SystemFailure) {
    let parent = parent ?? Self.parent
    Self.removeAbandoned(in: parent)
    path = try Self.make(in: parent)
    lock = Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    _ = flock(lock.number, LOCK_EX | LOCK_NB)
  }

  /// Creates a folder with a new name. The name is registered before the folder exists: a process
  /// that is killed between the two leaves nothing.
  private static func make(in parent: String) throws(SystemFailure) -> String {
    let owner = ProcessIdentity.current
    while true {
      let digits = String(
        numbers.withLock {
          $0 += 1; return $0
        }, radix: 36)
      let suffix = String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
      let path = "\(parent)/\(prefix)\(owner.number)-\(owner.start)-\(suffix)"
      ExitCleanup.add(.folder(path))
      if mkdir(path, 0o700) == 0 { return path }
      let failure = SystemFailure.last
      ExitCleanup.remove(.folder(path))
      guard failure.code == EEXIST else { throw failure }
    }
  }

  /// The number of the last folder of this process.
  private static let numbers = Mutex(0)

  deinit { release { Self.remove(path) } }

  /// Removes the folder and its content before the last reference is released.
  package func remove() throws(SystemFailure) {
    release { Self.remove(path) }
    var status = stat()
    guard lstat(path, &status) != 0 else { throw SystemFailure(code: ENOTEMPTY) }
  }

  /// Keeps the folder beyond this process, under a name that no later process removes.
  ///
  /// - Returns: its new path, or the old one if it cannot be renamed.
  package func keep() -> String {
    let (parent, name) = (path.dropLast(Self.name(of: path).utf8.count), Self.name(of: path))
    let kept = "\(parent)\(Self.prefix)kept-\(name.dropFirst(Self.prefix.count))"
    var isRenamed = false
    release { isRenamed = rename(path, kept) == 0 }
    return isRenamed ? kept : path
  }

  /// Ends the ownership of the folder, once.
  private func release(_ body: () -> Void) {
    guard isOwned else { return }
    isOwned = false
    body()
    ExitCleanup.remove(.folder(path))
  }

  private static func name(of path: String) -> Substring {
    path.split(separator: "/").last ?? ""
  }

  private static let prefix = "touchstone-"

  /// The default parent folder.
  package static var parent: String {
    guard let named = getenv("TMPDIR"), named.pointee != 0 else { return "/tmp" }
    return String(cString: named)
  }

  /// Removes everything in the folder.
  func empty() {
    Self.empty(path)
  }

  // MARK: Folders of processes that are gone

  private static let cleaned = Mutex<Set<String>>([])

  /// Removes the folders of processes that have ended, once for each parent folder.
  private static func removeAbandoned(in parent: String) {
    guard cleaned.withLock({ $0.insert(parent).inserted }) else { return }
    for name in names(in: parent) {
      guard let owner = owner(of: name), !owner.isAlive else { continue }
      removeIfUnlocked("\(parent)/\(name)")
    }
  }

  /// The owner of a folder by its name; nil for other names.
  static func owner(of name: String) -> ProcessIdentity? {
    guard name.hasPrefix(prefix) else { return nil }
    let parts = name.dropFirst(prefix.count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].utf8.count == 6, let number = Int32(parts[0]), number > 0,
      let start = UInt64(parts[1])
    else { return nil }
    return ProcessIdentity(number: number, start: start)
  }

  /// Removes a folder of this user without a running owner. The owner may be invisible, in another
  /// container with the same files; its lock is visible.
  private static func removeIfUnlocked(_ path: String) {
    let folder = Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    var status = stat()
    guard folder.isOpen, fstat(folder.number, &status) == 0, status.st_uid == geteuid(),
      flock(folder.number, LOCK_EX | LOCK_NB) == 0
    else { return }
    remove(path)
  }

  // MARK: Removal

  private static func names(in folder: String) -> [String] {
    guard let entries = opendir(folder) else { return [] }
    defer { _ = closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func empty(_ folder: String) {
    for name in names(in: folder) where unlink("\(folder)/\(name)") != 0 {
      remove("\(folder)/\(name)")
    }
  }

  private static func remove(_ folder: String) {
    empty(folder)
    _ = rmdir(folder)
  }
}
