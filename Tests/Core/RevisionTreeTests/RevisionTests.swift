import Datastore
import JSON
import RevisionTree
import Testing

struct RevisionTests {
  @Test(arguments: [
    ("1-a", 1, "a"), ("10-a-b-", 10, "a-b-"), ("2--", 2, "-"), ("3- ", 3, " "),
    ("9007199254740991-é", 9_007_199_254_740_991, "é"), ("1-\u{0}", 1, "\u{0}"),
  ])
  func parses(id: String, generation: Int64, suffix: String) throws {
    let revision = try #require(Revision(RevisionID(JSONString(id))))
    #expect(revision.generation == generation)
    #expect(revision.suffix == JSONString(suffix))
    #expect(revision.id == RevisionID(JSONString(id)))
  }

  @Test(arguments: [
    "", "-", "1", "1-", "-a", "0-a", "00-a", "01-a", "+1-a", "-1-a", " 1-a", "1 -a", "1_a", "a-1",
    "1.0-a", "0x1-a", "9007199254740992-a", "18446744073709551617-a", "99999999999999999-a",
    "\u{661}-a", "\u{ff11}-a", "1\u{301}-a",
  ])
  func refuses(id: String) { #expect(Revision(RevisionID(JSONString(id))) == nil) }

  @Test func suffixesAreBytes() {
    #expect(revision("1-é") != revision("1-e\u{301}"))
  }

  @Test(arguments: [
    (["2-b", "1-a"], true), (["1-a"], true), (["7-a", "6-a"], true), ([], false),
    (["1-a", "2-b"], false), (["3-c", "1-a"], false), (["2-b", "2-a"], false),
  ])
  func pathsFallByOne(ids: [String], isPath: Bool) {
    #expect((RevisionPath(ids.map { revision($0) }) != nil) == isPath)
  }
}
