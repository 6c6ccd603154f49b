import Foundation
import JSON
import ModelFiles
import ObjectMapping

/// Models for the tests of this module.
enum Fixtures {
  /// A folder with two versions of a recipe book.
  static var recipes: String {
    var top = URL(filePath: #filePath)
    for _ in 0..<4 { top.deleteLastPathComponent() }
    return top.appending(path: "docs/Examples/Recipes.xcdatamodeld").path
  }

  /// The text of a model file with entities.
  static func text(_ entities: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
    \(entities)
    </model>
    """
  }

  /// Reads a model file with entities; the first line of `entities` is line 3.
  static func read(_ entities: String) throws(ModelFileError) -> ModelFile {
    try ModelFile(Array(text(entities).utf8), path: "contents")
  }

  /// Reads a model with one entity `E` of one attribute `a`, which has these XML attributes.
  static func attribute(_ members: String) throws -> AttributeDescription? {
    let file = try read(
      "<entity name=\"E\"><attribute name=\"a\" optional=\"YES\" \(members)/></entity>")
    return file.model["E"]?.attribute("a")
  }

  /// The error of reading a model file with entities; nil if it is read.
  static func error(_ entities: String) -> ModelFileError? {
    do throws(ModelFileError) {
      _ = try read(entities)
      return nil
    } catch { return error }
  }
}

/// A temporary folder with files, removed with its owner.
final class ModelPlace {
  let path: String

  init(_ files: [String: String]) throws {
    path = NSTemporaryDirectory() + "models-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files {
      let url = URL(filePath: "\(path)/\(name)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
