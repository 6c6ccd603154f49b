#if HTTP
  import Datastore
  import Dispatch
  import HTTPClient
  import HTTPServer
  import JSON
  import Testing

  @Suite struct HTTPServerTests {
    /// Sends a request on another thread, and gives the outcome of `send` to the caller of the result.
    private func send(
      _ request: HTTPRequest, to server: HeldRequests
    ) throws -> () -> Result<HTTPResponse, HTTPFailure> {
      let address = try ServerAddress.reading("http://127.0.0.1:\(server.port)").address
      let box = Box(try HTTPClient(address, limitSeconds: 30))
      DispatchQueue.global().async { box.send(request) }
      return { box.wait() }
    }

    /// The outcome of one request, set by another thread.
    private final class Box: @unchecked Sendable {
      private let client: HTTPClient
      private let end = DispatchSemaphore(value: 0)
      private var outcome: Result<HTTPResponse, HTTPFailure> = .failure(.outOfMemory)

      init(_ client: HTTPClient) { self.client = client }

      func send(_ request: HTTPRequest) {
        do throws(HTTPFailure) { outcome = .success(try client.send(request)) } catch {
          outcome = .failure(error)
        }
        end.signal()
      }

      func wait() -> Result<HTTPResponse, HTTPFailure> {
        end.wait()
        return outcome
      }
    }

    @Test func aRequestArrivesAsItWasSent() throws {
      let server = try HeldRequests()
      let response = try send(
        HTTPRequest("POST", "/a%2Fb/_x", query: "q=%22", body: ["n": 1]), to: server)
      let request = try #require(server.next(withinMilliseconds: 20_000))
      #expect(request.method == "POST")
      #expect(request.target == "/a%2Fb/_x?q=%22")
      #expect(request.headers["content-type"] == "application/json")
      #expect(String(decoding: request.body, as: UTF8.self) == #"{"n":1}"#)
      request.respond(
        ServerResponse(
          201, headers: [("Content-Type", "application/json")], body: Array(#"{"ok":true}"#.utf8)))
      let answer = try response().get()
      #expect(answer.status == 201)
      #expect(answer.body == ["ok": true])
    }

    @Test func aCutRequestHasNoResponse() throws {
      let server = try HeldRequests()
      let response = try send(HTTPRequest("GET", "/a"), to: server)
      try #require(server.next(withinMilliseconds: 20_000)).cut()
      guard case .failure(.interrupted) = response() else {
        Issue.record("the request has a response")
        return
      }
    }

    @Test func requestsAreAnsweredInAnyOrder() throws {
      let server = try HeldRequests()
      let first = try send(HTTPRequest("GET", "/1"), to: server)
      let one = try #require(server.next(withinMilliseconds: 20_000))
      let second = try send(HTTPRequest("GET", "/2"), to: server)
      let two = try #require(server.next(withinMilliseconds: 20_000))
      two.respond(ServerResponse(202))
      #expect(try second().get().status == 202)
      one.respond(ServerResponse(200))
      #expect(try first().get().status == 200)
    }

    @Test func withoutARequestThereIsNone() throws {
      let request = try HeldRequests().next(withinMilliseconds: 1)
      #expect(request?.target == nil)
    }

    @Test func aStoppedServerCutsWaitingRequests() throws {
      let server = try HeldRequests()
      let response = try send(HTTPRequest("GET", "/a"), to: server)
      _ = try #require(server.next(withinMilliseconds: 20_000))
      server.stop()
      guard case .failure = response() else {
        Issue.record("the request has a response")
        return
      }
    }
  }
#endif
