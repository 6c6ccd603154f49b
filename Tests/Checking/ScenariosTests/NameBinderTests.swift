import Datastore
import JSON
import Scenarios
import Testing

/// References that replace generated names.
struct NameBinderTests {
  @Test func aNameIsBoundOnce() {
    var names = NameBinder()
    #expect(names.bound("1-a" as RevisionID) == ["$bind": "r1", "generation": 1])
    #expect(names.bound("1-a" as RevisionID) == ["$ref": "r1"])
    #expect(names.bound("d" as DocumentID) == ["$bind": "d2"])
    #expect(names.bound(.text("s") as UpdateSequence) == ["$bind": "s3"])
    #expect(names.reference(to: "d") == ["$ref": "d2"])
    #expect(names.reference(to: "e") == "e")
  }

  /// Only members whose values are names or lists of names change. Bodies and other members do not.
  @Test func namesBecomeReferences() {
    var names = NameBinder()
    _ = names.bound("1-a" as RevisionID)
    _ = names.bound("d" as DocumentID)
    let value: JSONValue = [
      "id": "d", "revs": ["1-a", "2-b"], "body": ["id": "d", "revs": ["1-a"]],
      "docs": [["id": "d", "revs": ["1-a"]]], "note": "d", "list": ["d"],
    ]
    let (document, rev): (JSONValue, JSONValue) = (["$ref": "d2"], ["$ref": "r1"])
    #expect(
      names.referring(value) == [
        "id": document, "revs": [rev, "2-b"], "body": ["id": "d", "revs": ["1-a"]],
        "docs": [["id": document, "revs": [rev]]], "note": "d", "list": ["d"],
      ])
  }
}
