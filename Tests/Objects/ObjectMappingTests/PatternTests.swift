import Datastore
import JSON
import ObjectMapping
import Testing

/// Patterns of attributes: the complete text must match, in bounded time.
struct PatternTests {
  static func fails(_ pattern: JSONString, _ text: JSONString) throws -> Bool {
    let attribute = AttributeDescription(
      "t", .utf8, validation: AttributeValidation(pattern: pattern))
    let model = try ManagedObjectModel([EntityDescription("E", attributes: [attribute])])
    let failures = try #require(model["E"]).failures(of: ["t": .attribute(.text(text))])
    return failures.map { $0.reason } == [.patternUnmatched]
  }

  @Test func theWholeTextMatches() throws {
    for (pattern, text, isMatch) in [
      ("a+", "aaa", true), ("a+", "aab", false), ("a+", "baa", false), ("", "", true),
      ("", "a", false),
      ("a|bc", "bc", true), ("a|bc", "ac", false), ("(ab){2,3}", "abab", true),
      ("(ab){2,3}", "abababab", false), ("[^a-c]*", "xyz", true), ("[^a-c]*", "xbz", false),
      ("^a$", "a", true), ("a$b", "ab", false), (".", "😀", true), (".", "e\u{301}", false),
      ("\\d{3}", "012", true), ("(a*)*b?", "aaab", true), ("(|a)+", "aa", true),
    ] as [(JSONString, JSONString, Bool)] {
      #expect(try Self.fails(pattern, text) != isMatch, "\(pattern) on \(text)")
    }
  }

  /// A backtracking matcher would practically never finish these.
  @Test(.timeLimit(.minutes(1))) func nothingExplodes() throws {
    let text = JSONString(String(repeating: "a", count: 3000))
    for pattern in ["(a+)+b", "(a|a)*b", "(a*)*(a*)*b", "(a|aa)+c"] as [JSONString] {
      #expect(try Self.fails(pattern, text), "\(pattern)")
    }
  }

  /// The limit of `find`: 1,000 parts and 67,108 bytes are at most 2^26, one byte more exceeds it.
  @Test func theWorkIsBounded() throws {
    let pattern: JSONString = "(a{250}){4}"
    #expect(try Self.fails(pattern, JSONString(String(repeating: "b", count: 67_108))))
    let failure = #expect(throws: DatastoreError.self) {
      try Self.fails(pattern, JSONString(String(repeating: "b", count: 67_109)))
    }
    #expect(failure?.kind == .tooLarge(limit: 1 << 26))
  }
}
