import Foundation
import Testing

/// The sources of the package as text.
struct SourceTree {
  struct File: CustomTestStringConvertible {
    /// The path from the top of the package, such as `Sources/Core/JSON/JSONString.swift`.
    var path: String
    var lines: [Substring]

    var testDescription: String { path }

    /// The module that the file belongs to.
    var module: String { String(path.split(separator: "/")[2]) }

    /// The modules that the file imports.
    var imports: [String] {
      lines.compactMap { line in
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"), place <= 2, place + 1 < words.count,
          words[..<place].allSatisfy({
            $0.hasPrefix("@") || $0 == "public" || $0 == "internal" || $0 == "package"
          })
        else { return nil }
        return String(words[place + 1].split(separator: ".")[0])
      }
    }
  }

  static let top = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// All Swift files below a folder, in the order of their paths.
  static func files(below folder: String) throws -> [File] {
    let root = top.appending(path: folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path())
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      return File(
        path: "\(folder)/\(path)",
        lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }
}
