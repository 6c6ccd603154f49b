import Datastore
import JSON
import Selectors
import Testing

/// The exact bound on the work of expressions, and conditions that do not count toward it.
struct ExpressionWorkTests {
  /// Conditions beside an expression that match no text with an expression.
  static let others: [JSONValue] = [
    ["missing": ["$regex": "x"]], ["number": ["$gt": 1]], ["number": ["$regex": "x"]],
    ["list": ["$elemMatch": ["x": ["$regex": "x"]]]], ["list": ["$elemMatch": ["$gt": 1]]],
    ["$text": ["$search": "x", "$fields": ["a"]]], ["missing": ["$not": ["$regex": "x"]]],
  ]

  // 2^26 is 4 times 16,777,216, and one more is 5 times 13,421,773.
  private static let atTheBound = JSONString(String(repeating: "b", count: 16_777_216))
  private static let aboveTheBound = JSONString(String(repeating: "b", count: 13_421_773))

  /// Returns true if an expression of `parts` parts on a text, before or after another condition,
  /// exceeds the bound.
  private static func isTooMuch(
    parts: Int, _ text: JSONString, _ other: JSONValue, otherIsFirst: Bool
  ) throws -> Bool {
    let patterns = (1...parts).map { JSONString(String(repeating: "a", count: $0)) }
    let pattern = try #require(
      try patterns.first { try RegularExpression($0, path: "").parts == parts })
    let expression: JSONValue = ["a": ["$regex": .string(pattern)]]
    let selector = try FindSelector(
      ["$and": otherIsFirst ? [other, expression] : [expression, other]])
    let body: JSONObject = ["a": .string(text), "number": 5, "list": [1, 2]]
    return Subject(.object(body), id: "d", rev: "1-a").isTooMuchWork(for: selector)
  }

  /// The order matters, because the sum ends at the first condition that exceeds the bound.
  @Test(arguments: others, [false, true])
  func onlyTextsCount(other: JSONValue, otherIsFirst: Bool) throws {
    #expect(RegularExpression.workMax == 1 << 26)
    #expect(
      try !Self.isTooMuch(parts: 4, Self.atTheBound, other, otherIsFirst: otherIsFirst))
    #expect(
      try Self.isTooMuch(parts: 5, Self.aboveTheBound, other, otherIsFirst: otherIsFirst))
  }

  /// Matching keeps no state from the previous text.
  @Test func eachTextIsMatchedAfresh() throws {
    let matching = ExpressionMatching(try RegularExpression("ab", path: ""))
    for text in ["a", "b", "xa", "b"] as [JSONString] { #expect(!matching.occurs(in: text)) }
    #expect(matching.occurs(in: "ab"))
    #expect(!matching.occurs(in: "b"))
  }
}
