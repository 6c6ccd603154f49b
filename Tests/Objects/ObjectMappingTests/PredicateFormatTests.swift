import JSON
import ObjectMapping
import Testing

/// The text form of predicates, and the limit of its nesting depth.
struct PredicateFormatTests {
  @Test(arguments: FetchingTests.cases.map { $0.0 })
  func aWrittenPredicateReadsBack(format: String) throws {
    let predicate = try FetchPredicate(JSONString(format))
    let (text, arguments) = predicate.format
    #expect(try FetchPredicate(text, arguments) == predicate)
  }

  @Test func partsAreJoinedByTheirWord() throws {
    let predicate = try FetchPredicate("a == 1 AND (b > 2 OR NOT c CONTAINS[c] 'x' OR d != nil)")
    #expect(
      predicate.format.text
        == "(%K == %@ AND (%K > %@ OR NOT (%K CONTAINS[c] %@) OR %K != %@))")
  }

  /// The limit counts nested parts, not consecutive ones.
  @Test func depthCountsNestedPartsOnly() throws {
    let wide = Array(repeating: "(a == 1)", count: 200).joined(separator: " OR ")
    guard case .or(let parts) = try FetchPredicate(JSONString(wide)) else {
      Issue.record("expected a disjunction")
      return
    }
    #expect(parts.count == 200)
    func nested(_ depth: Int) throws -> FetchPredicate {
      let (opening, closing) = ("(", ")")
      return try FetchPredicate(
        JSONString(
          String(repeating: opening, count: depth) + "a == 1"
            + String(repeating: closing, count: depth)))
    }
    #expect(try nested(63) == FetchPredicate("a == 1"))
    #expect(throws: FetchPredicateError.self) { try nested(64) }
  }

  /// A longer path would be followed by recursion.
  @Test func keyPathsHaveALimit() throws {
    func path(_ names: Int) throws -> FetchPredicate {
      try FetchPredicate(JSONString(String(repeating: "p.", count: names - 1) + "a == 1"))
    }
    _ = try path(64)
    #expect(throws: FetchPredicateError.self) { try path(65) }
    #expect(throws: FetchPredicateError.self) { try path(100_000) }
  }
}
