#if HTTP
  internal import Datastore
  internal import Digest
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// Attachments with requests of their own.
  extension ServiceCall {
    private var name: JSONString { names["name"] ?? "" }

    func attachment() throws(ServiceError) -> ServerResponse {
      if id.text.utf8.starts(with: "_local/".utf8) {
        throw .badRequest("_local documents do not accept attachments.")
      }
      switch request.method {
      case "PUT", "DELETE": return try editAttachment()
      default: return try readAttachment()
      }
    }

    private func readAttachment() throws(ServiceError) -> ServerResponse {
      var rev: RevisionID?
      if let text = parameters["rev"] {
        guard let known = DocumentInput.canonical(text) else { throw .invalidRev }
        rev = known
      }
      let wanted = rev
      let found = try withDatabase { (database) throws(ServiceError) in
        let revision = try database.read(id, wanted)
        guard revision.attachments.contains(where: { $0.name == name }) else {
          throw .notFound("Document is missing attachment")
        }
        let content = try database.content(of: id, revision.rev, name)
        return (
          content.attachment,
          try database.decoded(content.bytes, content.attachment.encoding)
        )
      }
      let (attachment, bytes) = found
      let etag = "\"\(Base64.encode(DigestAlgorithm.md5.digest(of: bytes)))\""
      var headers: [(name: String, value: String)] = [
        ("Content-Type", attachment.type?.string ?? "application/octet-stream"), ("ETag", etag),
        ("Accept-Ranges", attachment.encoding == nil ? "bytes" : "none"),
      ]
      if matches(etag: etag) { return ServerResponse(304, headers: headers) }
      guard attachment.encoding == nil, let range = request.headers["range"],
        let wanted = Self.range(range, of: bytes.count)
      else { return ServerResponse(200, headers: headers, body: bytes) }
      guard let part = wanted else {
        headers.append(("Content-Range", "bytes */\(bytes.count)"))
        var error = ServiceError(
          416, "requested_range_not_satisfiable", reason: "Requested range not satisfiable")
        error.headers = [("Content-Range", "bytes */\(bytes.count)")]
        throw error
      }
      headers.append(
        ("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(bytes.count)"))
      return ServerResponse(206, headers: headers, body: Array(bytes[part]))
    }

    /// One range of a header; nil to ignore it, and no range if it is outside.
    private static func range(_ header: String, of count: Int) -> Range<Int>?? {
      guard header.utf8.starts(with: "bytes=".utf8) else { return nil }
      let ends = header.dropFirst("bytes=".count).split(
        separator: "-", omittingEmptySubsequences: false)
      // Several ranges are answered with the whole content.
      guard ends.count == 2, !header.contains(",") else { return nil }
      switch (Int(ends[0]), Int(ends[1])) {
      case (let first?, let last?):
        guard first <= last else { return nil }
        return first < count ? .some(first..<min(last, count - 1) + 1) : .some(nil)
      case (let first?, nil) where ends[1].isEmpty:
        return first < count ? .some(first..<count) : .some(nil)
      case (nil, let length?) where ends[0].isEmpty:
        return length > 0 && count > 0 ? .some(max(0, count - length)..<count) : .some(nil)
      default: return nil
      }
    }

    private func editAttachment() throws(ServiceError) -> ServerResponse {
      let isRemoval = request.method.utf8.elementsEqual("DELETE".utf8)
      try DocumentInput.check(name: name)
      let stated = try statedRevision(nil)
      let encoding = request.headers["content-encoding"]
      if let encoding, !["gzip", "identity"].contains(encoding) {
        throw ServiceError(
          415, "bad_content_type", reason: "Only gzip and identity content-encodings are supported")
      }
      let rev = try withDatabase { (database) throws(ServiceError) in
        var input = DocumentInput()
        var attachments: [RevisionAttachment] = []
        let leaves = try database.leaves(id)
        let isGone = leaves?.allSatisfy { $0.deleted } ?? true
        if let stated {
          guard leaves?.contains(where: { $0.rev == stated }) == true,
            let record = try database.record(id, stated)
          else {
            let isKnown = try database.record(id, stated) != nil
            throw isKnown
              ? .conflict : ServiceError(409, "not_found", reason: "missing_rev")
          }
          input.rev = stated
          input.body = record.body.objectValue ?? [:]
          attachments = record.attachments
        } else if !isGone || isRemoval {
          throw leaves == nil ? .notFound("missing") : .conflict
        }
        guard !isRemoval || attachments.contains(where: { $0.name == name }) else {
          throw .notFound("Document is missing attachment")
        }
        let place = attachments.firstIndex { $0.name == name }
        if let place { attachments.remove(at: place) }
        if !isRemoval {
          let bytes =
            encoding == "gzip"
            ? try database.decoded(request.body, "gzip") : request.body
          let type = request.headers["content-type"] ?? "application/octet-stream"
          attachments.append(
            RevisionAttachment(name, .data(.init(Base64.encode(bytes))), type: JSONString(type)))
        }
        input.attachments = attachments
        return try service.write(input, id: id, database)
      }
      return written(id, rev, status: isRemoval ? 200 : 201)
    }
  }
#endif
