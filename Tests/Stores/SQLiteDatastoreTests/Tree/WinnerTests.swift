import Datastore
import JSON
import Testing

@Suite struct WinnerTests {
  struct Case: Sendable {
    let collation: CollationName
    /// Leaves in winner order, with `-` before tombstones.
    let order: [String]

    init(_ collation: CollationName, _ order: String...) {
      self.collation = collation
      self.order = order
    }
  }

  static let cases: [Case] = [
    Case(.bytes, "2-b", "2-a", "1-f"), Case(.bytes, "1-a", "-3-f"), Case(.bytes, "10-0", "9-a"),
    Case(.bytes, "-3-a", "-2-f"), Case(.bytes, "1-abc", "1-ab", "1-a", "1-B"),
    Case(.bytes, "1-é", "1-z", "1-\u{0}a", "1-\u{0}"), Case(.bytes, "123456789-a", "10-x", "2-b"),
    Case(.couchdb, "1-\(String(repeating: "f", count: 32))", "1-zz", "1-a"),
    Case(
      .couchdb, "1-\(String(repeating: "8", count: 32))", "1-x",
      "1-\(String(repeating: "7", count: 32))"),
    Case(.couchdb, "1-é", "1-z"),
    Case(.bytes, "1-zz", "1-\(String(repeating: "f", count: 32))", "1-a"),
    Case(.cdt, "10-a", "9-z"), Case(.cdt, "456-foofoo", "456-foo", "123-bar"),
    Case(.cdt, "123-bar", "89-foo"), Case(.cdt, "2-b", "123456789-a"),
    Case(.cdt, "99999999-a", "3-b"), Case(.cdt, "-2-b", "-123456789-a"),
    Case(.cdt, "123456789-a", "-2-b"), Case(.cdt, "9-x", "123456789-a", "100-x"),
  ]

  @Test(arguments: cases)
  func theWinnerDoesNotDependOnArrival(expected: Case) {
    for leaves in [expected.order, expected.order.reversed()] {
      let bench = Bench(collation: expected.collation)
      for leaf in leaves {
        let isDeleted = leaf.utf8.first == UInt8(ascii: "-")
        bench.insert(
          "d", [RevisionID(JSONString(isDeleted ? String(leaf.dropFirst()) : leaf))],
          deleted: isDeleted)
      }
      let found = bench.leaves("d").map { JSONString($0) }
      let order = expected.order.map { JSONString($0) }
      // After the winner, CDT's comparison of long generations guarantees nothing.
      #expect(found.first == order.first)
      #expect(Set(found) == Set(order))
      if expected.collation != .cdt { #expect(found == order) }
      expectInvariants(in: bench.storage)
    }
  }

  /// Sixteen bytes and the 32 digits that encode them have equal ranks; the name decides.
  @Test func equalRanksHaveAnOrder() {
    let plain: RevisionID = "1-abcdefghijklmnop"
    let digits: RevisionID = "1-6162636465666768696a6b6c6d6e6f70"
    var winners: Set<String?> = []
    for order in [[plain, digits], [digits, plain]] {
      let bench = Bench(collation: .couchdb)
      for rev in order { bench.insert("d", [rev]) }
      winners.insert(bench.leaves("d").first)
    }
    #expect(winners == [plain.text.string])
  }
}
