import Datastore
import JSON
import Testing

struct OperationJSONTests {
  /// Every operation with all of its arguments, and with only the required ones.
  static let encodings: [(StoreAction, String)] = [
    (.open(), #"{"op":"open","store":"a"}"#),
    (
      .open(revisionIDs: .cdtDigest2, collation: .couchdb),
      #"{"op":"open","store":"a","revisionIDs":"cdt-digest-2","collation":"couchdb"}"#
    ),
    (.close, #"{"op":"close","store":"a"}"#), (.destroy, #"{"op":"destroy","store":"a"}"#),
    (.info, #"{"op":"info","store":"a"}"#),
    (.create(id: nil, body: [:]), #"{"op":"create","store":"a","body":{}}"#),
    (.create(id: "d", body: [1]), #"{"op":"create","store":"a","id":"d","body":[1]}"#),
    (.create(id: "d", body: .null), #"{"op":"create","store":"a","id":"d","body":null}"#),
    (
      .update(id: "d", rev: "1-a", body: ["n": 1.0]),
      #"{"op":"update","store":"a","id":"d","rev":"1-a","body":{"n":1.0}}"#
    ),
    (.delete(id: "d", rev: "1-a"), #"{"op":"delete","store":"a","id":"d","rev":"1-a"}"#),
    (
      .delete(id: "d", rev: "1-a", body: [:]),
      #"{"op":"delete","store":"a","id":"d","rev":"1-a","body":{}}"#
    ),
    (.read(id: "d"), #"{"op":"read","store":"a","id":"d"}"#),
    (.read(id: "d", rev: "1-a"), #"{"op":"read","store":"a","id":"d","rev":"1-a"}"#),
    (.list(), #"{"op":"list","store":"a"}"#),
    (
      .list(from: "", limit: 0, descending: true),
      #"{"op":"list","store":"a","from":"","limit":0,"descending":true}"#
    ),
    (.leaves(id: "d"), #"{"op":"leaves","store":"a","id":"d"}"#),
    (.changes(), #"{"op":"changes","store":"a"}"#),
    (
      .changes(since: .text("7"), limit: -1),
      #"{"op":"changes","store":"a","since":"7","limit":-1}"#
    ),
    (.changes(since: .integer(7)), #"{"op":"changes","store":"a","since":7}"#),
    (
      .revsDiff([RevisionQuery(id: "d", revs: ["1-a"])]),
      #"{"op":"revsDiff","store":"a","revs":[{"id":"d","revs":["1-a"]}]}"#
    ),
    (
      .getRevisions([RevisionQuery(id: "d", revs: [], latest: true)]),
      #"{"op":"getRevisions","store":"a","docs":[{"id":"d","revs":[],"latest":true}]}"#
    ),
    (
      .insertRevisions([
        RevisionRecord(id: "d", path: ["2-b", "1-a"], deleted: true, body: ["x": .null])
      ]),
      #"{"op":"insertRevisions","store":"a","records":[{"id":"d","path":["2-b","1-a"],"#
        + #""deleted":true,"body":{"x":null}}]}"#
    ),
    (.readLocal(id: "d"), #"{"op":"readLocal","store":"a","id":"d"}"#),
    (.writeLocal(id: "d", body: nil), #"{"op":"writeLocal","store":"a","id":"d","body":null}"#),
    (.writeLocal(id: "d", body: [:]), #"{"op":"writeLocal","store":"a","id":"d","body":{}}"#),
    (
      .resolve(id: "d", leaves: ["1-a", "1-b"], keep: "1-a"),
      #"{"op":"resolve","store":"a","id":"d","leaves":["1-a","1-b"],"keep":"1-a"}"#
    ),
    (
      .resolve(id: "d", leaves: [], keep: "1-a", body: [:]),
      #"{"op":"resolve","store":"a","id":"d","leaves":[],"keep":"1-a","body":{}}"#
    ),
    (.compact, #"{"op":"compact","store":"a"}"#),
    (
      .purge(id: "d", revs: ["1-a"]), #"{"op":"purge","store":"a","id":"d","revs":["1-a"]}"#
    ),
    (.historyLimit(0), #"{"op":"historyLimit","store":"a","limit":0}"#),
    (
      .batch([.create(id: "d", body: [:]), .batch([])]),
      #"{"op":"batch","store":"a","writes":[{"op":"create","id":"d","body":{}},"#
        + #"{"op":"batch","writes":[]}]}"#
    ),
    (.setValidation(refuse: nil), #"{"op":"setValidation","store":"a","refuse":null}"#),
    (
      .setValidation(refuse: .live), #"{"op":"setValidation","store":"a","refuse":{"live":true}}"#
    ),
    (
      .setValidation(refuse: .documentIDs(["d"])),
      #"{"op":"setValidation","store":"a","refuse":{"documentIDs":["d"]}}"#
    ),
    (
      .setValidation(refuse: .bodyFieldEquals(field: "t", value: 1)),
      #"{"op":"setValidation","store":"a","refuse":{"bodyFieldEquals":{"field":"t","value":1}}}"#
    ),
    (.flush, #"{"op":"flush","store":"a"}"#),
  ]

  @Test(arguments: encodings)
  func isOneAndTheSameBothWays(action: StoreAction, encoding: String) throws {
    #expect(StoreOperation("a", action).json.serialized() == encoding)
    #expect(try StoreOperation(JSONValue.parse(encoding)) == StoreOperation("a", action))
  }

  /// The table of the test contains every operation.
  @Test func everyOperationIsInTheTable() {
    #expect(Set(Self.encodings.map { $0.0.name }).count == 23)
  }

  @Test(arguments: [
    ("[]", "", "an array"), ("{}", "store", "missing"),
    (#"{"op":"fly","store":"a"}"#, "op", "unknown operation 'fly'"),
    (#"{"op":"info","store":1}"#, "store", "a number"),
    (#"{"op":"info","store":"a","x":1}"#, "x", "unknown"),
    (#"{"op":"read","store":"a","id":"d","body":{}}"#, "body", "unknown"),
    (#"{"op":"create","store":"a","id":"d"}"#, "body", "missing"),
    (#"{"op":"create","store":"a","id":null,"body":{}}"#, "id", "null"),
    (#"{"op":"open","store":"a","collation":"icu"}"#, "collation", "not one of"),
    (#"{"op":"changes","store":"a","since":1.5}"#, "since", "a number"),
    (#"{"op":"changes","store":"a","limit":18446744073709551615}"#, "limit", "integer"),
    (#"{"op":"revsDiff","store":"a","revs":[{"id":"d","revs":[1]}]}"#, "revs[0].revs[0]", "string"),
    (
      #"{"op":"revsDiff","store":"a","revs":[{"id":"d","revs":[],"latest":true}]}"#,
      "revs[0].latest", "unknown"
    ),
    (
      #"{"op":"insertRevisions","store":"a","records":[{"id":"d","path":["1-a"]}]}"#,
      "records[0].body", "missing"
    ),
    (
      #"{"op":"batch","store":"a","writes":[{"op":"create","store":"a","body":{}}]}"#,
      "writes[0].store", "unknown"
    ),
    (#"{"op":"setValidation","store":"a","refuse":{}}"#, "refuse", "one of"),
    (#"{"op":"setValidation","store":"a","refuse":{"live":false}}"#, "refuse.live", "true"),
    (
      #"{"op":"setValidation","store":"a","refuse":{"live":true,"documentIDs":[]}}"#, "refuse.live",
      "unknown"
    ),
  ])
  func saysWhatIsWrongAndWhere(encoding: String, path: String, message: String) throws {
    let json = try JSONValue.parse(encoding)
    let failure = try #require(throws: DecodingFailure.self) { try StoreOperation(json) }
    #expect(failure.path == path)
    #expect(failure.message.contains(message), "\(failure)")
  }
}
