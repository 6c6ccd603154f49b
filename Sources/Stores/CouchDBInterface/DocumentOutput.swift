#if HTTP
  internal import Compression
  internal import Datastore
  internal import Digest
  internal import JSON
  internal import Replication

  /// What a client wants to read of a document beside its body.
  struct ReadingOptions {
    var revs = false
    var revsInfo = false
    var conflicts = false
    var deletedConflicts = false
    var localSequence = false
    var attachmentEncoding = false
    /// Content of attachments: nil for stubs; the revisions that the client has, for those that are
    /// newer.
    var attachmentsSince: [RevisionID]?

    /// Whether the body alone is wanted, so that the revision identifies the response.
    var isPlain: Bool {
      !revs && !revsInfo && !conflicts && !deletedConflicts && !localSequence
        && attachmentsSince == nil
    }

    init() {}

    init(_ call: ServiceCall) throws(ServiceError) {
      let isMeta = try call.flag("meta")
      revs = try call.flag("revs")
      revsInfo = try call.flag("revs_info") || isMeta
      conflicts = try call.flag("conflicts") || isMeta
      deletedConflicts = try call.flag("deleted_conflicts") || isMeta
      localSequence = try call.flag("local_seq")
      attachmentEncoding = try call.flag("att_encoding_info")
      if try call.flag("attachments") { attachmentsSince = [] }
      if let json = try call.json("atts_since") {
        guard let revs = json.arrayValue else { throw .badRequest("atts_since is not a list") }
        attachmentsSince = try revs.map { (rev) throws(ServiceError) in
          try DocumentInput.revision(rev)
        }
      }
    }
  }

  extension OpenDatabase {
    /// A revision as a document.
    ///
    /// - Parameter isWinner: whether to add what only the winner has, such as conflicts.
    func document(
      _ record: RevisionRecord, _ options: ReadingOptions, isWinner: Bool = false
    ) throws(ServiceError) -> JSONObject {
      var members: [(JSONString, JSONValue)] = [
        ("_id", record.id.json), ("_rev", record.path.first?.json ?? .null),
      ]
      members += (record.body.objectValue ?? [:]).members.map { ($0.name, $0.value) }
      if record.deleted { members.append(("_deleted", true)) }
      if options.revs { members.append(("_revisions", Self.revisions(record.path))) }
      if isWinner {
        if options.revsInfo {
          members.append(("_revs_info", try revisionsInfo(record)))
        }
        if options.conflicts || options.deletedConflicts {
          members += try conflicts(of: record, options)
        }
        if options.localSequence { members.append(("_local_seq", try sequence(of: record.id))) }
      }
      if !record.attachments.isEmpty {
        members.append(("_attachments", try attachments(of: record, options)))
      }
      return JSONObject(members)
    }

    static func revisions(_ path: [RevisionID]) -> JSONValue {
      [
        "start": .integer(Int64(generation(path.first))),
        "ids": .array(
          path.map { rev in
            let suffix = rev.text.utf8.drop { $0 != UInt8(ascii: "-") }.dropFirst()
            return .string(JSONString(validating: suffix) ?? "")
          }),
      ]
    }

    private func conflicts(
      of record: RevisionRecord, _ options: ReadingOptions
    ) throws(ServiceError) -> [(JSONString, JSONValue)] {
      let others = (try leaves(record.id) ?? []).filter { $0.rev != record.path.first }
      var members: [(JSONString, JSONValue)] = []
      for (name, isDeleted, isWanted) in [
        ("_conflicts", false, options.conflicts),
        ("_deleted_conflicts", true, options.deletedConflicts),
      ] as [(JSONString, Bool, Bool)] {
        let found = others.filter { $0.deleted == isDeleted }.map { $0.rev.json }
        if isWanted, !found.isEmpty { members.append((name, .array(found))) }
      }
      return members
    }

    private func revisionsInfo(_ record: RevisionRecord) throws(ServiceError) -> JSONValue {
      let answers = try revisions([RevisionQuery(id: record.id, revs: record.path)])
      return .array(
        zip(record.path, answers).map { rev, answer in
          let status: JSONValue
          if case .records(let found) = answer.found {
            status = found.first?.deleted == true ? "deleted" : "available"
          } else {
            status = "missing"
          }
          return ["rev": rev.json, "status": status]
        })
    }

    /// The position of the latest change of a document, by a search through the feed.
    private func sequence(of id: DocumentID) throws(ServiceError) -> JSONValue {
      var since: UpdateSequence?
      while true {
        let page = try changes(since: since, limit: 1000)
        if let row = page.rows.first(where: { $0.id == id }) { return Self.number(of: row.seq) }
        guard page.more else { return .null }
        since = page.last
      }
    }

    /// The number at the beginning of a sequence, which CouchDB returns.
    private static func number(of sequence: UpdateSequence) -> JSONValue {
      guard case .text(let text) = sequence else { return sequence.json }
      let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      return Int64(String(decoding: digits, as: UTF8.self)).map { .integer($0) } ?? sequence.json
    }

    // MARK: Attachments

    private func attachments(
      of record: RevisionRecord, _ options: ReadingOptions
    ) throws(ServiceError) -> JSONValue {
      var members: [(JSONString, JSONValue)] = []
      for attachment in record.attachments {
        var object: JSONObject = [
          "content_type": .string(attachment.type ?? "application/octet-stream")
        ]
        object["revpos"] = attachment.revpos.map { .integer($0) }
        object["digest"] = (attachment.ownDigest ?? attachment.digest).map { .string($0) }
        if options.attachmentEncoding {
          object["encoding"] = attachment.encoding.map { .string($0) }
          object["encoded_length"] = attachment.encodedLength.map { .integer($0) }
        }
        if attachment.content == .stub {
          object["length"] = attachment.length.map { .integer($0) }
          object["stub"] = true
        } else {
          object["data"] = .text(Base64.encode(try content(of: attachment, in: record)))
        }
        members.append((attachment.name, .object(object)))
      }
      return .object(JSONObject(members))
    }

    /// The decoded bytes of an attachment that is not a stub.
    func content(
      of attachment: RevisionAttachment, in record: RevisionRecord
    ) throws(ServiceError) -> [UInt8] {
      let stored: [UInt8]
      if case .data(let text) = attachment.content {
        stored = Base64.decode(text.utf8) ?? []
      } else {
        stored = try content(of: record.id, record.path.first, attachment.name).bytes
      }
      return try decoded(stored, attachment.encoding)
    }

    func decoded(_ bytes: [UInt8], _ encoding: JSONString?) throws(ServiceError) -> [UInt8] {
      guard encoding != nil else { return bytes }
      guard let decoded = try? GzipEncoding.decode(bytes, limit: 1 << 30) else {
        throw ServiceError(500, "internal_server_error", reason: "an attachment is damaged")
      }
      return decoded
    }

    /// All stored bytes of an attachment.
    func content(
      of id: DocumentID, _ rev: RevisionID?, _ name: JSONString
    ) throws(ServiceError) -> (attachment: RevisionAttachment, bytes: [UInt8]) {
      var bytes: [UInt8] = []
      while true {
        let offset = bytes.isEmpty ? nil : Int64(bytes.count)
        guard
          case .attachment(let piece) = try perform(
            .readAttachment(id: id, rev: rev, name: name, offset: offset))
        else { throw .unexpected }
        let part = Base64.decode(piece.bytes.utf8) ?? []
        bytes += part
        let size =
          piece.attachment.encoding == nil
          ? piece.attachment.length : piece.attachment.encodedLength
        guard !part.isEmpty, Int64(bytes.count) < size ?? 0 else {
          return (piece.attachment, bytes)
        }
      }
    }
  }
#endif
