import Datastore
import JSON
import Testing

struct OutcomeJSONTests {
  static let encodings: [(StoreAction, Outcome, String)] = [
    (.compact, .ok(.done), #"{"ok":{}}"#), (.compact, .unknown, #"{"unknown":{}}"#),
    (
      .info,
      .ok(
        .info(
          StoreInfo(documents: 1, deletedDocuments: 2, last: .integer(3), incarnation: "i"))),
      #"{"ok":{"documents":1,"deletedDocuments":2,"last":3,"incarnation":"i"}}"#
    ),
    (
      .create(id: nil, body: [:]), .ok(.written(id: "d", rev: "1-a")),
      #"{"ok":{"id":"d","rev":"1-a"}}"#
    ),
    (
      .read(id: "d"),
      .ok(.document(DocumentRevision(id: "d", rev: "1-a", deleted: true, body: [:]))),
      #"{"ok":{"id":"d","rev":"1-a","deleted":true,"body":{}}}"#
    ),
    (
      .list(), .ok(.list([ListRow(id: "d", rev: "1-a")])),
      #"{"ok":{"rows":[{"id":"d","rev":"1-a"}]}}"#
    ),
    (
      .leaves(id: "d"), .ok(.leaves([Leaf(rev: "1-a"), Leaf(rev: "1-b", deleted: true)])),
      #"{"ok":{"leaves":[{"rev":"1-a","deleted":false},{"rev":"1-b","deleted":true}]}}"#
    ),
    (
      .changes(),
      .ok(
        .changes(
          ChangesPage(
            rows: [
              ChangesRow(seq: .text("1"), id: "d", deleted: false, leaves: [Leaf(rev: "1-a")])
            ], last: .text("1"), more: true))),
      #"{"ok":{"rows":[{"seq":"1","id":"d","deleted":false,"#
        + #""leaves":[{"rev":"1-a","deleted":false}]}],"last":"1","more":true}}"#
    ),
    (
      .revsDiff([]),
      .ok(.revsDiff([Difference(id: "d", missing: ["2-b"], possibleAncestors: ["1-a"])])),
      #"{"ok":{"results":[{"id":"d","missing":["2-b"],"possibleAncestors":["1-a"]}]}}"#
    ),
    (
      .getRevisions([]),
      .ok(
        .revisions([
          RevisionAnswer(
            id: "d", rev: "1-a",
            found: .records([RevisionRecord(id: "d", path: ["1-a"], body: [:])])),
          RevisionAnswer(id: "d", rev: "1-b", found: .missing),
          RevisionAnswer(id: "d", rev: "1-c", found: .bodyMissing),
        ])),
      #"{"ok":{"results":[{"id":"d","rev":"1-a","#
        + #""records":[{"id":"d","path":["1-a"],"body":{}}]},"#
        + #"{"id":"d","rev":"1-b","missing":"missing"},"#
        + #"{"id":"d","rev":"1-c","missing":"bodyMissing"}]}}"#
    ),
    (
      .insertRevisions([]), .ok(.inserted([nil, DatastoreError(.forbidden)])),
      #"{"ok":{"results":[{"ok":{}},{"error":{"kind":"forbidden"}}]}}"#
    ),
    (.readLocal(id: "d"), .ok(.local(body: ["n": 1])), #"{"ok":{"body":{"n":1}}}"#),
    (
      .resolve(id: "d", leaves: [], keep: "1-a"),
      .ok(.resolved(rev: "1-a", tombstones: ["2-b"])),
      #"{"ok":{"rev":"1-a","tombstones":["2-b"]}}"#
    ),
    (.purge(id: "d", revs: []), .ok(.purged(["1-a"])), #"{"ok":{"purged":["1-a"]}}"#),
    (
      .batch([.delete(id: "d", rev: "1-a"), .writeLocal(id: "d", body: nil)]),
      .ok(.batch([.written(id: "d", rev: "2-b"), .done])),
      #"{"ok":{"results":[{"id":"d","rev":"2-b"},{}]}}"#
    ),
  ]

  @Test(arguments: encodings)
  func isOneAndTheSameBothWays(action: StoreAction, outcome: Outcome, encoding: String) throws {
    #expect(outcome.json.serialized() == encoding)
    #expect(try Outcome(JSONValue.parse(encoding), of: action) == outcome)
  }

  @Test(arguments: [
    (DatastoreError.Kind.badName, #"{"kind":"badName"}"#), (.badID, #"{"kind":"badID"}"#),
    (.badRevision, #"{"kind":"badRevision"}"#), (.badBody, #"{"kind":"badBody"}"#),
    (.badSequence, #"{"kind":"badSequence"}"#),
    (.badRequest(path: "limit"), #"{"kind":"badRequest","path":"limit"}"#),
    (.conflict, #"{"kind":"conflict"}"#),
    (.notFound(.missing), #"{"kind":"notFound","reason":"missing"}"#),
    (.notFound(.deleted), #"{"kind":"notFound","reason":"deleted"}"#),
    (.notFound(.bodyMissing), #"{"kind":"notFound","reason":"bodyMissing"}"#),
    (.forbidden, #"{"kind":"forbidden"}"#), (.missingStub, #"{"kind":"missingStub"}"#),
    (.badAttachment, #"{"kind":"badAttachment"}"#),
    (.tooLarge(limit: 7), #"{"kind":"tooLarge","limit":7}"#),
    (.noSuchStore, #"{"kind":"noSuchStore"}"#),
    (.unsupported(what: "purge"), #"{"kind":"unsupported","what":"purge"}"#),
    (.storage(.full), #"{"kind":"storage","fault":"full"}"#),
    (.storage(.newerVersion), #"{"kind":"storage","fault":"newerVersion"}"#),
    (.busy, #"{"kind":"busy"}"#),
  ])
  func errors(kind: DatastoreError.Kind, encoding: String) throws {
    let json = try JSONValue.parse(encoding)
    #expect(DatastoreError(kind).json == json)
    #expect(try DatastoreError(json, path: "") == DatastoreError(kind))
  }

  @Test func errorsCarryTheirWriteAndMessage() throws {
    let error = DatastoreError(.conflict, "why", write: 3)
    #expect(error.json.serialized() == #"{"kind":"conflict","write":3,"message":"why"}"#)
    #expect(try DatastoreError(error.json, path: "") == error)
    #expect("\(error)" == "conflict (write 3): why")
  }

  @Test(arguments: [
    (StoreAction.compact, "{}", "unknown", "missing"), (.compact, #"{"ok":[]}"#, "ok", "an array"),
    (.compact, #"{"ok":{"x":1}}"#, "ok.x", "unknown"),
    (.compact, #"{"ok":{},"error":{"kind":"busy"}}"#, "error", "unknown"),
    (.compact, #"{"error":{"kind":"odd"}}"#, "error.kind", "odd"),
    (.compact, #"{"error":{"kind":"notFound","reason":"lost"}}"#, "error.reason", "not one of"),
    (.compact, #"{"error":{"kind":"busy","path":"x"}}"#, "error.path", "unknown"),
    (.create(id: "d", body: [:]), #"{"ok":{"id":"d"}}"#, "ok.rev", "missing"),
    (.info, #"{"ok":{"documents":1.0}}"#, "ok.documents", "integer"),
    (.batch([.flush]), #"{"ok":{"results":[]}}"#, "ok.results", "expected 1 results, found 0"),
    (
      .getRevisions([]), #"{"ok":{"results":[{"id":"d","rev":"1-a","missing":"gone"}]}}"#,
      "ok.results[0].missing", "gone"
    ),
    (.insertRevisions([]), #"{"ok":{"results":[{}]}}"#, "ok.results[0].ok", "missing"),
  ])
  func saysWhatIsWrongAndWhere(
    action: StoreAction, encoding: String, path: String, message: String
  ) throws {
    let json = try JSONValue.parse(encoding)
    let failure = try #require(throws: DecodingFailure.self) { try Outcome(json, of: action) }
    #expect(failure.path == path)
    #expect(failure.message.contains(message), "\(failure)")
  }
}
