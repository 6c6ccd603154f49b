import Foundation
import Testing

/// `Vectors/protocol.md`: a core adapter has fewer than 100 lines.
struct AdapterTests {
  @Test(
    arguments: [
      "python/adapter.py", "javascript/adapter.mjs", "c/adapter.c", "rust/src/main.rs",
      "go/adapter.go", "java/Adapter.java", "kotlin/Adapter.kt", "python/skeleton/adapter.py",
      "javascript/skeleton/adapter.mjs",
      "c/skeleton/adapter.c", "rust/skeleton/src/main.rs", "go/skeleton/adapter.go",
      "java/skeleton/Adapter.java", "kotlin/skeleton/Adapter.kt",
      "swift/skeleton/Sources/adapter/main.swift",
    ])
  func isUnderAHundredLines(path: String) throws {
    let file = SourceTree.top.appending(path: "tools/adapters/\(path)")
    let text = try String(contentsOf: file, encoding: .utf8)
    let count = text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    #expect((20..<100).contains(count), "\(path) has \(count) lines")
  }
}
