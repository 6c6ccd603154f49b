#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// Other clients that come before a request.
  extension HostilePeer {
    /// A request of this layer, with the credentials of the client.
    func send(
      _ method: String, _ target: String, as request: ServerRequest, body: JSONValue? = nil
    ) -> (status: Int, body: JSONValue)? {
      var headers = ["content-type": "application/json", "accept": "application/json"]
      for name in ["authorization", "cookie"] { headers[name] = request.headers[name] }
      let own = ServerRequest(
        method: method, target: target, headers: headers,
        body: body.map { $0.serializedBytes() } ?? [], connection: 0)
      guard let response = server(own), let bytes = response.collected() else { return nil }
      return (response.status, (try? JSONValue.parse(bytes)) ?? .null)
    }

    func compact(_ database: JSONString, as request: ServerRequest) {
      _ = send("POST", "/\(database.percentEncoded)/_compact", as: request, body: [:])
    }

    /// Edits a document that the request is about: its winner gets a child.
    func edit(_ request: ServerRequest, _ kind: RequestKind, draw: UInt64) {
      guard let database = kind.database else { return }
      let ids = Self.documents(of: request, kind)
      guard !ids.isEmpty else { return }
      let id = ids[Int(draw % UInt64(ids.count))]
      let target = "/\(database.percentEncoded)/\(id.percentEncoded)"
      guard let found = send("GET", target, as: request), found.status == 200,
        var document = found.body.objectValue
      else { return }
      document["hostile"] = .integer(Int64(draw % 1000))
      _ = send("PUT", target, as: request, body: .object(document))
    }

    private static func documents(of request: ServerRequest, _ kind: RequestKind) -> [JSONString] {
      if let id = kind.id { return [id.text] }
      guard let object = try? JSONValue.parse(request.body).objectValue else { return [] }
      switch kind.endpoint {
      case "_revs_diff": return object.members.map(\.name)
      case "_bulk_get", "_bulk_docs":
        return (object["docs"]?.arrayValue ?? []).compactMap {
          $0.objectValue?["id"]?.textValue ?? $0.objectValue?["_id"]?.textValue
        }
      default: return []
      }
    }
  }
#endif
