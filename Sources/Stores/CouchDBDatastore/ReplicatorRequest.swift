#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// A request of the server's replicator, as a request that each remote store understands.
  ///
  /// CouchDB also reads single documents with `open_revs`, and writes them with `PUT`; these become
  /// `_bulk_get` and `_bulk_docs`.
  struct ReplicatorRequest {
    /// The request for the harness.
    let request: HTTPRequest
    private let original: HeldRequest
    private let form: Form

    private enum Form {
      case plain
      /// `GET /db/id?open_revs=…`, answered as `multipart/mixed`.
      case openRevisions
      /// `PUT /db/id?new_edits=false`.
      case put(id: JSONString, rev: JSONString)
      /// `POST /db/_ensure_full_commit`, whose response names the incarnation of the store.
      case commit(remote: JSONString)
      /// The question for that incarnation, after the commit.
      case incarnation
    }

    /// A request without an equivalent.
    struct Unknown: Error {
      let response: ServerResponse

      init(_ reason: String) {
        response = ServerResponse(
          400, ["error": "bad_request", "reason": .text(reason)])
      }
    }

    /// - Parameters:
    ///   - target: the path and the query without the part for the session.
    ///   - remote: the path of the remote store.
    init(_ original: HeldRequest, target: String, remote: JSONString) throws(Unknown) {
      self.original = original
      let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let path = JSONString(String(parts[0]))
      let query = parts.count > 1 ? String(parts[1]) : nil
      let parameters = Self.parameters(query)
      let method = JSONString(original.method)
      let id = Self.documentID(path, remote)
      if method == "GET", let id, let asked = parameters["open_revs"] {
        let revs = (try? JSONValue.parse(asked.utf8))?.arrayValue
        guard let revs else { throw Unknown("open_revs is not a list") }
        let since = parameters["atts_since"].flatMap { try? JSONValue.parse($0.utf8) }
        let docs = revs.map { rev -> JSONValue in
          var doc: JSONObject = ["id": .string(id), "rev": rev]
          doc["atts_since"] = since
          return .object(doc)
        }
        let latest = parameters["latest"] == "true" ? "&latest=true" : ""
        form = .openRevisions
        request = HTTPRequest(
          "POST", JSONString("\(remote)/_bulk_get"),
          query: JSONString("revs=true&attachments=true\(latest)"), body: ["docs": .array(docs)])
        return
      }
      if method == "PUT", let id, parameters["new_edits"] == "false" {
        let document = try Self.document(original)
        form = .put(id: id, rev: document["_rev"]?.textValue ?? "")
        request = HTTPRequest(
          "POST", JSONString("\(remote)/_bulk_docs"),
          body: ["new_edits": false, "docs": [.object(document)]])
        return
      }
      form =
        path.dropping(prefix: remote) == "/_ensure_full_commit" ? .commit(remote: remote) : .plain
      var body: JSONValue?
      if !original.body.isEmpty {
        body = try? JSONValue.parse(original.body)
        guard body != nil else { throw Unknown("the body is not JSON") }
      }
      if parameters["attachments"] == "false" { body = body?.withoutSince }
      request = HTTPRequest(method, path, query: query.map { JSONString($0) }, body: body)
    }

    private static func parameters(_ query: String?) -> [String: JSONString] {
      var parameters: [String: JSONString] = [:]
      for part in (query ?? "").split(separator: "&") {
        let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2 else { continue }
        parameters[String(sides[0])] = JSONString(String(sides[1])).percentDecoded
      }
      return parameters
    }

    /// The id in the path of a document; nil for another endpoint.
    private static func documentID(_ path: JSONString, _ remote: JSONString) -> JSONString? {
      guard let rest = path.dropping(prefix: JSONString("\(remote)/")),
        let id = rest.percentDecoded, !id.isEmpty
      else { return nil }
      let isEndpoint = id.utf8.first == UInt8(ascii: "_") && !id.utf8.starts(with: "_design/".utf8)
      return isEndpoint ? nil : id
    }

    /// The document in the body: JSON, or JSON with the content of attachments after it.
    private static func document(_ request: HeldRequest) throws(Unknown) -> JSONObject {
      let type = request.headers["content-type"] ?? ""
      guard type.utf8.starts(with: "multipart/".utf8) else {
        guard let object = (try? JSONValue.parse(request.body))?.objectValue else {
          throw Unknown("the body is not a document")
        }
        return object
      }
      guard let document = MultipartDocument.reading(request.body, type: type) else {
        throw Unknown("the body is not a document with attachments")
      }
      return document
    }

    // MARK: Responses

    func cut() { original.cut() }

    /// The question whose response is needed, too; nil if this response is sufficient.
    func next(after response: HTTPResponse) -> ReplicatorRequest? {
      guard case .commit(let remote) = form, (200...299).contains(response.status) else {
        return nil
      }
      return ReplicatorRequest(incarnationOf: remote, for: original)
    }

    private init(incarnationOf remote: JSONString, for original: HeldRequest) {
      (request, self.original, form) = (HTTPRequest("GET", remote), original, .incarnation)
    }

    func respond(_ response: HTTPResponse) {
      switch form {
      case .incarnation:
        let time = response.body?.objectValue?["instance_start_time"] ?? "0"
        let isFound = response.status == 200
        original.respond(
          ServerResponse(
            isFound ? 201 : Int(response.status),
            isFound ? ["ok": true, "instance_start_time": time] : response.body ?? [:]))
      case .plain, .commit:
        original.respond(ServerResponse(Int(response.status), response.body ?? [:]))
      case .openRevisions: original.respond(Self.mixed(response))
      case .put(let id, let rev): original.respond(Self.written(response, id: id, rev: rev))
      }
    }

    private static func written(
      _ response: HTTPResponse, id: JSONString, rev: JSONString
    ) -> ServerResponse {
      guard (200...299).contains(response.status), let items = response.body?.arrayValue else {
        return ServerResponse(Int(response.status), response.body ?? [:])
      }
      guard let error = items.first?.objectValue?["error"]?.textValue else {
        return ServerResponse(201, ["ok": true, "id": .string(id), "rev": .string(rev)])
      }
      let statuses: [JSONString: Int] = [
        "forbidden": 403, "unauthorized": 401, "missing_stub": 412, "conflict": 409,
      ]
      return ServerResponse(statuses[error] ?? 400, items[0])
    }

    /// The documents of `_bulk_get` as the parts of one response.
    private static func mixed(_ response: HTTPResponse) -> ServerResponse {
      guard response.status == 200, let results = response.body?.objectValue?["results"]?.arrayValue
      else { return ServerResponse(Int(response.status), response.body ?? [:]) }
      let (type, body) = MultipartDocument.mixed(
        results.flatMap({ $0.objectValue?["docs"]?.arrayValue ?? [] }).map { doc in
          let rev = doc.objectValue?["error"]?.objectValue?["rev"] ?? .null
          return (doc.objectValue?["ok"]?.objectValue, ["missing": rev])
        })
      return ServerResponse(200, headers: [("Content-Type", type)], body: body)
    }
  }

  extension ServerResponse {
    fileprivate init(_ status: Int, _ body: JSONValue) {
      self.init(
        status, headers: [("Content-Type", "application/json")], body: body.serializedBytes())
    }
  }

  extension JSONValue {
    /// The body of `_bulk_get` without the revisions whose attachments the client has.
    fileprivate var withoutSince: JSONValue {
      guard case .object(var object) = self, let docs = object["docs"]?.arrayValue else {
        return self
      }
      object["docs"] = .array(
        docs.map { doc in
          guard case .object(var doc) = doc else { return doc }
          doc["atts_since"] = nil
          return .object(doc)
        })
      return .object(object)
    }
  }
#endif
