internal import Storage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A new folder with a name that nothing else has, for the files of one run.
package struct TemporaryFolder {
  package let path: String

  /// Makes the folder in the given one; nil is the system's own for such purposes.
  ///
  /// - Parameter purpose: a word of its name.
  package init(in parent: String?, for purpose: String) throws(BenchmarkError) {
    let parent = parent ?? Self.systemFolder
    var template = Array("\(parent)/touchstone-\(purpose)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      let reason = String(cString: strerror(errno))
      throw .storage("no folder can be made in \(parent): \(reason)")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes the folder and the files in it.
  package func remove() throws(BenchmarkError) {
    do throws(StorageError) {
      let storage = try DiskStorage(directory: path)
      for name in try storage.fileNames() { try storage.delete(name) }
    } catch {
      throw .storage(error.description)
    }
    guard rmdir(path) == 0 else {
      throw .storage("\(path) cannot be removed: \(String(cString: strerror(errno)))")
    }
  }

  private static var systemFolder: String {
    guard let named = getenv("TMPDIR"), named.pointee != 0 else { return "/tmp" }
    return String(cString: named)
  }
}
