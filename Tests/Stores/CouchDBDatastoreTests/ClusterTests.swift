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

      func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        let isDocument = request.path.string.hasSuffix("/d")
        switch (request.method, request.query) {
        case ("GET", "open_revs=all"?): return HTTPResponse(200, body: leaves)
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

    /// With one copy, the feed is current.
    @Test func oneCopyAnswersFromItsFeed() throws {
      let outcome = try leaves(copies: 1, of: Self.conflict, winner: Self.deleted)
      #expect(outcome == .error(DatastoreError(.notFound(.missing))))
    }
  }
#endif
