#if HTTP
  internal import Datastore
  internal import Digest
  internal import JSON
  internal import Replication

  /// Attachments of edits, and their content.
  extension CouchDBSession {
    /// The length of content, in base64, from which a new revision is sent as multipart.
    private static let partBytesMin = 1024

    /// A write with the attachments of the new revision.
    func write(
      _ attachments: [RevisionAttachment], with action: StoreAction
    ) throws(Refusal) -> OperationResult {
      switch action {
      case .create(let id, let body):
        return try write(
          try Self.document(id, nil, body: body), attachments, of: id)
      case .update(let id, let rev, let body):
        return try write(
          try Self.document(id, rev, body: body), attachments, of: id)
      case .resolve(let id, let leaves, let keep, let body):
        guard body != nil else { throw .error(DatastoreError(.badRequest(path: "attachments"))) }
        return try resolve(
          id, among: leaves, keep: keep, body: body, attachments: try Self.members(attachments))
      default: throw .error(DatastoreError(.unsupported(what: action.name)))
      }
    }

    private func write(
      _ document: JSONValue, _ attachments: [RevisionAttachment], of id: DocumentID?
    ) throws(Refusal) -> OperationResult {
      guard case .object(var object) = document else { return try write(document) }
      let isLong = attachments.contains { attachment in
        if case .data(let text) = attachment.content {
          text.utf8.count >= Self.partBytesMin
        } else {
          false
        }
      }
      if !attachments.isEmpty { object["_attachments"] = try Self.members(attachments) }
      guard isLong, let id, let multipart = MultipartDocument(object) else {
        return try write(.object(object))
      }
      let endpoint = try path(of: id)
      let response = try server.send(
        HTTPRequest(
          "PUT", JSONString("\(database.path)/\(endpoint)"), query: quorum(of: "PUT", endpoint),
          headers: ["content-type": .text(multipart.type)],
          bytes: JSONString(Base64.encode(multipart.body))))
      guard (200...299).contains(response.status), let body = response.body else {
        throw refusal(response, to: "PUT", try path(of: id))
      }
      return try written(body, "PUT")
    }

    /// `_attachments` of a document.
    static func members(_ attachments: [RevisionAttachment]) throws(Refusal) -> JSONValue {
      var object = JSONObject()
      for attachment in attachments {
        guard let member = attachment.documentMember else {
          throw .error(DatastoreError(.unsupported(what: "file")))
        }
        object[attachment.name] = member
      }
      return .object(object)
    }

    /// The attachments of a stored revision, as stubs for its child.
    func stubs(of id: DocumentID, _ rev: RevisionID) throws(Refusal) -> JSONValue? {
      let query = JSONString("rev=\(rev.text.percentEncoded)")
      let document = try ask("GET", try path(of: id), query: query)
      return document.objectValue?["_attachments"]
    }

    func readAttachment(
      _ id: DocumentID, _ rev: RevisionID?, name: JSONString
    ) throws(Refusal) -> OperationResult {
      guard case .document(let document) = try read(id, rev) else {
        throw malformed("GET", "not a document")
      }
      guard let attachment = document.attachments.first(where: { $0.name == name }) else {
        throw .error(DatastoreError(.notFound(.missing)))
      }
      let endpoint = JSONString("\(try path(of: id))/\(name.percentEncoded)")
      let response = try server.send(
        HTTPRequest(
          "GET", JSONString("\(database.path)/\(endpoint)"),
          query: JSONString("rev=\(document.rev.text.percentEncoded)"),
          headers: ["accept": "*/*"]))
      guard response.status == 200 else {
        // The winner may have been replaced and compacted between the two requests.
        if server.isShared, rev == nil, response.status == 404,
          case .document(let now) = try read(id, nil), now.rev != document.rev
        {
          return try readAttachment(id, nil, name: name)
        }
        throw refusal(response, to: "GET", endpoint)
      }
      return .attachment(
        AttachmentPiece(of: attachment, offset: 0, bytes: response.bytes ?? ""))
    }
  }

  extension RevisionAttachment {
    /// The attachment as a member of `_attachments`; nil for content that is elsewhere.
    fileprivate var documentMember: JSONValue? {
      var object = JSONObject()
      object["content_type"] = type.map { .string($0) }
      object["revpos"] = revpos.map { .integer($0) }
      object["digest"] = (digest ?? ownDigest).map { .string($0) }
      object["length"] = length.map { .integer($0) }
      switch content {
      case .data(let text): object["data"] = .string(text)
      case .stub: object["stub"] = true
      case .chunks, .file: return nil
      }
      return .object(object)
    }
  }
#endif
