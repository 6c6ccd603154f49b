/// A sample of a guide: its name, and code that throws if a result is not the expected one.
struct Sample: Sendable {
  let name: String
  /// Runs the sample with the path of an empty folder.
  let run: @Sendable (_ folder: String) throws -> Void

  init(_ name: String, _ run: @escaping @Sendable (_ folder: String) throws -> Void) {
    self.name = name
    self.run = run
  }
}

/// A result that is not the expected one.
struct Unexpected: Error, CustomStringConvertible {
  let description: String
}

/// Throws unless both values are equal.
func expect<Value: Equatable>(_ found: Value, _ expected: Value, line: UInt = #line) throws {
  guard found == expected else {
    throw Unexpected(description: "line \(line): expected \(expected), found \(found)")
  }
}
