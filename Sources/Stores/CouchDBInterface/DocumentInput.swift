#if HTTP
  internal import Datastore
  internal import Digest
  internal import JSON
  internal import Replication

  /// A document as a client sends it: the body, and the special members that CouchDB knows.
  struct DocumentInput {
    var id: DocumentID?
    var rev: RevisionID?
    var isDeleted = false
    var body: JSONObject = [:]
    /// The complete set of attachments; nil if the document does not have the member.
    var attachments: [RevisionAttachment]?
    /// The history in `_revisions`, newest first.
    var path: [RevisionID]?

    private static let ignored: [JSONString] = [
      "_revs_info", "_local_seq", "_conflicts", "_deleted_conflicts",
    ]

    init() {}

    init(_ json: JSONValue) throws(ServiceError) {
      guard case .object(let object) = json else {
        throw .badRequest("Document must be a JSON object")
      }
      var kept: [(JSONString, JSONValue)] = []
      for member in object.members {
        guard member.name.utf8.first == UInt8(ascii: "_") else {
          kept.append((member.name, member.value))
          continue
        }
        switch member.name {
        case "_id":
          guard let text = member.value.textValue else {
            throw ServiceError(400, "illegal_docid", reason: "Document id must be a string")
          }
          id = DocumentID(text)
        case "_rev": rev = try Self.revision(member.value)
        case "_deleted":
          guard case .bool(let value) = member.value else {
            throw .specialMember("_deleted")
          }
          isDeleted = value
        case "_revisions": path = try Self.path(member.value)
        case "_attachments": attachments = try Self.attachments(member.value)
        default:
          guard Self.ignored.contains(member.name) else {
            throw .specialMember(member.name)
          }
        }
      }
      body = JSONObject(kept)
    }

    /// A revision id in its canonical form: without leading zeros, and 32 hexadecimal digits in lower
    /// case.
    static func revision(_ value: JSONValue) throws(ServiceError) -> RevisionID {
      guard let text = value.textValue, let rev = canonical(text) else { throw .invalidRev }
      return rev
    }

    static func canonical(_ text: JSONString) -> RevisionID? {
      let string = text.string
      guard let dash = string.utf8.firstIndex(of: UInt8(ascii: "-")) else { return nil }
      let digits = string[..<dash]
      guard !digits.isEmpty,
        digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { return nil }
      let generation = digits.drop { $0 == "0" }
      var suffix = String(string[string.utf8.index(after: dash)...])
      if suffix.utf8.count == 32 {
        suffix = suffix.lowercased()
        guard suffix.utf8.allSatisfy({ isHexadecimal($0) }) else { return nil }
      }
      return RevisionID(JSONString("\(generation.isEmpty ? "0" : String(generation))-\(suffix)"))
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func path(_ value: JSONValue) throws(ServiceError) -> [RevisionID] {
      guard let object = value.objectValue else { throw .specialMember("_revisions") }
      guard let start = object["start"]?.integerValue else {
        throw ServiceError(400, "doc_validation", reason: "_revisions.start isn't an integer.")
      }
      guard let ids = object["ids"]?.arrayValue else {
        throw ServiceError(400, "doc_validation", reason: "_revisions.ids isn't a array.")
      }
      var path: [RevisionID] = []
      for (place, id) in ids.enumerated() {
        guard let text = id.textValue,
          let rev = canonical(JSONString("\(max(0, start - Int64(place)))-\(text)"))
        else {
          throw ServiceError(
            400, "doc_validation", reason: "RevId isn't a string")
        }
        path.append(rev)
      }
      return path
    }

    private static func attachments(
      _ value: JSONValue
    ) throws(ServiceError) -> [RevisionAttachment] {
      guard case .object(let object) = value else { throw .specialMember("_attachments") }
      for member in object.members {
        guard case .object(let attachment) = member.value else {
          throw ServiceError(
            400, "bad_request", reason: "Attachments JSON structure is invalid.")
        }
        if attachment["data"] == nil, attachment["stub"] != true, attachment["follows"] != true {
          throw .badRequest(JSONString("Invalid attachment data for \(member.name)"))
        }
        if let data = attachment["data"] {
          guard let text = data.textValue, Base64.decode(text.utf8) != nil else {
            throw .badRequest(JSONString("Invalid attachment data for \(member.name)"))
          }
        }
      }
      for member in object.members { try check(name: member.name) }
      return [RevisionAttachment](documentMember: value)
    }

    static func check(name: JSONString) throws(ServiceError) {
      guard name.utf8.first == UInt8(ascii: "_") else { return }
      throw .badRequest(
        JSONString("Attachment name '\(name)' starts with prohibited character '_'"))
    }

    /// The attachments of an edit: what the client says about the length, the digest and the place in
    /// the history of new content is ignored, as by CouchDB.
    var editedAttachments: [RevisionAttachment]? {
      attachments?.map { attachment in
        var edited = attachment
        (edited.digest, edited.ownDigest, edited.length) = (nil, nil, nil)
        if case .data = attachment.content {
          edited.revpos = nil
          edited.type = attachment.type ?? "application/octet-stream"
        }
        return edited
      }
    }

    /// The document as a replicated revision; its history is `_revisions`, or `_rev` alone.
    func record(id: DocumentID) throws(ServiceError) -> RevisionRecord {
      guard let path = path ?? rev.map({ [$0] }), !path.isEmpty else {
        throw .badRequest(
          "When `new_edits: false`, the document needs `_rev` or `_revisions` specified")
      }
      var attachments = attachments ?? []
      for place in attachments.indices {
        if case .data = attachments[place].content, attachments[place].encoding == nil {
          attachments[place].digest = nil
          attachments[place].length = nil
          attachments[place].type = attachments[place].type ?? "application/octet-stream"
        }
        // A digest of another store names bytes that this one may encode in another way.
        attachments[place].ownDigest = nil
      }
      return RevisionRecord(
        id: id, path: path, deleted: isDeleted, body: .object(body), attachments: attachments)
    }
  }
#endif
