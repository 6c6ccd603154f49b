import Foundation
import Testing

/// What the README shows is what is compiled and run.
struct READMETests {
  @Test(arguments: ["LittleStore.swift", "LittleStoreTests.swift", "RecipeBookTests.swift"])
  func showsTheExampleAsItIs(file: String) throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let top = tests.deletingLastPathComponent().deletingLastPathComponent()
    let readme = try String(contentsOf: top.appending(path: "README.md"), encoding: .utf8)
    let source = try String(contentsOf: tests.appending(path: file), encoding: .utf8)
    #expect(readme.contains("```swift\n\(source)```\n"))
  }
}
