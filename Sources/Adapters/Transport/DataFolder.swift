#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A new folder for the files of one adapter, with a name that nothing else has.
final class DataFolder {
  let path: String

  init() throws(SystemFailure) {
    var parent = "/tmp"
    if let named = getenv("TMPDIR"), named.pointee != 0 { parent = String(cString: named) }
    var template = Array("\(parent)/touchstone-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .last }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// Removes everything in the folder.
  func empty() {
    Self.empty(path)
  }

  private static func empty(_ folder: String) {
    guard let entries = opendir(folder) else { return }
    defer { _ = closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append("\(folder)/\(name)") }
    }
    for name in names where unlink(name) != 0 { remove(name) }
  }

  private static func remove(_ folder: String) {
    empty(folder)
    _ = rmdir(folder)
  }
}
