import Datastore
import JSON
import RevisionTree
import Testing

struct CollationTests {
  /// Each list ascends strictly under its collation.
  @Test(arguments: [
    // The generation is a number: 10 comes after 9.
    (CollationName.bytes, ["1-b", "2-a", "9-z", "10-0", "10-00", "10-a", "100-0"]),
    // Byte order, without locale or Unicode order; a prefix sorts first, and hexadecimal is not
    // special.
    (.bytes, ["1-9", "1-B", "1-a", "1-aa", "1-ab", "1-z", "1-é", "1-\u{ff5e}", "1-\u{1f600}"]),
    // Observed on CouchDB 3.4.3: 32 hexadecimal digits encode 16 bytes.
    (
      .couchdb,
      [
        "1-" + String(repeating: "7", count: 32), "1-x", "1-" + String(repeating: "8", count: 32),
        "1-" + String(repeating: "f", count: 32), "2-a",
      ]
    ),
    (.couchdb, ["1-9", "1-B", "1-a", "1-aa", "1-zz", "1-é", "9-z", "10-a"]),
    // CDTDatastore: one digit each, or more than eight, compare as text.
    (.cdt, ["1-a", "1-b", "9-z", "10-a", "456-foo", "456-foofoo", "99999999-a"]),
    (.cdt, ["123456789-a", "2-b"]), (.cdt, ["123456789-a", "99999999-a"]),
    (.cdt, ["89-foo", "123-bar"]),
  ])
  func ascends(name: CollationName, ids: [String]) {
    let collation = Collation(name)
    for (lower, left) in ids.enumerated() {
      for (upper, right) in ids.enumerated() {
        #expect(
          collation.precedes(revision(left), revision(right)) == (lower < upper),
          "\(left) \(right)")
      }
    }
  }

  @Test func couchdbFoldsHexadecimal() throws {
    let capital = RevisionID(JSONString("1-" + String(repeating: "aB", count: 16)))
    let folded = try #require(Collation(.couchdb).revision(capital))
    #expect(folded.suffix == JSONString(String(repeating: "ab", count: 16)))
    #expect(Collation(.bytes).revision(capital)?.id == capital)
    #expect(Collation(.couchdb).revision("1-AB")?.id == "1-AB")
  }

  @Test func couchdbRefusesOther32Bytes() {
    let id = RevisionID(JSONString("1-" + String(repeating: "g", count: 32)))
    #expect(Collation(.couchdb).revision(id) == nil)
    #expect(Collation(.bytes).revision(id) != nil)
  }
}
