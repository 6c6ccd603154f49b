import Datastore
import JSON
import Testing

struct ContentFlawTests {
  /// U+0161 and U+0061 have the same low byte, and so have the first units of U+1F600 and U+103D.
  @Test(
    arguments: [
      (["t": "a"], ["t": "\u{161}"], true),
      (["t": "a"], ["t": "b"], false),
      (["a": 1], ["\u{161}": 1], true),
      (["t": ["a", "a"]], ["t": ["\u{161}", "a"]], true),
      (["t": "a"], ["t": "aa"], false),
      (["t": 1], ["t": 257], false),
      (["t": "\u{1F600}"], ["t": "\u{3D}\u{0}"], true),
    ] as [(JSONValue, JSONValue, Bool)])
  func lowBytes(left: JSONValue, right: JSONValue, isSame: Bool) {
    let flaw = ContentFlaw.highBytesOfTexts
    #expect(flaw.covered(left).isSameValue(as: flaw.covered(right)) == isSame)
    #expect(!left.isSameValue(as: right))
    #expect(ContentFlaw.attachmentsOfRecreations.covered(left) == left)
  }
}
