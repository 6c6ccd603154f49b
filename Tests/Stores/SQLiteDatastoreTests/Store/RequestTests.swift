import Datastore
import JSON
import Testing

/// The first half of every operation: the validation of its arguments.
@Suite struct RequestTests {
  @Test func idsThatAreNone() {
    let bench = Bench()
    for id in ["", "_", "_x", "_design/", "_local/x", "a\u{0}b", "_\u{301}x"] {
      let id = DocumentID(JSONString(id))
      let actions: [StoreAction] = [
        .create(id: id, body: [:]), .update(id: id, rev: "1-a", body: [:]),
        .delete(id: id, rev: "1-a"), .read(id: id), .leaves(id: id), .purge(id: id, revs: []),
        .resolve(id: id, leaves: ["1-a"], keep: "1-a"),
        .revsDiff([RevisionQuery(id: id, revs: [])]),
        .getRevisions([RevisionQuery(id: id, revs: [])]),
      ]
      for action in actions { #expect(bench.failure(action) == .badID, "\(action)") }
      #expect(bench.insert(id, ["1-a"])?.kind == .badID)
    }
    for id in ["", "a\u{0}b"] {
      let id = DocumentID(JSONString(id))
      #expect(bench.failure(.readLocal(id: id)) == .badID)
      #expect(bench.failure(.writeLocal(id: id, body: [:])) == .badID)
    }
    #expect(bench.failure(.writeLocal(id: "_x", body: [:])) == nil)
    let long = DocumentID(JSONString(String(repeating: "x", count: 4097)))
    #expect(bench.failure(.create(id: long, body: [:])) == .tooLarge(limit: 4096))
    let longest = DocumentID(JSONString(String(repeating: "x", count: 4096)))
    #expect(bench.failure(.create(id: longest, body: [:])) == nil)
    #expect(bench.failure(.create(id: "_design/x", body: [:])) == nil)
    #expect(bench.failure(.create(id: "e\u{301}", body: [:])) == nil)
    #expect(bench.failure(.create(id: "é", body: [:])) == nil)
  }

  @Test func revisionsThatAreNone() {
    let bench = Bench()
    for rev in [
      "", "1", "1-", "-a", "0-a", "01-a", "+1-a", "1a-b", " 1-a", "1 -a", "٣-a", "-1-a",
      "9007199254740992-a", "99999999999999999999-a",
    ] {
      #expect(
        bench.failure(.read(id: "d", rev: RevisionID(JSONString(rev)))) == .badRevision, "\(rev)")
    }
    for rev in ["1-a", "9007199254740991-x", "10--", "2-a-b", "1-\u{0}", "1-é"] {
      let rev = RevisionID(JSONString(rev))
      #expect(bench.insert("d", [rev]) == nil)
      #expect(bench.body("d", rev) == [:], "\(rev)")
    }
    expectInvariants(in: bench.storage)
  }

  @Test func pathsThatAreNone() {
    let bench = Bench()
    for path: [RevisionID] in [
      [], ["2-b", "2-a"], ["3-c", "1-a"], ["1-a", "2-b"], ["2-b", "1"], ["1-a", "0-x"],
    ] {
      #expect(bench.insert("d", path)?.kind == .badRevision, "\(path)")
    }
    #expect(bench.last == 0)
  }

  @Test func couchDBFoldsDigests() {
    let bench = Bench(collation: .couchdb)
    let upper = RevisionID(JSONString("1-" + String(repeating: "AB", count: 16)))
    let lower = RevisionID(JSONString("1-" + String(repeating: "ab", count: 16)))
    bench.insert("d", [upper])
    #expect(bench.leaves("d") == [lower.text.string])
    #expect(bench.body("d", upper) == [:])
    let noDigest = RevisionID(JSONString("1-" + String(repeating: "x", count: 32)))
    #expect(bench.insert("d", [noDigest])?.kind == .badRevision)
    let bytes = Bench()
    bytes.insert("d", [upper])
    #expect(bytes.leaves("d") == [upper.text.string])
    #expect(bytes.insert("d", [noDigest]) == nil)
  }

  @Test func bodiesThatAreNone() {
    let bench = Bench()
    for body: JSONValue in [
      [], 1, .null, "x", ["_id": 1], ["a": 1, "_": 2], ["_\u{301}": 1],
      ["n": .double(.infinity)], ["n": [["m": .double(.nan)]]],
    ] {
      #expect(bench.failure(.create(id: "d", body: body)) == .badBody)
      #expect(bench.failure(.writeLocal(id: "d", body: body)) == .badBody)
      #expect(bench.insert("d", ["1-a"], body: body)?.kind == .badBody)
      #expect(bench.failure(.delete(id: "d", rev: "1-a", body: body)) == .badBody)
    }
    for body: JSONValue in [["": 1], ["a\u{0}": "\u{0}"], ["a": ["_x": 1]], ["\u{301}_": 1]] {
      bench.perform(.writeLocal(id: "l", body: body))
      #expect(bench.perform(.readLocal(id: "l")) == .ok(.local(body: body)))
    }
  }

  @Test func limitsOfBodies() {
    let bench = Bench()
    func nested(_ depth: Int) -> JSONValue {
      (1..<depth).reduce([:]) { inner, _ in ["a": inner] }
    }
    #expect(bench.failure(.create(id: "deep", body: nested(256))) == nil)
    #expect(bench.body("deep") == nested(256))
    #expect(bench.failure(.create(id: "deeper", body: nested(257))) == .tooLarge(limit: 256))
    #expect(
      bench.failure(.create(id: "deeper", body: ["a": .array([nested(255)])]))
        == .tooLarge(limit: 256))
    // {"a":"…"} is eight bytes and the text; an escape counts as encoded.
    let text = String(repeating: "x", count: 8_000_000 - 8 - 6)
    #expect(bench.failure(.create(id: "long", body: ["a": .text(text + "\u{1}")])) == nil)
    #expect(
      bench.failure(.create(id: "longer", body: ["a": .text(text + "\u{1}1")]))
        == .tooLarge(limit: 8_000_000))
  }

  @Test func callsThatMakeNoSense() {
    let bench = Bench()
    #expect(bench.failure(.list(limit: -1)) == .badRequest(path: "limit"))
    #expect(bench.failure(.changes(limit: -1)) == .badRequest(path: "limit"))
    #expect(bench.failure(.historyLimit(0)) == .badRequest(path: "limit"))
    #expect(
      bench.failure(.resolve(id: "d", leaves: ["1-a"], keep: "1-b")) == .badRequest(path: "keep"))
    #expect(
      bench.failure(.batch([.create(id: "a", body: [:]), .compact]))
        == .badRequest(path: "writes[1].op"))
    #expect(bench.failure(.read(id: "a")) == .notFound(.missing))
  }
}
