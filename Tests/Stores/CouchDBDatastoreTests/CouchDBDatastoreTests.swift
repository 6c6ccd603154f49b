#if HTTP
  import CouchDBDatastore
  import Datastore
  import Foundation
  import HTTPClient
  import JSON
  import Testing
  import TouchstoneKit

  /// Vectors on Apache CouchDB: against recorded answers, and against a server if
  /// `TOUCHSTONE_COUCHDB` names one.
  ///
  /// With `TOUCHSTONE_COUCHDB_RECORD`, its answers replace the recorded ones.
  @Suite struct CouchDBDatastoreTests {
    /// Vectors that CouchDB passes, and that together need every request and every kind of response.
    private static let ids: [String] = [
      "compact-drops-old-body", "compact-keeps-every-leaf", "compact-keeps-history",
      "compact-stays-editable", "compact-known-revision-again", "compact-tombstone-ancestor",
      "flush-changes-nothing", "flush-closed", "history-limit-cuts-path",
      "history-limit-on-arrival", "history-limit-one", "history-limit-waits-for-change",
      "history-limit-raised", "history-limit-keeps-what-a-short-branch-needs",
      "purge-winner-reveals-next", "purge-last-leaf", "purge-keeps-shared-ancestors",
      "purge-non-leaf", "purge-moves-row", "purge-last-leaf-removes-row", "purge-bad-id",
      "purge-at-the-source-during-a-session", "resolve-keep-winner", "resolve-with-body",
      "resolve-leaves-as-set", "resolve-with-too-few-leaves",
      "resolve-leaves-old-tombstones-alone", "resolve-unknown-document", "resolve-travels",
      "tombstone-bodies-kept", "tombstone-bodies-not-inherited", "tombstone-bodies-rules",
      "body-empty-object", "body-not-an-object", "body-underscore-in-record",
      "body-underscore-nested", "body-null-member", "changes-empty",
      "changes-losing-branch-moves", "changes-losing-tombstone-moves",
      "changes-refused-write-moves-nothing", "changes-known-record-moves-nothing",
      "changes-local-documents-absent", "collation-nine-before-ten", "collation-prefix-first",
      "collation-non-ascii-last", "collation-hyphen-in-suffix", "diff-unknown-document",
      "diff-known-leaf", "diff-ancestor-by-name", "diff-possible-ancestors-above",
      "diff-other-document", "diff-after-insert", "edit-create", "edit-create-without-id",
      "edit-create-existing", "edit-update-same-body", "edit-second-writer-loses",
      "edit-update-unknown-revision", "id-empty", "id-any-other-text", "id-bad-in-record",
      "list-byte-order", "list-winner-once", "list-live-beside-tombstone", "list-from",
      "list-limit", "list-descending", "local-write-and-read", "local-overwrite", "local-delete",
      "local-and-document", "local-id-underscore", "local-id-survives-closing", "read-unknown",
      "read-deleted", "read-losing-leaf", "read-unknown-revision", "read-name-only",
      "record-whole-path", "record-order-and-duplicates", "record-missing-and-body-missing",
      "record-latest-descendants", "record-twice-in-one-call", "record-twice-with-other-body",
      "revision-foreign-digits", "revision-largest-generation", "session-brings-everything",
      "session-takes-nothing-away", "store-names-legal", "store-closed",
      "store-close-and-destroy-nothing", "store-destroy-empties", "store-incarnation-kept",
      "store-incarnations-differ-between-stores", "store-info-counts-winners",
      "tree-branch-from-ancestor", "tree-two-roots", "tree-extend-second-root",
      "tree-truncated-path-connects", "tree-new-tip-joins-roots",
      "tree-ancestor-after-descendant", "winner-tombstone-arrives-last",
      "winner-higher-suffix-arrives-first", "winner-ancestor-is-no-candidate",
      "winner-deleted-promotes-next", "winner-among-tombstones-suffix",
      "winner-update-of-loser-overtakes",
    ]

    private static func variable(_ name: String) -> String? {
      ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Recorded/couchdb-3.5.0.jsonl")

    /// The recorded exchanges of a vector.
    private struct Recording {
      let vector: CorpusVector
      let exchanges: [RecordedServer.Exchange]
    }

    private static let recordings: Result<[Recording], any Error> = Result {
      let vectors = try Corpus.standard().vectors
      return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
        var reader = try ObjectReader(try JSONValue.parse(String(line)))
        let id = try reader.text("vector").string
        guard let vector = vectors.first(where: { "\($0.id)" == id }) else {
          throw CocoaError(.fileReadCorruptFile, userInfo: ["vector": id])
        }
        return Recording(
          vector: vector,
          exchanges: try reader.array("exchanges").map { try RecordedServer.Exchange($0) })
      }
    }

    /// Each request is the recorded one, and the response passes the vector.
    @Test func agreesWithTheRecording() throws {
      let recordings = try Self.recordings.get()
      #expect(recordings.count > 30)
      for recording in recordings {
        let server = RecordedServer(recording.exchanges)
        let store = try CouchDBDatastore(server, label: "recorded")
        let verdict = recording.vector.verdict(on: store)
        try? store.shutdown()
        #expect(verdict == .pass, "\(recording.vector.id): \(verdict)")
        #expect(server.difference == nil, "\(recording.vector.id)")
        #expect(server.left.isEmpty, "\(recording.vector.id)")
      }
    }

    private static let address = variable("TOUCHSTONE_COUCHDB")

    @Test(.enabled(if: address != nil, "not run: TOUCHSTONE_COUCHDB names no server"))
    func passesOnAServer() throws {
      let (address, given) = try ServerAddress.reading(try #require(Self.address))
      let credentials =
        given
        ?? Self.variable("TOUCHSTONE_COUCHDB_USER").map {
          Credentials(user: $0, password: Self.variable("TOUCHSTONE_COUCHDB_PASSWORD") ?? "")
        }
      var lines = ""
      let isRecorded = Self.variable("TOUCHSTONE_COUCHDB_RECORD") != nil
      for vector in try Corpus.standard().vectors where Self.ids.contains("\(vector.id)") {
        let server = RecordingServer(try HTTPClient(address, credentials: credentials))
        let label = isRecorded ? "recorded" : String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let store = try CouchDBDatastore(server, label: label)
        let verdict = vector.verdict(on: store)
        try store.shutdown()
        #expect(verdict == .pass, "\(vector.id): \(verdict)")
        let line: JSONValue = [
          "vector": .text("\(vector.id)"), "exchanges": .array(server.exchanges.map(\.json)),
        ]
        lines += line.serialized() + "\n"
      }
      if isRecorded { try lines.write(to: Self.file, atomically: true, encoding: .utf8) }
    }

    /// A server that calls everything a success.
    private final class AgreeableServer: HTTPTransport {
      let address = (try? ServerAddress.reading("http://127.0.0.1:5984").address)!

      func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        HTTPResponse(200, body: ["couchdb": "Welcome", "version": "1", "ok": true])
      }
    }

    @Test(arguments: [
      StoreAction.insertRevisions([RevisionRecord(id: "d", path: ["1-a"], body: [:])]),
      .create(id: "d", body: [:]), .read(id: "d"), .list(), .leaves(id: "d"), .changes(), .info,
      .getRevisions([RevisionQuery(id: "d", revs: ["1-a"])]), .compact,
    ])
    func aResponseOfAnotherShapeIsNoSuccess(action: StoreAction) throws {
      let store = try CouchDBDatastore(AgreeableServer(), label: "agreeable")
      let environment = RunEnvironment(seed: 1)
      #expect(try store.perform(StoreOperation("a", .open()), environment) == .ok(.done))
      let error = try #require(throws: HarnessError.self) {
        try store.perform(StoreOperation("a", action), environment)
      }
      #expect(error.breakdown?.shape == "malformed", "\(error)")
    }
  }
#endif
