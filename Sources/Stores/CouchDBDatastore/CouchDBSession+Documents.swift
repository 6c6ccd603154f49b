#if HTTP
  internal import Datastore
  internal import JSON
  internal import Replication

  /// Edits and reads of documents.
  extension CouchDBSession {
    /// Members of a document that are not members of its body.
    private static let ownMembers: Set<JSONString> = [
      "_id", "_rev", "_revisions", "_deleted", "_attachments",
    ]

    /// A document as it is sent; a body that is not an object is sent as it is, so that the server
    /// refuses it.
    static func document(
      _ id: DocumentID?, _ rev: RevisionID?, body: JSONValue, isDeleted: Bool = false
    ) throws(Refusal) -> JSONValue {
      guard case .object(let members) = body else { return body }
      if let id, !isDocument(id) { throw .error(DatastoreError(.badID)) }
      guard !members.members.contains(where: { ownMembers.contains($0.name) }) else {
        throw .error(DatastoreError(.badBody))
      }
      var document = JSONObject()
      document["_id"] = id?.json
      document["_rev"] = rev?.json
      if isDeleted { document["_deleted"] = true }
      for member in members.members { document[member.name] = member.value }
      return .object(document)
    }

    func create(_ id: DocumentID?, _ body: JSONValue) throws(Refusal) -> OperationResult {
      try write(try Self.document(id, nil, body: body))
    }

    func update(
      _ id: DocumentID, _ rev: RevisionID, body: JSONValue
    ) throws(Refusal) -> OperationResult {
      try write(try Self.document(id, rev, body: body))
    }

    func delete(
      _ id: DocumentID, _ rev: RevisionID, body: JSONValue?
    ) throws(Refusal) -> OperationResult {
      if let body { return try write(try Self.document(id, rev, body: body, isDeleted: true)) }
      let query = JSONString("rev=\(rev.text.percentEncoded)")
      return try written(try ask("DELETE", try path(of: id), query: query), "DELETE")
    }

    func write(_ document: JSONValue) throws(Refusal) -> OperationResult {
      // In the path of a `PUT`, some ids would be other endpoints.
      try written(try ask("POST", body: document), "POST")
    }

    func written(
      _ body: JSONValue, _ method: String
    ) throws(Refusal) -> OperationResult {
      try reading(method) { () throws(DecodingFailure) in
        var reader = try ObjectReader(body)
        return .written(
          id: DocumentID(try reader.text("id")), rev: RevisionID(try reader.text("rev")))
      }
    }

    func read(
      _ id: DocumentID, _ rev: RevisionID?, isAgain: Bool = false
    ) throws(Refusal) -> OperationResult {
      let endpoint = try path(of: id)
      let query = rev.map { JSONString("rev=\($0.text.percentEncoded)") }
      let response = try send("GET", endpoint, query: query)
      guard response.status != 200, let rev else {
        guard response.status == 200 else { throw refusal(response, to: "GET", endpoint) }
        let record = RevisionRecord(document: response.body ?? .null)
        guard let rev = record.path.first else { throw malformed("GET", "not a document") }
        return .document(
          DocumentRevision(
            id: record.id, rev: rev, deleted: record.deleted, body: record.body,
            attachments: record.attachments))
      }
      let refusal = refusal(response, to: "GET", endpoint)
      guard case .error(let error) = refusal, error.kind == .notFound(.missing) else {
        throw refusal
      }
      // The response is the same for an unknown revision and for one without a body.
      let isUnknown = try !differences([RevisionQuery(id: id, revs: [rev])]).isEmpty
      if server.isShared, !isUnknown, !isAgain {
        // It may have arrived after the first request.
        return try read(id, rev, isAgain: true)
      }
      throw .error(DatastoreError(.notFound(isUnknown ? .missing : .bodyMissing)))
    }

    func list(
      from: DocumentID?, limit: Int64?, isDescending: Bool
    ) throws(Refusal) -> OperationResult {
      var parameters: [String] = []
      if let from {
        let key = JSONString(from.json.serialized())
        parameters.append("startkey=\(key.percentEncoded)")
      }
      if let limit { parameters.append("limit=\(limit)") }
      if isDescending { parameters.append("descending=true") }
      let query = parameters.isEmpty ? nil : JSONString(parameters.joined(separator: "&"))
      let body = try ask("GET", "_all_docs", query: query)
      return try reading("GET") { () throws(DecodingFailure) in
        var reader = try ObjectReader(body)
        return .list(
          try reader.elements("rows") { (element, path) throws(DecodingFailure) in
            var row = try ObjectReader(element, path: path)
            var value = try ObjectReader(try row.required("value"), path: row.path(to: "value"))
            return ListRow(
              id: DocumentID(try row.text("id")), rev: RevisionID(try value.text("rev")))
          })
      }
    }

    /// The leaves in the order of the feed, the winner first.
    func leaves(of id: DocumentID) throws(Refusal) -> [Leaf] {
      let endpoint = try path(of: id)
      guard server.copies <= 1 else { return try leavesOfCopies(at: endpoint) }
      let page = try stablePage { () throws(Refusal) in
        try ask(
          "POST", "_changes", query: "filter=_doc_ids&style=all_docs",
          body: ["doc_ids": [id.json]])
      }
      guard let row = page.rows.first else {
        throw .error(DatastoreError(.notFound(.missing)))
      }
      return row.leaves.array
    }

    /// The leaves that most copies have, the winner first.
    ///
    /// The server lists them in the order of their revision ids.
    private func leavesOfCopies(at endpoint: JSONString) throws(Refusal) -> [Leaf] {
      let body = try ask("GET", endpoint, query: "open_revs=all")
      var leaves = try reading("GET \(endpoint)") { () throws(DecodingFailure) in
        var reader = try ObjectReader(JSONValue.object(["leaves": body]))
        return try reader.elements("leaves") { (element, path) throws(DecodingFailure) in
          var leaf = try ObjectReader(element, path: path)
          var doc = try ObjectReader(try leaf.required("ok"), path: leaf.path(to: "ok"))
          return Leaf(
            rev: RevisionID(try doc.text("_rev")),
            deleted: try doc.optionalBool("_deleted") ?? false)
        }
      }
      guard !leaves.isEmpty else { throw .error(DatastoreError(.notFound(.missing))) }
      leaves.reverse()
      guard leaves.contains(where: { !$0.deleted }) else { return leaves }
      // Copies that differ may have another winner, or none.
      let response = try send("GET", endpoint)
      let winner = response.body.flatMap { RevisionRecord(document: $0).path.first }
      if response.status == 200, let place = leaves.firstIndex(where: { $0.rev == winner }) {
        leaves.insert(leaves.remove(at: place), at: 0)
      }
      return leaves
    }

    // MARK: Local documents

    private func localPath(_ id: DocumentID) throws(Refusal) -> JSONString {
      guard !id.text.isEmpty else { throw .error(DatastoreError(.badID)) }
      return JSONString("_local/\(id.text.percentEncoded)")
    }

    func readLocal(_ id: DocumentID) throws(Refusal) -> OperationResult {
      let body = try ask("GET", try localPath(id))
      guard case .object(var object) = body else { throw malformed("GET", "not a document") }
      object["_id"] = nil
      object["_rev"] = nil
      return .local(body: .object(object))
    }

    func writeLocal(_ id: DocumentID, _ body: JSONValue?) throws(Refusal) -> OperationResult {
      let path = try localPath(id)
      guard let body else {
        let response = try send("DELETE", path)
        guard response.status == 404 || (200...299).contains(response.status) else {
          throw refusal(response, to: "DELETE", path)
        }
        return .done
      }
      _ = try ask("PUT", path, body: try Self.document(nil, nil, body: body))
      return .done
    }
  }
#endif
