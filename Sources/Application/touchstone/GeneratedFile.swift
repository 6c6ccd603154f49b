internal import Conformance

/// A file that a command writes, by its name in a folder, and its bytes.
struct GeneratedFile {
  let name: String
  let text: String

  /// Returns the files that are missing in a folder or have other bytes.
  static func changed(
    _ files: [GeneratedFile], in folder: String
  ) throws(CommandFailure) -> [GeneratedFile] {
    var changed: [GeneratedFile] = []
    for file in files {
      let path = "\(folder)/\(file.name)"
      let bytes = try onFiles { () throws(Files.Failure) in
        Files.exists(path) ? try Files.read(path) : nil
      }
      if bytes != Array(file.text.utf8) { changed.append(file) }
    }
    return changed
  }

  /// Writes the files that differ, and reports them.
  static func write(
    _ files: [GeneratedFile], in folder: String, _ context: Context
  ) throws(CommandFailure) {
    for file in try changed(files, in: folder) {
      let path = "\(folder)/\(file.name)"
      try onFiles { () throws(Files.Failure) in try Files.write(file.text, to: path) }
      context.output("wrote \(path)\n")
    }
  }
}

/// Runs file operations; a failure becomes one of the command.
func onFiles<Value>(
  _ work: () throws(Files.Failure) -> Value
) throws(CommandFailure) -> Value {
  do throws(Files.Failure) {
    return try work()
  } catch {
    throw CommandFailure("\(error)")
  }
}
