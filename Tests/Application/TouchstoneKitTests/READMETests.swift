import Foundation
import Testing

/// What the README shows is what is compiled and run.
struct READMETests {
  @Test(arguments: [
    "LittleStore.swift", "LittleStoreTests.swift", "RecipeBookTests.swift",
    "RecipeBookInTheCloudTests.swift",
  ])
  func showsTheExampleAsItIs(file: String) throws { try expect("README.md", shows: file) }

  @Test(arguments: ["RecipeBefore.swift", "RecipeAfter.swift"])
  func thePageShowsTheClassAsItIs(file: String) throws {
    try expect("docs/managed-object-class.md", shows: file)
  }

  private func expect(_ page: String, shows file: String) throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let top = tests.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: top.appending(path: page), encoding: .utf8)
    let source = try String(contentsOf: tests.appending(path: file), encoding: .utf8)
    #expect(text.contains("```swift\n\(source)```\n"))
  }
}
