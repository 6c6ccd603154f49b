import Datastore
import JSON
import SQLiteDatastore
import Testing

/// Names computed by real products.
@Suite struct RevisionDigestTests {
  struct CDTEdit: Sendable {
    /// The previous edits, each a body or nil for a deletion, and finally the edit to name.
    let edits: [JSONValue?]
    let name: String
  }

  /// From CDTDatastore's own tests (the first two) or recomputed from its algorithm.
  static let cdtEdits: [CDTEdit] = [
    CDTEdit(edits: [["hello": "world"]], name: "1-1f7588ca02054efe626a6e440a431861"),
    CDTEdit(
      edits: [["hello": "world"], ["hi": "mike"]], name: "2-be2c05cd85b8468ce92b04e001b0e923"),
    CDTEdit(edits: [[:]], name: "1-c4103f122d27677c9db144cae1394a66"),
    CDTEdit(edits: [["hello": "world"], nil], name: "2-1903c663d301c3170ad524f008c9a517"),
    CDTEdit(
      edits: [["hello": "world"], nil, ["hello": "world"]],
      name: "3-9871230a956f3b8f593cd863c9b5896b"),
    CDTEdit(edits: [["hello": "world"], nil, nil], name: "3-90ab5e2b57384fac9620d51fde10a2e9"),
    CDTEdit(edits: [["a": 1, "b": 2]], name: "1-4a98acc046da70cc93ef869a9d78299b"),
    CDTEdit(
      edits: [["f": false, "n": .null, "t": true]], name: "1-4a598a9d36a34281db8feb6f28d6cbdd"),
    CDTEdit(edits: [["k": ["x", ["y": [], "z": 1]]]], name: "1-96c1568e8fd9bb564b73cbef3d322d5c"),
    CDTEdit(
      edits: [["s": "tab\there \"q\" \\ nl\n slash/"]],
      name: "1-04217548022852b5ce788d64e118b5a7"),
    CDTEdit(edits: [["Z": "😀", "é": "ü"]], name: "1-d9733b49371455cfdd3f26bcf153b470"),
    CDTEdit(edits: [["a": [:]]], name: "1-b557c5a295553b600238a7dbf7089254"),
  ]

  @Test(arguments: [nil, .own, .cdtDigest, .cdtDigest2] as [RevisionIDProfile?])
  func cdtDigestsAreThoseOfTheProduct(profile: RevisionIDProfile?) {
    for edit in Self.cdtEdits {
      let bench = Bench(revisionIDs: profile)
      var rev: RevisionID?
      for body in edit.edits {
        if let body {
          if let parent = rev, bench.leaves("d").first?.first != "-" {
            rev = bench.written(.update(id: "d", rev: parent, body: body))
          } else {
            rev = bench.written(.create(id: "d", body: body))
          }
        } else if let parent = rev {
          rev = bench.written(.delete(id: "d", rev: parent))
        }
      }
      #expect(rev?.text.string == edit.name)
    }
  }

  @Test func memberOrderDoesNotMatterToCDT() {
    let bench = Bench()
    let left = bench.written(.create(id: "l", body: ["b": 2, "a": 1]))
    let right = bench.written(.create(id: "r", body: ["a": 1.0, "b": 2]))
    #expect(left == "1-4a98acc046da70cc93ef869a9d78299b")
    #expect(right == left)
  }

  @Test func aParentOf256BytesHasNoPlaceInTheCDTDigest() {
    let bench = Bench()
    let long = RevisionID(JSONString("1-" + String(repeating: "x", count: 254)))
    let longest = RevisionID(JSONString("1-" + String(repeating: "x", count: 253)))
    bench.insert("long", [long])
    bench.insert("longest", [longest])
    #expect(bench.failure(.update(id: "long", rev: long, body: [:])) == .badRevision)
    #expect(bench.failure(.update(id: "longest", rev: longest, body: [:])) == nil)
  }

  @Test(arguments: CouchDBNames.all)
  func couchDBNamesAreThoseOfTheServer(name: CouchDBNames.Name) throws {
    let bench = Bench(revisionIDs: .couchdb, collation: .couchdb)
    let body = try JSONValue.parse(name.body)
    let made: RevisionID
    if let parent = name.parent {
      let parent = RevisionID(JSONString(parent))
      bench.insert("d", [parent])
      made =
        name.deleted
        ? bench.written(.delete(id: "d", rev: parent, body: body))
        : bench.written(.update(id: "d", rev: parent, body: body))
    } else {
      made = bench.written(.create(id: "d", body: body))
    }
    #expect(made.text.string == name.rev)
  }

  /// Recorded from CouchDB 3.4.3, which compresses text before it stores it, and computes revision
  /// ids from the MD5 of the stored bytes; content that is already compressed is unchanged.
  @Test func couchdbAttachments() throws {
    let bench = Bench(revisionIDs: .couchdb)
    let hello = String(repeating: "hello world ", count: 30)
    let octets = RevisionAttachment(
      "b.bin", .data("AAEC"), type: "application/octet-stream")
    let first = try bench.write(
      .create(
        id: "a", body: [:],
        attachments: [data("t.txt", hello), octets, data("def", "xyz", type: nil)]))
    #expect(first == "1-89b22207cce67918c370a155bacacd3c")
    let second = try bench.write(
      .update(
        id: "a", rev: first, body: ["v": 2], attachments: [stub("t.txt"), data("n.txt", "new")]))
    #expect(second == "2-6c9e877124024cef26624080b2fa0163")
    let third = try bench.write(
      .update(id: "a", rev: second, body: [:], attachments: [stub("t.txt")]))
    #expect(third == "3-c901fe3b4f0cb6794b587f6b2abb8486")
    let packed = RevisionAttachment(
      "f", .data("H4sIAAAAAAACA8tIzcnJV0ivyiwAABlq0t8KAAAA"), type: "text/plain",
      encoding: "gzip")
    #expect(
      try bench.write(.create(id: "gz", body: [:], attachments: [packed]))
        == "1-c471c7f11b8183cb2dcba7b7df4517a5")
    #expect(
      try bench.write(
        .create(id: "mp", body: [:], attachments: [data("f1", "abc"), data("f2", "wxyz")]))
        == "1-4a5c9e8a3d10ccdbb93eb4e20df474b2")
  }
}
