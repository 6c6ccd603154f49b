#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// Several documents in one request.
  extension ServiceCall {
    func bulkDocuments() throws(ServiceError) -> ServerResponse {
      try withDatabase { _ in }
      try requireJSONType()
      let object = try object()
      guard let value = object["docs"] else {
        throw .badRequest("POST body must include `docs` parameter.")
      }
      guard let docs = value.arrayValue else {
        throw .badRequest("`docs` parameter must be an array.")
      }
      if object["all_or_nothing"] == true {
        return .json(
          417,
          .array(
            docs.map { doc in
              [
                "id": doc.objectValue?["_id"] ?? "", "rev": "0-", "error": "not_implemented",
                "reason": "all_or_nothing is not supported",
              ]
            }))
      }
      let isReplication = object["new_edits"] == false
      // One malformed document fails the whole request before anything is written.
      var inputs: [DocumentInput] = []
      for doc in docs { inputs.append(try DocumentInput(doc)) }
      return isReplication ? try insertReplicated(inputs) : try writeEdits(inputs)
    }

    private func insertReplicated(_ inputs: [DocumentInput]) throws(ServiceError) -> ServerResponse
    {
      var records: [RevisionRecord] = []
      var locals: [DocumentInput] = []
      for input in inputs {
        if input.isLocal {
          locals.append(input)
        } else {
          records.append(try input.record(id: input.id ?? ""))
        }
      }
      let rows = try withDatabase { (database) throws(ServiceError) in
        var rows: [JSONValue] = []
        for (record, error) in zip(records, try database.insert(records)) {
          guard let error else { continue }
          rows.append([
            "id": record.id.json, "rev": record.path[0].json, "error": .string(error.name),
            "reason": .string(error.reason),
          ])
        }
        for input in locals { _ = try service.writeLocal(input, database) }
        return rows
      }
      if !records.isEmpty { service.signal.changed(database) }
      return .json(201, .array(rows))
    }

    private func writeEdits(_ inputs: [DocumentInput]) throws(ServiceError) -> ServerResponse {
      let rows = try withDatabase { (database) throws(ServiceError) in
        for input in inputs {
          try input.id.map { (id) throws(ServiceError) in try Self.check(id) }
        }
        var rows: [JSONValue] = []
        for input in inputs {
          let id = input.id ?? DocumentID(JSONString(database.randomHexadecimal(16)))
          do throws(ServiceError) {
            let rev =
              input.isLocal
              ? try service.writeLocal(input, database) : try database.write(input, id: id)
            rows.append(["ok": true, "id": id.json, "rev": rev.json])
          } catch {
            guard error.status != 412 else { throw error }
            rows.append([
              "id": id.json, "error": .string(error.name), "reason": .string(error.reason),
            ])
          }
        }
        return rows
      }
      service.signal.changed(database)
      return .json(201, .array(rows))
    }

    /// Ids that fail a whole request.
    static func check(_ id: DocumentID) throws(ServiceError) {
      let bytes = id.text.utf8
      guard !bytes.isEmpty else {
        throw ServiceError(400, "illegal_docid", reason: "Document id must not be empty")
      }
      guard bytes.first == UInt8(ascii: "_") else { return }
      for prefix in ["_design/", "_local/"] where bytes.starts(with: prefix.utf8) {
        guard bytes.count > prefix.utf8.count else {
          throw ServiceError(
            400, "illegal_docid", reason: JSONString("Illegal document id `\(prefix)`"))
        }
        return
      }
      throw ServiceError(
        400, "illegal_docid",
        reason: "Only reserved document ids may start with underscore.")
    }

    // MARK: Reading

    func bulkGet() throws(ServiceError) -> ServerResponse {
      try withDatabase { _ in }
      try requireJSONType()
      for name in ["rev", "open_revs", "new_edits", "w", "atts_since"] as [JSONString]
      where parameters[name] != nil {
        throw .badRequest(JSONString("\"\(name)\" query parameter is not acceptable"))
      }
      guard let docs = try object()["docs"]?.arrayValue else {
        throw .badRequest("Missing JSON list of 'docs'.")
      }
      let (options, latest) = (try ReadingOptions(self), try flag("latest"))
      var asked: [Asked] = []
      for doc in docs { asked.append(Asked(doc, options)) }
      let rows = try withDatabase { (database) throws(ServiceError) in
        try database.bulkGet(asked, options, latest: latest)
      }
      return .json(200, ["results": .array(rows)])
    }

    /// A document of `_bulk_get`.
    struct Asked {
      var id: DocumentID = ""
      /// Nil for all leaves.
      var rev: RevisionID?
      var attachmentsSince: [RevisionID]?
      /// The error in place of an answer.
      var error: JSONValue?

      init(_ json: JSONValue, _ options: ReadingOptions) {
        guard let object = json.objectValue else {
          fail(.badRequest("document must be a JSON object"), id: .null, rev: .null)
          return
        }
        guard let text = object["id"]?.textValue else {
          fail(.badRequest("document id missed"), id: .null, rev: .null)
          return
        }
        id = DocumentID(text)
        attachmentsSince = options.attachmentsSince
        do throws(ServiceError) {
          try ServiceCall.check(id)
          if let value = object["rev"] { rev = try DocumentInput.revision(value) }
          if let since = object["atts_since"]?.arrayValue, options.attachmentsSince != nil {
            attachmentsSince = try since.map { (rev) throws(ServiceError) in
              try DocumentInput.revision(rev)
            }
          }
        } catch {
          let isOfRevision = error.reason == ServiceError.invalidRev.reason
          fail(error, id: .string(text), rev: isOfRevision ? object["rev"] ?? .null : .null)
        }
      }

      private mutating func fail(_ error: ServiceError, id: JSONValue, rev: JSONValue) {
        self.error = [
          "id": id,
          "docs": [
            [
              "error": [
                "id": id, "rev": rev, "error": .string(error.name),
                "reason": .string(error.reason),
              ]
            ]
          ],
        ]
      }
    }
  }

  extension OpenDatabase {
    fileprivate func bulkGet(
      _ asked: [ServiceCall.Asked], _ options: ReadingOptions, latest: Bool
    ) throws(ServiceError) -> [JSONValue] {
      // All revisions that are named are one question to the store.
      let named = asked.filter { $0.rev != nil && $0.error == nil }
      let answers = try revisions(
        named.map { one in
          RevisionQuery(
            id: one.id, revs: one.rev.map { [$0] } ?? [], latest: latest,
            attachmentsSince: one.attachmentsSince)
        })
      var next = answers.makeIterator()
      var rows: [JSONValue] = []
      for one in asked {
        var docs: [JSONValue] = []
        if let error = one.error {
          rows.append(error)
          continue
        }
        if one.rev == nil {
          guard try leaves(one.id) != nil else {
            rows.append(Self.row(one.id, [Self.missing(one.id, "undefined")]))
            continue
          }
          let found = try openRevisions(one.id, nil, latest: false, with: options)
          docs = found.map { ["ok": .object($0.document ?? [:])] }
        } else if let answer = next.next() {
          if case .records(let records) = answer.found {
            for record in records { docs.append(["ok": .object(try document(record, options))]) }
          } else {
            docs = [Self.missing(one.id, answer.rev.text)]
          }
        }
        rows.append(Self.row(one.id, docs))
      }
      return rows
    }

    private static func row(_ id: DocumentID, _ docs: [JSONValue]) -> JSONValue {
      ["id": id.json, "docs": .array(docs)]
    }

    private static func missing(_ id: DocumentID, _ rev: JSONString) -> JSONValue {
      [
        "error": [
          "id": id.json, "rev": .string(rev), "error": "not_found", "reason": "missing",
        ]
      ]
    }
  }

  extension DocumentInput {
    /// Whether the document is a local one.
    var isLocal: Bool { id?.text.utf8.starts(with: "_local/".utf8) ?? false }
  }
#endif
