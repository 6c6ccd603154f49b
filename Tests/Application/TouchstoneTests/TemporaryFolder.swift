import Foundation

/// A temporary folder for one test, removed afterwards.
final class TemporaryFolder {
  let path: String

  init(_ files: [(path: String, text: String)] = []) throws {
    path = NSTemporaryDirectory() + "touchstone-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (file, text) in files {
      let url = URL(fileURLWithPath: "\(path)/\(file)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func text(_ file: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(file)")), as: UTF8.self)
  }

  /// A corpus of two core vectors and one about `purge`.
  ///
  /// - Parameter binds: the value of `binds` of its clauses, `layer` or `contract`; implementations
  ///   other than the bundled ones are tested at grade `family`, where `contract` does not decide.
  static func corpus(binds: String = "layer") throws -> TemporaryFolder {
    func vector(_ id: String, _ clause: String, _ more: String, _ step: String) -> String {
      #"{"id": "\#(id)", "clauses": ["\#(clause)"], "profile": "core", \#(more)"#
        + #""note": "Because of \#(id).", "steps": [\#(step)]}"#
    }
    func file(_ vectors: [String]) -> String {
      #"{"family": "tree", "about": "a", "vectors": [\#(vectors.joined(separator: ","))]}"#
    }
    let create = #"{"do": {"op": "create", "store": "a", "id": "d", "body": {"n": 1}}}"#
    let absent = """
      {"do": {"op": "read", "store": "a", "id": "d"},
       "expect": {"error": {"kind": "notFound", "reason": "missing"}}}
      """
    let purge = #"{"do": {"op": "purge", "store": "a", "id": "d", "revs": []}}"#
    return try TemporaryFolder([
      (
        "clauses.json",
        """
        {"clauses": [
          {"id": "TREE-001", "level": "MUST", "binds": "\(binds)", "text": "A tree is a tree.", "source": "here",
           "status": "agreed"},
          {"id": "TREE-002", "level": "MUST", "binds": "\(binds)", "text": "Nothing is lost.", "source": "there",
           "status": "agreed", "observed": {"Some DB 1": "Loses it."}},
          {"id": "TREE-003", "level": "MUST", "binds": "\(binds)", "text": "Nobody asks.", "source": "here",
           "status": "agreed"}]}
        """
      ),
      (
        "core/tree.json",
        file([
          vector("tree-create", "TREE-001", "", create),
          vector("tree-absent", "TREE-002", "", absent),
        ])
      ),
      (
        "capabilities/purge.json",
        file([vector("tree-purge", "TREE-001", #""capabilities": ["purge"], "#, purge)])
      ),
    ])
  }
}
