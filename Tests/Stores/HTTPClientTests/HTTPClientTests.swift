#if HTTP
  import Datastore
  import Foundation
  import JSON
  import Testing

  import HTTPClient

  @Suite struct HTTPClientTests {
    private func client(
      _ server: RawServer, _ credentials: Credentials? = nil, limitSeconds: Int = 20
    ) throws -> HTTPClient {
      try HTTPClient(
        try ServerAddress.reading(server.url).address, credentials: credentials,
        limitSeconds: limitSeconds)
    }

    @Test func requestsShareAConnection() throws {
      let server = try RawServer { request in
        request.hasPrefix("POST /db/_bulk_docs?w=1 ")
          ? RawServer.response("201 Created", #"[{"ok":true}]"#, "ETag: \"a\"")
          : RawServer.response("200 OK", "\0\u{1}é", type: "text/plain")
      }
      let client = try client(server)
      let first = try client.send(
        HTTPRequest("POST", "/db/_bulk_docs", query: "w=1", body: ["docs": [["n": 0.1]]]))
      #expect(first.status == 201)
      #expect(first.body == [["ok": true]])
      #expect(first.headers["etag"]?.textValue == "\"a\"")
      let second = try client.send(
        HTTPRequest("GET", "/db/a%2Fb/%C3%A9", headers: ["range": "bytes=1-"]))
      #expect(second.bytes == "AAHDqQ==")
      #expect(second.body == nil)
      #expect(server.connectionCount == 1)
      #expect(server.requests[0].hasSuffix("\r\n\r\n{\"docs\":[{\"n\":0.1}]}"))
      #expect(server.requests[0].contains("\r\nContent-Type: application/json\r\n"))
      #expect(server.requests[1].hasPrefix("GET /db/a%2Fb/%C3%A9 HTTP/1.1\r\n"))
      #expect(server.requests[1].contains("\r\nrange: bytes=1-\r\n"))
    }

    /// Dots are ids of documents, not folders.
    @Test(arguments: ["/db/.", "/db/..", "/db/%2E%2E/a"])
    func aPathIsSentAsItIs(path: String) throws {
      let server = try RawServer { _ in RawServer.response("404 Object Not Found", "{}") }
      #expect(try client(server).send(HTTPRequest("GET", JSONString(path))).status == 404)
      #expect(server.requests[0].hasPrefix("GET \(path) HTTP/1.1\r\n"))
    }

    /// `{"a":1}`, compressed by `gzip -n`.
    @Test func gzipIsDecoded() throws {
      let bytes = try #require(
        Data(base64Encoded: "H4sIAAAAAAACA6tWSlSyMqwFAK+sG1YHAAAA"))
      let server = try RawServer { _ in
        .sendBytes(
          Array(
            ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
              + "Content-Length: \(bytes.count)\r\n\r\n").utf8) + bytes)
      }
      #expect(try client(server).send(HTTPRequest("GET", "/")).body == ["a": 1])
      #expect(server.requests[0].lowercased().contains("\r\naccept-encoding: "))
    }

    /// A raw request has only the fields that it names, and a raw response is not interpreted.
    @Test func rawMessagesAreUnchanged() throws {
      let server = try RawServer { request in
        request.hasPrefix("HEAD ")
          ? .sendBytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".utf8))
          : RawServer.response("301 Moved", "{broken", "Location: /new", "X: 1", "X: 2")
      }
      let client = try client(server)
      let put = try client.send(
        RawHTTPRequest("PUT", "/db/a?b=c", headers: [("accept", "*/*")], body: Array("{}".utf8)))
      #expect(put.status == 301)
      #expect(put.body == Array("{broken".utf8))
      #expect(put.headers.filter { $0.name == "x" }.map(\.value) == ["1", "2"])
      let head = try client.send(RawHTTPRequest("HEAD", "/db/a"))
      #expect(head.status == 200 && head.body.isEmpty)
      #expect(head.headers.contains { $0.name == "content-length" && $0.value == "5" })
      #expect(server.requests[0].hasPrefix("PUT /db/a?b=c HTTP/1.1\r\n"))
      #expect(server.requests[0].hasSuffix("\r\n\r\n{}"))
      #expect(!server.requests[0].lowercased().contains("content-type:"))
      #expect(!server.requests[0].lowercased().contains("accept-encoding:"))
    }

    @Test func credentialsAreSentAndNotDescribed() throws {
      let server = try RawServer { _ in RawServer.response("200 OK", "{}") }
      let credentials = Credentials(user: "admin", password: "a:b")
      _ = try client(server, credentials).send(HTTPRequest("GET", "/"))
      #expect(server.requests[0].contains("\r\nAuthorization: Basic YWRtaW46YTpi\r\n"))
      #expect(!"\(credentials)".contains("admin"))
      #expect(!String(reflecting: credentials).contains("admin"))
    }

    /// A server that debugs its clients names what it received.
    @Test func anErrorDoesNotRepeatThePassword() throws {
      let server = try RawServer { _ in
        RawServer.response(
          "500 Oops", #"{"error":["Basic YWRtaW46YTpi"],"reason":"a:b is wrong","n":1}"#)
      }
      let client = try client(server, Credentials(user: "admin", password: "a:b"))
      let response = try client.send(HTTPRequest("GET", "/"))
      #expect(response.body == ["error": ["Basic …"], "reason": "… is wrong", "n": 1])
    }

    // MARK: Redirects

    @Test func aRedirectToTheSameServerIsFollowed() throws {
      let server = try RawServer { request in
        if request.hasPrefix("GET /old?a=1 ") {
          return RawServer.response("301 Moved", "", "Location: /new?b=2")
        }
        return RawServer.response("200 OK", "{}")
      }
      #expect(try client(server).send(HTTPRequest("GET", "/old", query: "a=1")).status == 200)
      #expect(server.requests[1].hasPrefix("GET /new?b=2 "))
    }

    @Test func aRedirectToAnotherServerIsRefused() throws {
      let other = try RawServer { _ in RawServer.response("200 OK", "{}") }
      let place = other.url
      let server = try RawServer { _ in
        RawServer.response("302 Found", "", "Location: \(place)/a")
      }
      let credentials = Credentials(user: "admin", password: "secret")
      let client = try client(server, credentials)
      let error = try #require(throws: HTTPFailure.self) {
        try client.send(HTTPRequest("GET", "/"))
      }
      #expect("\(error)" == "invalid response: a redirect to another server: \(place)/a")
      #expect(other.requests.isEmpty)
    }

    @Test func aWriteIsNotRedirected() throws {
      let server = try RawServer { _ in RawServer.response("307 Again", "", "Location: /b") }
      #expect(throws: HTTPFailure.self) { try client(server).send(HTTPRequest("PUT", "/a")) }
      #expect(server.requests.count == 1)
    }

    @Test func endlessRedirectsEnd() throws {
      let server = try RawServer { _ in RawServer.response("301 Moved", "", "Location: /") }
      #expect(throws: HTTPFailure.invalidResponse("more than 5 redirects")) {
        try client(server).send(HTTPRequest("GET", "/"))
      }
    }

    // MARK: Failures

    @Test func aServerThatIsSilentEndsTheRequest() throws {
      let server = try RawServer { _ in .silence }
      let error = try #require(throws: HTTPFailure.self) {
        try client(server, limitSeconds: 1).send(HTTPRequest("GET", "/"))
      }
      guard case .timedOut = error else {
        Issue.record("\(error)")
        return
      }
    }

    @Test(arguments: [
      "", "HTTP/1.1 200 OK\r\nContent-Le",
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{\"a\"",
    ])
    func aResponseThatBreaksOffIsNone(part: String) throws {
      let server = try RawServer { _ in .breakOff(part) }
      let error = try #require(throws: HTTPFailure.self) {
        try client(server).send(HTTPRequest("GET", "/"))
      }
      switch error {
      case .interrupted, .invalidResponse: break
      default: Issue.record("\(error)")
      }
    }

    @Test func invalidJSONIsNoResponse() throws {
      let server = try RawServer { _ in RawServer.response("200 OK", "{\"a\":") }
      let error = try #require(throws: HTTPFailure.self) {
        try client(server).send(HTTPRequest("GET", "/"))
      }
      #expect("\(error)".hasPrefix("invalid response: not valid JSON: "))
    }

    @Test func withoutAServerThereIsNoConnection() throws {
      let error = try #require(throws: HTTPFailure.self) {
        try HTTPClient(
          ServerAddress.reading("http://127.0.0.1:1").address, limitSeconds: 5
        ).send(HTTPRequest("GET", "/"))
      }
      guard case .notConnected = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
#endif
