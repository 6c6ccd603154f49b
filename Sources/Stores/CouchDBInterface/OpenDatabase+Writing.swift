#if HTTP
  internal import Datastore
  internal import Digest
  internal import JSON

  extension OpenDatabase {
    /// Writes an edit, and returns its revision.
    func write(_ input: DocumentInput, id: DocumentID) throws(ServiceError) -> RevisionID {
      if input.isDeleted { return try writeTombstone(input, id: id) }
      // CouchDB revives a document only by an edit without a revision.
      if input.rev != nil, try isGone(id) { throw .conflict }
      let write: StoreAction =
        input.rev.map { .update(id: id, rev: $0, body: .object(input.body)) }
        ?? .create(id: id, body: .object(input.body))
      let attachments = try uploaded(input.editedAttachments ?? [])
      let action = attachments.isEmpty ? write : .attaching(attachments, to: write)
      return try written(action)
    }

    /// The records with large content uploaded.
    func uploaded(_ records: [RevisionRecord]) throws(ServiceError) -> [RevisionRecord] {
      var records = records
      for place in records.indices where !records[place].attachments.isEmpty {
        records[place].attachments = try uploaded(records[place].attachments)
      }
      return records
    }

    /// Content that is too large for one operation is uploaded in pieces, if the store offers that.
    private func uploaded(
      _ attachments: [RevisionAttachment]
    ) throws(ServiceError) -> [RevisionAttachment] {
      var uploaded = attachments
      for place in attachments.indices {
        guard case .data(let text) = attachments[place].content,
          text.utf8.count > Self.pieceBytes * 4 / 3, session.offersPieces,
          let bytes = Base64.decode(text.utf8)
        else { continue }
        let digest = JSONString(
          "sha256-\(Base64.encode(DigestAlgorithm.sha256.digest(of: bytes)))")
        for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
          let piece = bytes[start..<min(start + Self.pieceBytes, bytes.count)]
          try perform(
            .putBlob(
              digest: digest, offset: Int64(start), bytes: JSONString(Base64.encode(piece))))
        }
        uploaded[place].content = .chunks
        uploaded[place].digest = digest
        uploaded[place].length = Int64(bytes.count)
      }
      return uploaded
    }

    private static let pieceBytes = 512 << 10

    private func isGone(_ id: DocumentID) throws(ServiceError) -> Bool {
      guard case .failure(let error) = try outcome(.read(id: id)) else { return false }
      return error.status == 404
    }

    private func written(_ action: StoreAction) throws(ServiceError) -> RevisionID {
      switch try outcome(action) {
      case .success(.written(_, let rev)): return rev
      case .success: throw .unexpected
      // An edit of a document or a revision that does not exist is a conflict for CouchDB.
      case .failure(let error) where error.status == 404: throw .conflict
      case .failure(let error): throw error
      }
    }

    private func writeTombstone(
      _ input: DocumentInput, id: DocumentID
    ) throws(ServiceError) -> RevisionID {
      let hasAttachments = !(input.attachments ?? []).isEmpty
      if let rev = input.rev, !hasAttachments {
        return try written(
          .delete(id: id, rev: rev, body: input.body.isEmpty ? nil : .object(input.body)))
      }
      // The contract has no tombstone without a parent, and none with attachments, except as a
      // replicated revision.
      let leaves = try leaves(id)
      var path: [RevisionID] = []
      if let rev = input.rev {
        guard leaves?.contains(where: { $0.rev == rev && !$0.deleted }) == true,
          let parent = try record(id, rev)
        else { throw .conflict }
        path = parent.path
      } else if leaves != nil {
        throw .conflict
      }
      let digest = DigestAlgorithm.md5.digest(
        of: JSONValue.object(input.body).serializedBytes() + Array((path.first?.text ?? "").utf8)
          + Array("deleted".utf8))
      let generation = Self.generation(path.first) + 1
      let rev = RevisionID(JSONString("\(generation)-\(digest.hexadecimal)"))
      let record = RevisionRecord(
        id: id, path: [rev] + path, deleted: true, body: .object(input.body),
        attachments: try uploaded(
          input.editedAttachments?.map { attachment in
            var edited = attachment
            if case .data = attachment.content { edited.revpos = Int64(generation) }
            return edited
          } ?? []))
      guard case .inserted(let errors) = try perform(.insertRevisions([record])) else {
        throw .unexpected
      }
      if let error = errors.first ?? nil { throw ServiceError(error) }
      return rev
    }

    static func generation(_ rev: RevisionID?) -> Int {
      rev.flatMap { rev in
        Int(String(decoding: rev.text.utf8.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self))
      } ?? 0
    }

    /// Writes replicated revisions; returns an error for each, or nil.
    func insert(_ records: [RevisionRecord]) throws(ServiceError) -> [ServiceError?] {
      guard !records.isEmpty else { return [] }
      let records = try uploaded(records)
      guard case .inserted(let errors) = try perform(.insertRevisions(records)) else {
        throw .unexpected
      }
      return errors.map { $0.map { ServiceError($0) } }
    }
  }
#endif
