#if HTTP
  import CouchDBDatastore
  import Datastore
  import HTTPClient
  import JSON
  import Testing

  /// A server whose databases have copies on several nodes.
  struct ClusterTests {
    /// A server with one document, whose feed is that of a copy without it.
    private final class Cluster: HTTPTransport {
      let address = (try? ServerAddress.reading("http://127.0.0.1:5984").address)!
      private let copies: Int64
      private let leaves: JSONValue
      private let winner: HTTPResponse

      /// - Parameters:
      ///   - leaves: the response to `open_revs=all`.
      ///   - winner: the response to a read of the document.
      init(copies: Int64, leaves: JSONValue, winner: HTTPResponse) {
        (self.copies, self.leaves, self.winner) = (copies, leaves, winner)
      }

      /// The requests so far: method, endpoint and query.
      private(set) var requests: [String] = []
      private(set) var paths: [JSONString] = []
      /// The tasks that the server runs, at the next requests for them.
      var tasks: [JSONValue] = []
      /// The nodes that are there, at the next requests for them; then all.
      var present: [JSONValue] = []
      /// The numbers of running copies between nodes, at the next requests for them; then none.
      var backlog: [Int64] = []

      func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        let endpoint = request.path.string.split(separator: "/").dropFirst().joined(separator: "/")
        requests.append(
          "\(request.method) \(endpoint)\(request.query.map { "?\($0)" } ?? "")")
        paths.append(request.path)
        if request.path == "/_active_tasks" {
          return HTTPResponse(200, body: tasks.isEmpty ? [] : tasks.removeFirst())
        }
        if request.path == "/_membership" {
          let all: JSONValue = ["n1", "n2"]
          return HTTPResponse(
            200,
            body: [
              "cluster_nodes": all, "all_nodes": present.isEmpty ? all : present.removeFirst(),
            ])
        }
        if request.path.string.hasSuffix("/_system") {
          let jobs = backlog.isEmpty ? 0 : backlog.removeFirst()
          return HTTPResponse(200, body: ["internal_replication_jobs": .integer(jobs)])
        }
        let isDocument = request.path.string.hasSuffix("/d")
        switch (request.method, request.query) {
        case ("GET", "open_revs=all"?), ("GET", "open_revs=all&r=3"?):
          return HTTPResponse(200, body: leaves)
        case ("GET", _) where isDocument: return winner
        case ("POST", _) where request.path.string.hasSuffix("/_changes"):
          return HTTPResponse(200, body: ["results": [], "last_seq": "0-x", "pending": 0])
        default:
          return HTTPResponse(
            200,
            body: [
              "couchdb": "Welcome", "version": "1", "ok": true, "instance_start_time": "1",
              "cluster": ["q": 1, "n": .integer(copies)],
            ])
        }
      }
    }

    private func leaves(
      copies: Int64, of response: JSONValue, winner: HTTPResponse
    ) throws -> Outcome {
      let store = try CouchDBDatastore(
        Cluster(copies: copies, leaves: response, winner: winner), label: "cluster")
      #expect(store.description.profiles.contains(.denseChanges) == (copies == 1))
      let environment = RunEnvironment(seed: 1)
      _ = try store.perform(StoreOperation("a", .open()), environment)
      return try store.perform(StoreOperation("a", .leaves(id: "d")), environment)
    }

    private static let conflict: JSONValue = [
      ["ok": ["_id": "d", "_rev": "2-b"]], ["ok": ["_id": "d", "_rev": "2-c"]],
      ["ok": ["_id": "d", "_rev": "3-e", "_deleted": true]],
    ]
    private static let deleted = HTTPResponse(
      404, body: ["error": "not_found", "reason": "deleted"])

    @Test func leavesAreThoseOfMostCopies() throws {
      let winner = HTTPResponse(200, body: ["_id": "d", "_rev": "2-c"])
      let outcome = try leaves(copies: 3, of: Self.conflict, winner: winner)
      #expect(
        outcome
          == .ok(
            .leaves([
              Leaf(rev: "2-c", deleted: false), Leaf(rev: "3-e", deleted: true),
              Leaf(rev: "2-b", deleted: false),
            ])))
    }

    /// The read shows no winner of the leaves.
    @Test func copiesDiffer() throws {
      let outcome = try leaves(copies: 3, of: Self.conflict, winner: Self.deleted)
      guard case .ok(.leaves(let found)) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(found.map(\.rev) == ["3-e", "2-c", "2-b"])
    }

    @Test func anUnknownDocumentHasNone() throws {
      let outcome = try leaves(copies: 3, of: [], winner: Self.deleted)
      #expect(outcome == .error(DatastoreError(.notFound(.missing))))
    }

    /// What is written is on all reachable copies, and so is what is read of a document; feeds and
    /// lists have no such parameter.
    @Test(arguments: [1, 3] as [Int64]) func requestsWaitForAllCopies(copies: Int64) throws {
      let cluster = Cluster(copies: copies, leaves: [], winner: Self.deleted)
      let store = try CouchDBDatastore(cluster, label: "cluster")
      let environment = RunEnvironment(seed: 1)
      let record = RevisionRecord(id: "d", path: ["1-a"], deleted: false, body: [:])
      let data = RevisionAttachment(
        "n", .data(JSONString(String(repeating: "A", count: 2000))), type: "text/plain"
      )
      let actions: [(StoreAction, String, String?)] = [
        (.open(), "PUT ", nil),
        (.create(id: "d", body: [:]), "POST ", "w=3"),
        (.attaching([data], to: .create(id: "d", body: [:])), "PUT d", "w=3"),
        (.delete(id: "d", rev: "1-a", body: nil), "DELETE d?rev=1-a", "w=3"),
        (.insertRevisions([record]), "POST _bulk_docs", "w=3"),
        (.purge(id: "d", revs: ["1-a"]), "POST _purge", "w=3"),
        (.writeLocal(id: "l", body: [:]), "PUT _local/l", "w=3"),
        (.readLocal(id: "l"), "GET _local/l", "r=3"),
        (.read(id: "d", rev: nil), "GET d", "r=3"),
        (.read(id: "_design/d", rev: nil), "GET _design%2Fd", "r=3"),
        (.list(), "GET _all_docs", nil),
        (.changes(), "GET _changes", nil),
        (.revsDiff([RevisionQuery(id: "d", revs: ["1-a"])]), "POST _revs_diff", nil),
        (.historyLimit(2), "PUT _revs_limit", nil),
      ]
      for (action, request, parameter) in actions {
        let before = cluster.requests.count
        _ = try? store.perform(StoreOperation("a", action), environment)
        let sent = try #require(cluster.requests.dropFirst(before).first)
        let separator = request.contains("?") ? "&" : "?"
        let expected = copies == 1 ? request : request + (parameter.map { separator + $0 } ?? "")
        #expect(
          sent.hasPrefix(expected) && sent.contains("=3") == expected.contains("=3"), "\(sent)")
      }
    }

    /// The information about a database shows the compaction of one copy only.
    @Test func compactionEndsWithItsTasks() throws {
      let cluster = Cluster(copies: 3, leaves: [], winner: Self.deleted)
      let store = try CouchDBDatastore(cluster, label: "cluster")
      let environment = RunEnvironment(seed: 1)
      _ = try store.perform(StoreOperation("a", .open()), environment)
      func task(_ name: String) -> JSONValue {
        [
          "type": "database_compaction",
          "database": .string(JSONString("shards/00000000-7fffffff/\(name).1764306000")),
        ]
      }
      let own = task("touchstone-cluster-1-a")
      cluster.tasks = [[own, task("other")], [own], [task("other")]]
      #expect(try store.perform(StoreOperation("a", .compact), environment) == .ok(.done))
      #expect(cluster.tasks.isEmpty)
    }

    /// After a node was away, its copies are equal when all nodes are there and have no work.
    @Test func itWaitsForTheNodes() throws {
      let cluster = Cluster(copies: 3, leaves: [], winner: Self.deleted)
      let store = try CouchDBDatastore(cluster, label: "cluster")
      _ = try store.perform(StoreOperation("a", .open()), RunEnvironment(seed: 1))
      cluster.present = [["n1"], ["n1"]]
      cluster.backlog = [0, 2, 0, 0, 1, 0]
      try store.settle()
      #expect(cluster.present.isEmpty && cluster.backlog.isEmpty)
      let synchronization: JSONString = "/touchstone-cluster-1-a/_sync_shards"
      // Again after the nodes had work.
      #expect(cluster.paths.count { $0 == synchronization } == 2)
      let waiting = cluster.paths.prefix { $0 != synchronization }
      #expect(waiting.count { $0 == "/_membership" } == 4)
      // The last look was after the last work.
      #expect(cluster.paths.count { $0 == "/_node/n1/_system" } > 10)
    }

    @Test func aStoreWithOneCopyNeedNotWait() throws {
      let cluster = Cluster(copies: 1, leaves: [], winner: Self.deleted)
      let store = try CouchDBDatastore(cluster, label: "cluster")
      let count = cluster.requests.count
      try store.settle()
      #expect(cluster.requests.count == count)
    }

    /// With one copy, the feed is current.
    @Test func oneCopyAnswersFromItsFeed() throws {
      let outcome = try leaves(copies: 1, of: Self.conflict, winner: Self.deleted)
      #expect(outcome == .error(DatastoreError(.notFound(.missing))))
    }
  }
#endif
