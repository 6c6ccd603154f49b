internal import Conformance
internal import JSON
internal import ObjectMapping

/// Files with the source of a model.
enum SourceFile {
  /// The greatest size of a file in bytes.
  static let limit = 8 << 20

  /// Returns the bytes of a file.
  static func read(_ path: String) throws(ModelFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(Files.Failure) {
      try Files.readParts(path) { part in
        bytes += part
        return bytes.count <= limit
      }
    } catch {
      throw ModelFileError(path: error.path, what: error.reason)
    }
    return bytes
  }

  /// Whether the bytes begin like a compiled model, which is a binary property list.
  static func isCompiled(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist".utf8) }

  static func compiled(_ path: String) -> ModelFileError {
    ModelFileError(
      path: path, what: "the model is compiled, and its format is not public",
      expected: "its source, the folder .xcdatamodeld of the Xcode project")
  }

  /// Reads a model in the JSON of `ManagedObjectModel.json`.
  static func json(_ bytes: [UInt8], path: String) throws(ModelFileError) -> ManagedObjectModel {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue.parse(bytes) } catch {
      let line = bytes.prefix(error.offset).count { $0 == 0x0A } + 1
      throw ModelFileError(path: path, line: line, what: "invalid JSON: \(error.kind)")
    }
    do throws(DecodingFailure) { return try ManagedObjectModel(value) } catch {
      throw ModelFileError(path: path, what: "\(error)")
    }
  }
}
