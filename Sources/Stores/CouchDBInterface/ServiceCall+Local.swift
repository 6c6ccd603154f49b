#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// Local documents, which are never replicated.
  extension ServiceCall {
    func localDocument() throws(ServiceError) -> ServerResponse {
      guard !id.text.isEmpty else {
        throw ServiceError(400, "illegal_docid", reason: "Illegal document id `_local/`")
      }
      switch request.method {
      case "PUT":
        var input = DocumentInput()
        input = try DocumentInput(body())
        input.id = DocumentID(JSONString("_local/\(id)"))
        let rev = try statedRevision(input.rev)
        input.rev = rev
        let written = input
        let new = try withDatabase { (database) throws(ServiceError) in
          try service.writeLocal(written, database)
        }
        return .json(
          201, ["ok": true, "id": written.id?.json ?? .null, "rev": new.json])
      case "DELETE":
        var input = DocumentInput()
        input.id = DocumentID(JSONString("_local/\(id)"))
        input.isDeleted = true
        let written = input
        _ = try withDatabase { (database) throws(ServiceError) in
          _ = try database.perform(.readLocal(id: id))
          return try service.writeLocal(written, database)
        }
        return .json(200, ["ok": true, "id": written.id?.json ?? .null, "rev": "0-0"])
      default:
        if parameters["rev"] != nil || parameters["open_revs"] != nil { throw .notFound("missing") }
        let object = try withDatabase { (database) throws(ServiceError) in
          try service.readLocal(id, database)
        }
        return .json(200, .object(object))
      }
    }

    func localDocuments() throws(ServiceError) -> ServerResponse {
      let includesDocuments = try flag("include_docs")
      let isDescending = try flag("descending")
      let keys =
        request.method.utf8.elementsEqual("POST".utf8)
        ? try object()["keys"]?.arrayValue : try json("keys")?.arrayValue
      let limit = try count("limit")
      let skip = try count("skip") ?? 0
      let rows = try withDatabase { (database) throws(ServiceError) in
        var ids = service.registry.entries[database.name]?.locals ?? []
        if isDescending { ids.reverse() }
        var rows: [JSONValue] = []
        let wanted = keys?.map { $0.textValue.flatMap { $0.dropping(prefix: "_local/") } }
        for id in wanted ?? ids.map({ $0 }) {
          guard let id,
            let found = try? service.readLocal(DocumentID(id), database)
          else { continue }
          let full = JSONValue.text("_local/\(id)")
          var row: JSONObject = [
            "id": full, "key": full, "value": ["rev": found["_rev"] ?? .null],
          ]
          if includesDocuments { row["doc"] = .object(found) }
          rows.append(.object(row))
        }
        return rows
      }
      let page = rows.dropFirst(Int(min(skip, 1 << 31))).prefix(Int(min(limit ?? .max, 1 << 31)))
      return .json(200, ["total_rows": .null, "offset": .null, "rows": .array(Array(page))])
    }
  }

  extension CouchDBService {
    fileprivate func readLocal(
      _ id: DocumentID, _ database: OpenDatabase
    ) throws(ServiceError) -> JSONObject {
      guard case .local(let body) = try database.perform(.readLocal(id: id)) else {
        throw .unexpected
      }
      let number = registry.entries[database.name]?.localRevs[id.text] ?? 1
      let members: [(JSONString, JSONValue)] = [
        ("_id", .text("_local/\(id)")), ("_rev", .text("0-\(number)")),
      ]
      return JSONObject(
        members + (body.objectValue ?? [:]).members.map { ($0.name, $0.value) })
    }

    /// Writes or deletes a local document, and returns its revision: one above the one that the client
    /// states, whatever is stored.
    func writeLocal(
      _ input: DocumentInput, _ database: OpenDatabase
    ) throws(ServiceError) -> RevisionID {
      guard let id = input.id?.text.dropping(prefix: "_local/") else { throw .unexpected }
      var number: Int64 = 0
      if let rev = input.rev {
        guard let stated = rev.text.dropping(prefix: "0-").flatMap({ Int64($0.string) }),
          stated >= 0
        else { throw ServiceError(400, "bad_request", reason: "Invalid rev format") }
        number = stated
      }
      let body: JSONValue? = input.isDeleted ? nil : .object(input.body)
      _ = try database.perform(.writeLocal(id: DocumentID(id), body: body))
      guard var entry = registry.entries[database.name] else { throw .noDatabase }
      entry.localRevs[id] = input.isDeleted ? nil : number + 1
      let isListed = entry.locals.contains(id)
      if input.isDeleted == isListed {
        entry.locals.removeAll { $0 == id }
        if !input.isDeleted { entry.locals = (entry.locals + [id]).inByteOrder }
        try database.store(entry, in: &registry)
      } else {
        registry.update(database.name) { $0 = entry }
      }
      return input.isDeleted ? "0-0" : RevisionID(JSONString("0-\(number + 1)"))
    }
  }
#endif
