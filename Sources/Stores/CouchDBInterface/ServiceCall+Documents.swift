#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// Writing documents.
  extension ServiceCall {
    func postDocument() throws(ServiceError) -> ServerResponse {
      try withDatabase { _ in }
      try requireJSONType()
      let input = try DocumentInput(body())
      if let id = input.id { try Self.check(id) }
      if input.isLocal {
        let rev = try withDatabase { (database) throws(ServiceError) in
          try service.writeLocal(input, database)
        }
        return .json(201, ["ok": true, "id": input.id?.json ?? .null, "rev": rev.json])
      }
      if isBatch { return try accepted(input, id: input.id) }
      let (id, rev) = try withDatabase { (database) throws(ServiceError) in
        let id = input.id ?? DocumentID(JSONString(database.randomHexadecimal(16)))
        return (id, try service.write(input, id: id, database))
      }
      return written(id, rev, status: input.isDeleted ? 200 : 201)
    }

    func putDocument() throws(ServiceError) -> ServerResponse {
      try withDatabase { _ in }
      var input = try documentInBody()
      try Self.check(id)
      if try flag("new_edits", default: true) == false { return try putReplicated(input) }
      input.rev = try statedRevision(input.rev)
      if isBatch { return try accepted(input, id: id) }
      let rev = try withDatabase { (database) throws(ServiceError) in
        try service.write(input, id: id, database)
      }
      return written(id, rev, status: input.isDeleted ? 200 : 201)
    }

    /// The document in the body: JSON, or JSON with the content of attachments after it.
    private func documentInBody() throws(ServiceError) -> DocumentInput {
      let type = request.headers["content-type"] ?? ""
      guard type.lowercased().utf8.starts(with: "multipart/related".utf8) else {
        return try DocumentInput(body())
      }
      guard let document = MultipartDocument.reading(request.body, type: type) else {
        throw .badRequest("the body is not a document with its attachments")
      }
      return try DocumentInput(.object(document))
    }

    private func putReplicated(_ input: DocumentInput) throws(ServiceError) -> ServerResponse {
      let record = try input.record(id: id)
      try withDatabase { (database) throws(ServiceError) in
        let errors = try database.insert([record])
        if let error = errors.first ?? nil { throw error }
      }
      service.signal.changed(database)
      return written(id, record.path[0], status: input.isDeleted ? 200 : 201)
    }

    /// The revision that a client states in the body, as a parameter or as a condition.
    func statedRevision(_ inBody: RevisionID?) throws(ServiceError) -> RevisionID? {
      var stated: [RevisionID] = inBody.map { [$0] } ?? []
      if let text = parameters["rev"], !text.isEmpty {
        guard let rev = DocumentInput.canonical(text) else { throw .invalidRev }
        stated.append(rev)
      }
      if let header = request.headers["if-match"] {
        let text = header.filter { $0 != "\"" }
        guard let rev = DocumentInput.canonical(JSONString(text)) else { throw .invalidRev }
        stated.append(rev)
      }
      if let first = stated.first, stated.contains(where: { $0 != first }) {
        throw .badRequest(
          "Document rev from request body, query string and If-Match have different values")
      }
      return stated.first
    }

    func deleteDocument() throws(ServiceError) -> ServerResponse {
      try withDatabase { _ in }
      try requireDocument()
      var input = DocumentInput()
      input.isDeleted = true
      input.rev = try statedRevision(nil)
      if isBatch { return try accepted(input, id: id) }
      let rev = try withDatabase { (database) throws(ServiceError) in
        guard let leaves = try database.leaves(id) else { throw .notFound("missing") }
        guard leaves.contains(where: { !$0.deleted }) else { throw .notFound("deleted") }
        guard input.rev != nil else { throw .conflict }
        return try service.write(input, id: id, database)
      }
      return written(id, rev, status: 200)
    }

    func copyDocument() throws(ServiceError) -> ServerResponse {
      guard let header = request.headers["destination"] else {
        throw .badRequest("Destination header is mandatory for COPY.")
      }
      let parts = header.split(separator: "?", maxSplits: 1)
      var path = parts.first ?? ""
      if let scheme = path.utf8.firstRange(of: "://".utf8) {
        // A whole address, as the proposal for COPY has it.
        let rest = path[scheme.upperBound...].drop { $0 != "/" }.dropFirst()
        path = rest.drop { $0 != "/" }.dropFirst()
      }
      guard let target = JSONString(String(path)).percentDecoded, !target.isEmpty else {
        throw .badRequest("the Destination header is not an id")
      }
      let query = Parameters(query: parts.count > 1 ? JSONString(String(parts[1])) : nil)
      let stated = query?["rev"].flatMap { DocumentInput.canonical($0) }
      var from: RevisionID?
      if let text = parameters["rev"] {
        guard let rev = DocumentInput.canonical(text) else { throw .invalidRev }
        from = rev
      }
      let rev = try withDatabase { (database) throws(ServiceError) in
        let winner: RevisionID
        if let from { winner = from } else { winner = try database.read(id).rev }
        guard let record = try database.record(id, winner, attachmentsSince: []) else {
          throw .notFound("missing")
        }
        var input = DocumentInput()
        input.rev = stated
        input.body = record.body.objectValue ?? [:]
        input.isDeleted = record.deleted
        input.attachments = record.attachments
        return try service.write(input, id: DocumentID(target), database)
      }
      return written(DocumentID(target), rev, status: 201)
    }

    // MARK: Responses

    private var isBatch: Bool {
      parameters["batch"].map { $0.utf8.elementsEqual("ok".utf8) } ?? false
    }

    /// With `batch=ok`, CouchDB writes later; here the write is done, but its revision is not told.
    private func accepted(
      _ input: DocumentInput, id: DocumentID?
    ) throws(ServiceError) -> ServerResponse {
      let known = try withDatabase { (database) throws(ServiceError) in
        let id = id ?? DocumentID(JSONString(database.randomHexadecimal(16)))
        _ = try? service.write(input, id: id, database)
        return id
      }
      return .json(202, ["ok": true, "id": known.json])
    }

    func written(_ id: DocumentID, _ rev: RevisionID, status: Int) -> ServerResponse {
      var headers = [("ETag", "\"\(rev)\"")]
      if status == 201 {
        headers.append(("Location", location("\(database.text.percentEncoded)/\(path(of: id))")))
      }
      return .json(
        status, ["ok": true, "id": id.json, "rev": rev.json], headers: headers)
    }

    private func path(of id: DocumentID) -> JSONString {
      guard let rest = id.text.dropping(prefix: "_design/") else { return id.text.percentEncoded }
      return JSONString("_design/\(rest.percentEncoded)")
    }

    func location(_ path: String) -> String {
      "http://\(request.headers["host"] ?? "127.0.0.1")/\(path)"
    }
  }

  extension CouchDBService {
    /// Writes an edit, and wakes the feeds that wait for it.
    func write(
      _ input: DocumentInput, id: DocumentID, _ database: OpenDatabase
    ) throws(ServiceError) -> RevisionID {
      let rev = try database.write(input, id: id)
      signal.changed(database.name)
      return rev
    }
  }
#endif
