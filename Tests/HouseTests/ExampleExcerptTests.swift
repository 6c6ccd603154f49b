import Foundation
import Testing

/// Swift code in the documentation is an excerpt of a compiled example below `docs/Examples`.
struct ExampleExcerptTests {
  /// A code block of a page.
  struct Block: CustomTestStringConvertible {
    /// The path of the page from the top of the package.
    var page: String
    /// The number of the line that opens the block.
    var number: Int
    /// The lines between the fences.
    var lines: [Substring]

    var testDescription: String { "\(page):\(number)" }

    /// A fragment of a manifest is not part of a program of this package.
    var isManifest: Bool { lines.first == "// Package.swift" }
  }

  @Test(arguments: try swiftBlocks())
  func aBlockIsAnExcerpt(block: Block) throws {
    guard !block.isManifest else { return }
    let excerpt = Self.outdented(block.lines)
    try #require(!excerpt.isEmpty)
    let isFound = try SourceTree.files(below: "docs/Examples").contains { file in
      let places = file.lines.indices.dropLast(excerpt.count - 1)
      return places.contains { place in
        // Most places differ in the first line.
        file.lines[place].hasSuffix(excerpt[0])
          && Self.outdented(file.lines[place..<place + excerpt.count]) == excerpt
      }
    }
    #expect(isFound, "\(block.testDescription) is in no file below docs/Examples")
  }

  /// Without blocks the test above could not fail.
  @Test func blocksAreFound() throws {
    let pages = Set(try Self.swiftBlocks().map { $0.page })
    #expect(pages.isSuperset(of: ["docs/swift.md", "docs/objects.md"]))
  }

  /// Reads the Swift blocks of the README and of the pages in `docs`, including indented ones.
  static func swiftBlocks() throws -> [Block] {
    let folder = SourceTree.top.appending(path: "docs")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    let pages = names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    return try (["README.md"] + pages).flatMap { page in
      let text = try String(contentsOf: SourceTree.top.appending(path: page), encoding: .utf8)
      return blocks(text.split(separator: "\n", omittingEmptySubsequences: false), page)
    }
  }

  private static func blocks(_ lines: [Substring], _ page: String) -> [Block] {
    var blocks: [Block] = []
    var opened: (fence: Substring, number: Int)?
    for (index, line) in lines.enumerated() {
      let content = line.drop { $0 == " " }
      guard content.hasPrefix("```") else { continue }
      guard let (fence, number) = opened else {
        opened = (content, index + 1)
        continue
      }
      if fence.dropFirst(3).split(separator: " ").first == "swift" {
        blocks.append(Block(page: page, number: number, lines: Array(lines[number..<index])))
      }
      opened = nil
    }
    return blocks
  }

  /// The lines without the indentation that all of them share.
  private static func outdented(_ lines: some Collection<Substring>) -> [Substring] {
    let indentations = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    let common = indentations.min() ?? 0
    return lines.map { $0.dropFirst(common) }
  }
}
