#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON

  /// The writes that clients were told to have succeeded, by database and document.
  struct AcknowledgedWrites {
    /// A revision that a client may rely on.
    struct Write: Hashable {
      let database: JSONString
      let id: DocumentID
      let rev: RevisionID
    }

    private(set) var writes: Set<Write> = []
    /// The history limit of databases in which a client changed it.
    private(set) var historyLimits: [JSONString: Int64] = [:]

    /// Adds what a response acknowledges, if the client received it as it was sent.
    mutating func add(_ exchange: Exchange) {
      let kind = RequestKind(exchange.request)
      forget(exchange, kind)
      guard kind.isWrite, kind.endpoint != "_local", let database = kind.database,
        exchange.fault?.deliversResponse ?? true, let response = exchange.response,
        (200...201).contains(response.status), let bytes = response.bytes,
        let answer = try? JSONValue.parse(bytes)
      else { return }
      if kind.endpoint == "_bulk_docs" {
        addBulk(exchange, answer, in: database)
      } else {
        add(answer, in: database)
      }
    }

    /// Forgets what a client removes: writes of a deleted database, and of purged documents. Also if the
    /// response is lost, because the removal may have happened.
    private mutating func forget(_ exchange: Exchange, _ kind: RequestKind) {
      guard let database = kind.database else { return }
      switch (kind.method, kind.endpoint) {
      case ("DELETE", "database"):
        writes = writes.filter { $0.database != database }
        historyLimits[database] = nil
      case ("POST", "_purge"):
        let body = (try? JSONValue.parse(exchange.request.body))?.objectValue
        let purged = Set((body ?? [:]).members.map { DocumentID($0.name) })
        writes = writes.filter { $0.database != database || !purged.contains($0.id) }
      case ("PUT", "_revs_limit"):
        let limit = (try? JSONValue.parse(exchange.request.body))?.integerValue
        historyLimits[database] = min(limit ?? .max, historyLimits[database] ?? .max)
      default: break
      }
    }

    private mutating func add(_ answer: JSONValue, in database: JSONString) {
      guard let object = answer.objectValue, let id = object["id"]?.textValue,
        let rev = object["rev"]?.textValue, object["error"] == nil,
        !id.utf8.starts(with: "_local/".utf8)
      else { return }
      writes.insert(Write(database: database, id: DocumentID(id), rev: RevisionID(rev)))
    }

    private mutating func addBulk(
      _ exchange: Exchange, _ answer: JSONValue, in database: JSONString
    ) {
      let rows = answer.arrayValue ?? []
      for row in rows { add(row, in: database) }
      guard let body = try? JSONValue.parse(exchange.request.body).objectValue,
        body["new_edits"] == false
      else { return }
      // Only failures are listed.
      let failed = Set(
        rows.compactMap { row -> Write? in
          guard let object = row.objectValue, let id = object["id"]?.textValue else { return nil }
          return Write(
            database: database, id: DocumentID(id), rev: RevisionID(object["rev"]?.textValue ?? ""))
        })
      for doc in body["docs"]?.arrayValue ?? [] {
        guard let object = doc.objectValue, let id = object["_id"]?.textValue,
          let rev = object["_rev"]?.textValue ?? Self.first(object["_revisions"])
        else { continue }
        let write = Write(database: database, id: DocumentID(id), rev: RevisionID(rev))
        if !failed.contains(write) { writes.insert(write) }
      }
    }

    private static func first(_ revisions: JSONValue?) -> JSONString? {
      guard let object = revisions?.objectValue, let start = object["start"]?.integerValue,
        let id = object["ids"]?.arrayValue?.first?.textValue
      else { return nil }
      return JSONString("\(start)-\(id)")
    }
  }
#endif
