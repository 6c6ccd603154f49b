import Testing

/// Rules that the formatter does not check.
struct StyleTests {
  /// Sources of nondeterminism, and traps on data.
  static let banned = [
    "Date()", "UUID()", "SystemRandomNumberGenerator", ".randomElement()", ".shuffled()",
    "Task {", "DispatchQueue", "ProcessInfo", "try!", "as!", "fatalError(", "// TODO", "// FIXME",
  ]

  @Test(arguments: try SourceTree.files(below: "Sources"))
  func nothingBanned(file: SourceTree.File) {
    for (index, line) in file.lines.enumerated() {
      for token in Self.banned where line.contains(token) {
        Issue.record("line \(index + 1) has \(token)")
      }
    }
  }

  @Test(
    arguments: try SourceTree.files(below: "Sources") + SourceTree.files(below: "Tests")
      + SourceTree.files(below: "docs"))
  func filesAreShort(file: SourceTree.File) {
    #expect(file.lines.count <= 500)
  }

  @Test(arguments: try SourceTree.files(below: "Sources"))
  func namesAreGuessable(file: SourceTree.File) throws {
    #expect(Set(file.path.utf8).isSubset(of: Set("+-./".utf8).union(Self.alphanumerics)))
  }

  private static let alphanumerics = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
}
