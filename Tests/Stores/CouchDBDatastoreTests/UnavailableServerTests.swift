#if HTTP
  import CouchDBDatastore
  import Datastore
  import HTTPClient
  import JSON
  import Testing

  /// Which responses of a server are failures, and which only say that it is not available now.
  struct UnavailableServerTests {
    /// A server that answers every write of a document in one way.
    private final class OneAnswer: HTTPTransport {
      let address: ServerAddress
      private let answer: Result<HTTPResponse, HTTPFailure>

      /// - Parameter address: where other connections go.
      init(_ answer: Result<HTTPResponse, HTTPFailure>, others address: ServerAddress) {
        (self.answer, self.address) = (answer, address)
      }

      func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        guard request.method == "POST" else {
          return HTTPResponse(200, body: ["couchdb": "Welcome", "version": "1", "ok": true])
        }
        return try answer.get()
      }

      func another(limitSeconds: Int) throws(HTTPFailure) -> HTTPClient? {
        try HTTPClient(address, limitSeconds: limitSeconds)
      }
    }

    private func error(
      _ answer: Result<HTTPResponse, HTTPFailure>, others address: ServerAddress
    ) throws -> HarnessError {
      let store = try CouchDBDatastore(OneAnswer(answer, others: address), label: "unavailable")
      let environment = RunEnvironment(seed: 1)
      _ = try store.perform(StoreOperation("a", .open()), environment)
      return try #require(throws: HarnessError.self) {
        try store.perform(StoreOperation("a", .create(id: "d", body: [:])), environment)
      }
    }

    @Test(arguments: [429, 502, 503, 504] as [Int64])
    func aServerThatIsNotAvailableGivesNoVerdict(status: Int64) throws {
      let address = try ServerAddress.reading("http://127.0.0.1:1").address
      let error = try error(.success(HTTPResponse(status, body: ["error": "x"])), others: address)
      #expect(error.breakdown == nil)
      #expect(error.message.contains("status \(status)"))
    }

    @Test(arguments: [500, 501] as [Int64])
    func anInternalErrorIsAFailure(status: Int64) throws {
      let address = try ServerAddress.reading("http://127.0.0.1:1").address
      let error = try error(.success(HTTPResponse(status, body: ["error": "x"])), others: address)
      #expect(error.breakdown?.shape == JSONString("status \(status)"))
    }

    @Test func aCutConnectionIsAFailureOfAServerThatRuns() throws {
      let server = try FakeServer { _ in HTTPResponse(200, body: [:]) }
      defer { server.stop() }
      let error = try error(.failure(.interrupted("cut")), others: try server.address)
      #expect(error.breakdown?.shape == "unanswered")
    }

    @Test func aCutConnectionOfAServerThatStoppedGivesNoVerdict() throws {
      let server = try FakeServer { _ in HTTPResponse(200, body: [:]) }
      let address = try server.address
      server.stop()
      let error = try error(.failure(.interrupted("cut")), others: address)
      #expect(error.breakdown == nil)
      #expect(error.message.contains("the server has stopped"))
    }
  }
#endif
