#if HTTP
  import Compression
  import CouchDBInterface
  import Datastore
  import Digest
  import HTTPServer
  import JSON
  import ReferenceDatastore
  import SQLiteDatastore
  import Storage
  import Testing
  import WireConformance

  struct ServiceTests {
    /// A service on the same files has the databases, their security objects and their documents.
    @Test func aRestartKeepsEverything() throws {
      let storage = MemoryStorage()
      let first = try ServedInProcess(SQLiteDatastore(storage: storage))
      #expect(try first.ask("PUT", "/notes").status == 201)
      #expect(try first.ask("PUT", "/notes/a", ["v": 1]).status == 201)
      #expect(try first.ask("PUT", "/notes/_local/c", ["seq": 3]).status == 201)
      #expect(try first.ask("PUT", "/notes/_security", ["admins": ["names": ["x"]]]).status == 200)
      #expect(try first.ask("PUT", "/notes/_revs_limit", 7).status == 200)
      try first.service.stop()
      let second = try ServedInProcess(SQLiteDatastore(storage: storage))
      #expect(try second.ask("GET", "/_all_dbs").body == ["_replicator", "_users", "notes"])
      #expect(try second.ask("GET", "/notes/a").body.objectValue?["v"] == 1)
      #expect(try second.ask("GET", "/notes/_revs_limit").body == 7)
      #expect(
        try second.ask("GET", "/notes/_security").body == ["admins": ["names": ["x"]]])
      let locals = try second.ask("GET", "/notes/_local_docs").body.objectValue?["rows"]
      #expect(locals?.arrayValue?.count == 1)
    }

    private static func options() -> CouchDBService.Options {
      var options = CouchDBService.Options()
      options.credentials = ("me", "secret:word")
      return options
    }

    private static func basic(_ text: String) -> [(JSONString, JSONString)] {
      [("authorization", JSONString("Basic \(Base64.encode(text.utf8))"))]
    }

    @Test func credentialsAreRequired() throws {
      let served = try ServedInProcess(ReferenceDatastore(), Self.options())
      #expect(try served.ask("GET", "/_all_dbs").status == 401)
      #expect(try served.ask("PUT", "/notes").status == 401)
      #expect(try served.ask("GET", "/").status == 200)
      #expect(
        try served.ask("GET", "/_all_dbs", headers: Self.basic("me:secret:word")).status == 200)
      for wrong in ["me:secret", "you:secret:word", "me", ""] {
        #expect(try served.ask("GET", "/", headers: Self.basic(wrong)).status == 401, "\(wrong)")
      }
    }

    @Test func aCookieHasTheUser() throws {
      let served = try ServedInProcess(ReferenceDatastore(), Self.options())
      let login = try served.ask("POST", "/_session", ["name": "me", "password": "secret:word"])
      #expect(login.status == 200)
      let cookie = try #require(login.headers.first { $0.name == "set-cookie" }?.value)
      let pair = JSONString(String(cookie.string.prefix { $0 != ";" }))
      #expect(try served.ask("GET", "/_all_dbs", headers: [("cookie", pair)]).status == 200)
      let forged = JSONString(pair.string.dropLast(3) + "abc")
      #expect(try served.ask("GET", "/_all_dbs", headers: [("cookie", forged)]).status == 401)
      #expect(
        try served.ask("POST", "/_session", ["name": "me", "password": "guess"]).status == 401)
    }

    /// A one-shot replication between two databases, with a conflict, a tombstone and an attachment.
    @Test func replicatesBetweenItsDatabases() throws {
      let served = try ServedInProcess()
      _ = try served.ask("PUT", "/a")
      _ = try served.ask("PUT", "/a/x", ["v": 1])
      _ = try served.ask(
        "PUT", "/a/y", ["_attachments": ["t": ["data": "aGVsbG8=", "content_type": "text/plain"]]])
      let docs: JSONValue = [
        "new_edits": false,
        "docs": [["_id": "x", "_rev": "1-ffffffffffffffffffffffffffffffff", "v": 2]],
      ]
      _ = try served.ask("POST", "/a/_bulk_docs", docs)
      let body: JSONValue = ["source": "a", "target": "b", "create_target": true]
      let run = try served.ask("POST", "/_replicate", body)
      #expect(run.body.objectValue?["ok"] == true)
      for path in [
        "/_all_docs", "/x?conflicts=true&revs=true", "/y?attachments=true",
        "/x?open_revs=all&revs=true",
      ] {
        let (left, right) = (
          try served.ask("GET", JSONString("/a\(path)")),
          try served.ask("GET", JSONString("/b\(path)"))
        )
        #expect(left.status == 200)
        #expect(left.body == right.body, "\(path)")
      }
      #expect(
        try served.ask("POST", "/_replicate", ["source": "none", "target": "b"]).status == 500)
    }

    /// What needs JavaScript is refused by name, and a design document is a document.
    @Test func viewsAreNotOffered() throws {
      let served = try ServedInProcess()
      _ = try served.ask("PUT", "/a")
      #expect(try served.ask("PUT", "/a/_design/d", ["views": [:]]).status == 201)
      for path in ["_view/v", "_show/s", "_list/l/v"] {
        let answer = try served.ask("GET", JSONString("/a/_design/d/\(path)"))
        #expect(answer.status == 501)
        #expect(answer.body.objectValue?["error"] == "not_implemented")
      }
      #expect(try served.ask("GET", "/a/_changes?filter=d/f").status == 501)
    }

    /// Bodies, ids and queries that are not valid give an error of the client, and nothing is written.
    @Test(arguments: [
      ("PUT", "/a/x", "{", 400), ("PUT", "/a/x", "[1]", 400), ("PUT", "/a/%ff", "{}", 400),
      ("PUT", "/a/x?rev=1", "{}", 400), ("PUT", "/a/_x", "{}", 400),
      ("GET", "/a/x?revs=2", "", 400),
      ("GET", "/a/_changes?feed=no", "", 400), ("GET", "/a/_changes?heartbeat=0", "", 400),
      ("POST", "/a/_bulk_docs", "{}", 400), ("POST", "/a/_bulk_docs", #"{"docs":1}"#, 400),
      ("POST", "/a/_find", "{}", 400), ("POST", "/a/_revs_diff", #"{"x":1}"#, 400),
      ("POST", "/a/_bulk_get", "[]", 400), ("PUT", "/a/_revs_limit", "0", 400),
      ("PUT", "/A", "", 400), ("GET", "/a/x?open_revs=%5B", "", 400), ("GET", "/none", "", 404),
      ("PATCH", "/a/x", "", 405), ("POST", "/_replicate", "{}", 400),
    ])
    func invalidRequests(method: String, target: String, body: String, status: Int) throws {
      let served = try ServedInProcess()
      _ = try served.ask("PUT", "/a")
      let parts = target.split(separator: "?", maxSplits: 1)
      let answer = try served.send(
        .init(
          JSONString(method), JSONString(String(parts[0])),
          query: parts.count > 1 ? JSONString(String(parts[1])) : nil,
          headers: [.init("content-type", "application/json")], body: Array(body.utf8)))
      #expect(answer.status == Int64(status), "\(String(decoding: answer.body, as: UTF8.self))")
      #expect(try served.ask("GET", "/a").body.objectValue?["doc_count"] == 0)
    }

    /// The lengths show whether contents follow in the order of the attachments.
    @Test(arguments: [(2, 201), (3, 400), (1, 400)])
    func multipartLengths(length: Int, status: Int) throws {
      let served = try ServedInProcess()
      _ = try served.ask("PUT", "/a")
      let document = #"{"_attachments":{"t":{"follows":true,"length":\#(length)}}}"#
      let body =
        "--b\r\nContent-Type: application/json\r\n\r\n\(document)\r\n--b\r\n\r\nhi\r\n--b--"
      let answer = try served.send(
        .init(
          "PUT", "/a/x", headers: [.init("content-type", "multipart/related; boundary=b")],
          body: Array(body.utf8)))
      #expect(answer.status == Int64(status))
    }

    /// Content above the limit of one operation is uploaded in pieces, in each form.
    @Test func largeAttachments() throws {
      let served = try ServedInProcess(SQLiteDatastore(storage: MemoryStorage()))
      _ = try served.ask("PUT", "/a")
      let content = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
      let put = try served.send(
        .init(
          "PUT", "/a/x/f", headers: [.init("content-type", "application/x")], body: content))
      #expect(put.status == 201)
      let data = JSONValue.text(Base64.encode(content))
      #expect(try served.ask("PUT", "/a/y", ["_attachments": ["f": ["data": data]]]).status == 201)
      let run = try served.ask(
        "POST", "/_replicate", ["source": "a", "target": "b", "create_target": true])
      #expect(run.status == 200)
      for path in ["/a/x/f", "/a/y/f", "/b/x/f", "/b/y/f"] {
        #expect(try served.send(.init("GET", JSONString(path))).body == content, "\(path)")
      }
    }

    /// A body that becomes 100 times larger is an attack.
    @Test func compressedBodies() throws {
      let served = try ServedInProcess()
      _ = try served.ask("PUT", "/a")
      func status(_ text: String) throws -> Int64 {
        try served.send(
          .init(
            "POST", "/a/_bulk_docs",
            headers: [
              .init("content-type", "application/json"), .init("content-encoding", "gzip"),
            ], body: GzipEncoding.encode(Array(text.utf8), level: 6))
        ).status
      }
      #expect(try status(#"{"docs":[{"_id":"x"}]}"#) == 201)
      #expect(try status(#"{"docs":["# + String(repeating: " ", count: 4 << 20) + "]}") == 400)
    }

    /// A feed of a database that is removed meanwhile ends like any other one.
    @Test(arguments: ["longpoll", "continuous"])
    func aRemovedDatabaseEndsItsFeeds(feed: String) throws {
      let served = try ServedInProcess()
      _ = try served.ask("PUT", "/a")
      let response = served.service.response(
        to: ServerRequest(
          method: "GET", target: "/a/_changes?feed=\(feed)&timeout=5000", headers: [:], body: [],
          connection: 1))
      #expect(try served.ask("DELETE", "/a").status == 200)
      guard case .stream(_, let next) = response.body else {
        Issue.record("the feed is not a stream")
        return
      }
      var body: [UInt8] = []
      while case .bytes(let bytes) = next() { body += bytes }
      #expect(String(decoding: body, as: UTF8.self).contains("last_seq"))
    }

    @Test func designDocumentsAreNotFound() throws {
      let served = try ServedInProcess()
      _ = try served.ask("PUT", "/a")
      for id in ["_design/d", "x", "A"] {
        _ = try served.ask("PUT", JSONString("/a/\(id)"), ["v": 1])
      }
      let found = try served.ask("POST", "/a/_find", ["selector": ["v": 1]])
      let ids = found.body.objectValue?["docs"]?.arrayValue?.map { $0.objectValue?["_id"] }
      #expect(ids == ["A", "x"])
    }
  }
#endif
