#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// Reading documents.
  extension ServiceCall {
    /// Fails for an endpoint that does not exist: its name is no id of a document.
    func requireDocument() throws(ServiceError) {
      let bytes = id.text.utf8
      guard bytes.first == UInt8(ascii: "_"), !bytes.starts(with: "_design/".utf8) else { return }
      throw .notFound("missing")
    }

    func getDocument() throws(ServiceError) -> ServerResponse {
      try withDatabase { _ in }
      try requireDocument()
      let options = try ReadingOptions(self)
      if let wanted = parameters["open_revs"], !wanted.utf8.elementsEqual("[]".utf8) {
        return try openRevisions(wanted, options)
      }
      var rev: RevisionID?
      if let text = parameters["rev"] {
        guard let known = DocumentInput.canonical(text) else { throw .invalidRev }
        rev = known
      }
      let latest = try flag("latest")
      let readsDeleted = try flag("deleted")
      let found = try withDatabase { (database) throws(ServiceError) in
        try database.found(
          id, rev, latest: latest, readsDeleted: readsDeleted, with: options)
      }
      let etag = "\"\(found.rev)\""
      var headers: [(name: String, value: String)] = []
      if options.isPlain {
        headers.append(("ETag", etag))
        if matches(etag: etag) { return ServerResponse(304, headers: headers) }
      }
      if options.attachmentsSince != nil, acceptsRelated,
        let multipart = MultipartDocument(found.document)
      {
        return ServerResponse(
          200, headers: [("Content-Type", multipart.type)] + headers, body: multipart.body)
      }
      return .json(200, .object(found.document), headers: headers)
    }

    /// Several revisions, as JSON or as parts of a body.
    private func openRevisions(
      _ wanted: JSONString, _ options: ReadingOptions
    ) throws(ServiceError) -> ServerResponse {
      var revs: [RevisionID]?
      if !wanted.utf8.elementsEqual("all".utf8) {
        guard let list = (try? JSONValue.parse(wanted.utf8))?.arrayValue else {
          throw .badRequest("Invalid list of revisions")
        }
        var unique: [RevisionID] = []
        for value in list {
          let rev = try DocumentInput.revision(value)
          if !unique.contains(rev) { unique.append(rev) }
        }
        revs = unique
      }
      let latest = try flag("latest")
      let asked = revs
      let isMultipart = prefersMultipart()
      var options = options
      // The parts of a body always have the content of attachments.
      if isMultipart { options.attachmentsSince = options.attachmentsSince ?? [] }
      let wanted = options
      let rows = try withDatabase { (database) throws(ServiceError) in
        try database.openRevisions(id, asked, latest: latest, with: wanted)
      }
      guard isMultipart else {
        return .json(
          200,
          .array(
            rows.map { row in
              row.document.map { ["ok": .object($0)] } ?? ["missing": row.rev.json]
            }))
      }
      let (type, body) = MultipartDocument.mixed(
        rows.map { ($0.document, ["missing": $0.rev.json]) })
      return ServerResponse(200, headers: [("Content-Type", type)], body: body)
    }

    /// Whether the client accepts a document with its attachments as parts.
    private var acceptsRelated: Bool {
      guard let accept = request.headers["accept"] else { return false }
      return accept.split(separator: ",").contains { part in
        let kind = part.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        return kind.utf8.elementsEqual("multipart/related".utf8)
          || kind.utf8.elementsEqual("multipart/*".utf8)
      }
    }
  }

  extension OpenDatabase {
    /// The revision that a client reads, as a document.
    func found(
      _ id: DocumentID, _ rev: RevisionID?, latest: Bool, readsDeleted: Bool,
      with options: ReadingOptions
    ) throws(ServiceError) -> (rev: RevisionID, document: JSONObject) {
      var wanted: RevisionID
      if let rev {
        wanted = rev
        if latest {
          let query = RevisionQuery(id: id, revs: [rev], latest: true)
          guard case .records(let records)? = try revisions([query]).first?.found,
            let newest = records.map({ $0.path[0] }).max(by: { RevisionOrder.isBefore($0, $1) })
          else { throw .notFound("missing") }
          wanted = newest
        }
      } else if readsDeleted, let winner = try leaves(id)?.first {
        wanted = winner.rev
      } else {
        let found = try read(id)
        if options.isPlain {
          // The usual case needs no history.
          let record = RevisionRecord(
            id: id, path: [found.rev], body: found.body, attachments: found.attachments)
          return (found.rev, try document(record, options))
        }
        wanted = found.rev
      }
      guard let record = try record(id, wanted, attachmentsSince: options.attachmentsSince) else {
        throw .notFound("missing")
      }
      return (wanted, try document(record, options, isWinner: rev == nil))
    }

    /// All leaves, or the given revisions; a row without a document is missing.
    func openRevisions(
      _ id: DocumentID, _ revs: [RevisionID]?, latest: Bool, with options: ReadingOptions
    ) throws(ServiceError) -> [(rev: RevisionID, document: JSONObject?)] {
      let leaves = try leaves(id)
      if revs == nil, leaves == nil { throw .notFound("missing") }
      let wanted =
        revs ?? (leaves ?? []).map(\.rev).sorted { RevisionOrder.isBefore($0, $1) }
      let answers = try revisions([
        RevisionQuery(
          id: id, revs: wanted, latest: latest, attachmentsSince: options.attachmentsSince)
      ])
      var rows: [(rev: RevisionID, document: JSONObject?)] = []
      for answer in answers {
        guard case .records(let records) = answer.found else {
          rows.append((answer.rev, nil))
          continue
        }
        for record in records where !rows.contains(where: { $0.rev == record.path[0] }) {
          rows.append((record.path[0], try document(record, options)))
        }
      }
      return rows.sorted { RevisionOrder.isBefore($0.rev, $1.rev) }
    }
  }
#endif
