#if HTTP
  internal import Datastore
  internal import JSON
  internal import Replication

  /// The operations on one database, as requests.
  struct CouchDBSession {
    typealias Refusal = CouchDBDatastore.Refusal

    let server: CouchDBDatastore
    let database: CouchDBDatastore.Database

    init(_ server: CouchDBDatastore, _ database: CouchDBDatastore.Database) {
      self.server = server
      self.database = database
    }

    func perform(_ action: StoreAction) throws(Refusal) -> OperationResult {
      switch action {
      case .info: return try info()
      case .create(let id, let body): return try create(id, body)
      case .update(let id, let rev, let body): return try update(id, rev, body: body)
      case .delete(let id, let rev, let body): return try delete(id, rev, body: body)
      case .read(let id, let rev): return try read(id, rev)
      case .list(let from, let limit, let descending):
        return try list(from: from, limit: limit, isDescending: descending)
      case .leaves(let id): return .leaves(try leaves(of: id))
      case .changes(let since, let limit): return try changes(since: since, limit: limit)
      case .revsDiff(let queries): return .revsDiff(try differences(queries))
      case .getRevisions(let queries): return .revisions(try revisions(queries))
      case .insertRevisions(let records): return .inserted(try insert(records))
      case .readLocal(let id): return try readLocal(id)
      case .writeLocal(let id, let body): return try writeLocal(id, body)
      case .resolve(let id, let leaves, let keep, let body):
        return try resolve(id, among: leaves, keep: keep, body: body)
      case .compact: return try compact()
      case .purge(let id, let revs): return try purge(id, revs)
      case .historyLimit(let limit): return try setHistoryLimit(limit)
      case .flush:
        _ = try ask("POST", "_ensure_full_commit")
        return .done
      case .attaching(let attachments, let write): return try self.write(attachments, with: write)
      case .readAttachment(let id, let rev, let name, _, _):
        return try readAttachment(id, rev, name: name)
      default:
        throw .error(DatastoreError(.unsupported(what: action.name)))
      }
    }

    // MARK: Requests

    /// Sends a request to the database, and returns the body of a response without an error.
    ///
    /// - Parameter endpoint: the rest of the path, percent-encoded.
    func ask(
      _ method: JSONString, _ endpoint: JSONString = "", query: JSONString? = nil,
      body: JSONValue? = nil
    ) throws(Refusal) -> JSONValue {
      let response = try send(method, endpoint, query: query, body: body)
      guard (200...299).contains(response.status) else {
        throw refusal(response, to: method, endpoint)
      }
      guard let body = response.body else {
        throw malformed("\(method) \(endpoint)", "expected JSON")
      }
      return body
    }

    func send(
      _ method: JSONString, _ endpoint: JSONString = "", query: JSONString? = nil,
      body: JSONValue? = nil
    ) throws(Refusal) -> HTTPResponse {
      let path = endpoint.isEmpty ? database.path : JSONString("\(database.path)/\(endpoint)")
      let parameters = [query, quorum(of: method, endpoint)].compactMap { $0?.string }
      let query = parameters.isEmpty ? nil : JSONString(parameters.joined(separator: "&"))
      return try server.send(HTTPRequest(method, path, query: query, body: body))
    }

    /// The parameter that makes the server wait for all reachable copies; nil for requests that have
    /// none.
    func quorum(of method: JSONString, _ endpoint: JSONString) -> JSONString? {
      guard server.copies > 1 else { return nil }
      let isDocument =
        !endpoint.isEmpty && endpoint.utf8.first != UInt8(ascii: "_")
        || endpoint.utf8.starts(with: "_design".utf8)
        || endpoint.utf8.starts(with: "_local/".utf8)
      let isRead = isDocument && method == "GET" || endpoint == "_bulk_get"
      let isWrite =
        isDocument && method != "GET" || endpoint.isEmpty && method == "POST"
        || endpoint == "_bulk_docs" || endpoint == "_purge"
      return isRead || isWrite ? JSONString("\(isRead ? "r" : "w")=\(server.copies)") : nil
    }

    func refusal(
      _ response: HTTPResponse, to method: JSONString, _ endpoint: JSONString
    ) -> Refusal {
      server.refusal(response, to: "\(method) \(database.path)/\(endpoint)")
    }

    /// A valid response in which something is missing.
    func malformed(_ request: String, _ reason: String) -> Refusal {
      .harness(
        HarnessError(
          "\(request) \(database.path): \(reason)",
          breakdown: .init(shape: "malformed", form: "a malformed response")))
    }

    func reading<Value>(
      _ request: String, _ body: () throws(DecodingFailure) -> Value
    ) throws(Refusal) -> Value {
      do throws(DecodingFailure) {
        return try body()
      } catch {
        throw malformed(request, "\(error)")
      }
    }

    /// The path of a document; ids that would be other endpoints are refused.
    func path(of id: DocumentID) throws(Refusal) -> JSONString {
      guard Self.isDocument(id) else { throw .error(DatastoreError(.badID)) }
      return id.text.percentEncoded
    }

    static func isDocument(_ id: DocumentID) -> Bool {
      let bytes = id.text.utf8
      return !bytes.isEmpty
        && (bytes.first != UInt8(ascii: "_") || bytes.starts(with: "_design/".utf8))
    }

    private func info() throws(Refusal) -> OperationResult {
      let body = try ask("GET")
      return try reading("GET") { () throws(DecodingFailure) in
        var reader = try ObjectReader(body)
        return .info(
          StoreInfo(
            documents: try reader.integer("doc_count"),
            deletedDocuments: try reader.integer("doc_del_count"),
            last: try UpdateSequence(try reader.required("update_seq"), path: "update_seq"),
            // The time counts seconds.
            incarnation: JSONString(
              "\(try reader.text("instance_start_time"))-\(database.label)")))
      }
    }
  }
#endif
