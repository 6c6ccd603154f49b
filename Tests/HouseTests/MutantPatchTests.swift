import Foundation
import Testing

/// `tools/mutants/*.patch`: each patch applies to the sources, else its mutant is not tested.
struct MutantPatchTests {
  private static let folder = SourceTree.top.appending(path: "tools/mutants")

  private static func patches() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path())
      .filter { $0.hasSuffix(".patch") }.sorted()
  }

  @Test func thereAreSome() throws { #expect(try Self.patches().count > 80) }

  @Test(arguments: try patches())
  func fitsTheSources(patch: String) throws {
    let text = try String(contentsOf: Self.folder.appending(path: patch), encoding: .utf8)
    var source: [Substring]?
    var found = 0
    // The replaced lines with their context; nil outside of a hunk.
    var hunk: [Substring]?
    func endHunk() {
      defer { hunk = nil }
      guard let lines = hunk, let source else { return }
      found += 1
      let places = source.indices.filter { source[$0...].starts(with: lines) }
      #expect(places.count == 1, "\(patch) matches \(places.count) places")
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      switch line {
      case _ where line.hasPrefix("--- a/"):
        endHunk()
        let file = try String(
          contentsOf: SourceTree.top.appending(path: line.dropFirst(6)), encoding: .utf8)
        source = file.split(separator: "\n", omittingEmptySubsequences: false)
      case _ where line.hasPrefix("+++ "): break
      case _ where line.hasPrefix("@@"):
        endHunk()
        hunk = []
      case _ where line.hasPrefix(" ") || line.hasPrefix("-"): hunk?.append(line.dropFirst())
      default: break
      }
    }
    endHunk()
    #expect(found > 0)
  }
}
