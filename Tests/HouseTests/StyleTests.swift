import Foundation
import Testing

/// Rules that the formatter does not check.
struct StyleTests {
  /// Sources of nondeterminism, and traps on data.
  static let banned = [
    "Date()", "UUID()", "SystemRandomNumberGenerator", ".randomElement()", ".shuffled()",
    "Task {", "DispatchQueue", "ProcessInfo", "try!", "as!", "fatalError(", "// TODO", "// FIXME",
  ]

  // A case for each file would take longer than its check.

  @Test func nothingBanned() throws {
    for file in try SourceTree.files(below: "Sources") {
      for (index, line) in file.lines.enumerated() {
        for token in Self.banned where Self.has(line, token) {
          Issue.record("\(file.path), line \(index + 1) has \(token)")
        }
      }
    }
    #expect(Self.has("let a = x as! B", "as!") && !Self.has("let a = x as? B", "as!"))
  }

  /// Whether a line has a token; `contains` takes seconds for all lines.
  private static func has(_ line: Substring, _ token: String) -> Bool {
    line.withCString { line in token.withCString { strstr(line, $0) != nil } }
  }

  @Test func filesAreShort() throws {
    for folder in ["Sources", "Tests", "docs"] {
      for file in try SourceTree.files(below: folder) {
        #expect(file.lines.count <= 500, "\(file.path)")
      }
    }
  }

  @Test func namesAreGuessable() throws {
    let permitted = Set("+-./".utf8).union(Self.alphanumerics)
    for file in try SourceTree.files(below: "Sources") {
      #expect(Set(file.path.utf8).isSubset(of: permitted), "\(file.path)")
    }
  }

  @Test func parametersHaveLabels() throws {
    for file in try SourceTree.files(below: "Sources") {
      for function in FunctionHead.all(in: file.lines) where function.unlabelledCount > 2 {
        let count = function.unlabelledCount
        Issue.record(
          "\(file.path), line \(function.line): \(function.name) has \(count) unlabelled parameters"
        )
      }
    }
  }

  @Test(arguments: [
    ("func a(_ b: Int, _ c: Int, _ d: Int) {", 3),
    ("func a(_ b: Int, c: (_ x: Int, _ y: Int, _ z: Int) -> Void) {", 1),
    ("init(\n    _ b: [Int], @Body _ c: B, _: Int, d: Int = f(1)\n  )", 3),
    ("init?<A, B>(_ a: A, _ b: B = (1, 2), c d: Int)", 2),
    ("static func == (left: A, right: A) -> Bool", 0),
    ("func f<T: Box<Int>>(_ a: T, _ b: inout Int, _ c: borrowing T)", 3),
  ])
  func unlabelledParametersAreCounted(text: String, count: Int) {
    #expect(FunctionHead.all(in: text.split(separator: "\n")).map(\.unlabelledCount) == [count])
  }

  @Test(arguments: [
    "self.init(_ a, _ b, _ c)", "// func a(_ b: A, _ c: A, _ d: A)", "let func1 = 3",
  ])
  func otherTextIsNoFunction(text: String) {
    #expect(FunctionHead.all(in: [Substring(text)]).isEmpty)
  }

  private static let alphanumerics = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
}
