internal import Datastore
internal import JSON
internal import Storage

// Attachments of revisions. A write first finds the content of all its attachments, without any
// visible change. After all checks have passed, the content is stored and the rows are written.

/// The attachments of a revision before it is written.
struct AttachmentSet {
  /// The rows in the order of the call.
  var rows: [AttachmentRow] = []
  /// Content that may not be stored yet.
  var contents: [NewContent] = []
}

/// Content that was found for an attachment.
struct NewContent {
  enum Source {
    case bytes([UInt8])
    /// A complete upload.
    case upload(Upload)
    /// A copy that was made for this write.
    case copy(fileName: String)
    /// Already stored, or empty.
    case none
  }

  let facts: ContentFacts
  let source: Source
}

extension Store {
  // MARK: Look-up

  /// The attachments of an edit: new content has the generation of the edit as its revpos.
  func find(
    _ requests: [AttachmentRequest], ofEdit document: DocumentRow?, after parent: RevisionName?
  ) throws(DatastoreError) -> AttachmentSet {
    guard !requests.isEmpty else { return AttachmentSet() }
    let generation = try RevisionDigest.generation(after: parent)
    return try find(requests, revpos: { _ in generation }) { () throws(DatastoreError) in
      guard let parent, let document else { return [] }
      return try attachments(of: parent, in: document.number)
    }
  }

  /// The attachments of a record. A positive revpos is kept but limited to the generation of the
  /// record; 0 counts as absent.
  func find(
    _ requests: [AttachmentRequest], ofRecord path: [RevisionName], in document: Int64?
  ) throws(DatastoreError) -> AttachmentSet {
    guard !requests.isEmpty else { return AttachmentSet() }
    let generation = path[0].generation
    let revpos = { (said: Int64?) in
      if let said, said > 0 { min(said, generation) } else { generation }
    }
    return try find(requests, revpos: revpos) { () throws(DatastoreError) in
      guard let document else { return [] }
      return try inheritance(of: path, in: document)
    }
  }

  /// The attachments of the nearest ancestor with a body, among the ancestors that the newest
  /// revision of a path will have. The tree takes precedence over the path, which only matters
  /// below the end of the tree.
  private func inheritance(
    of path: [RevisionName], in document: Int64
  ) throws(DatastoreError) -> [AttachmentRow] {
    var name = path[0]
    while true {
      let known = try revision(name, of: document)
      if let known, known.hasBody, name != path[0] {
        return try attachments(of: name, in: document)
      }
      let place = Int(path[0].generation - name.generation)
      let told = place + 1 < path.count && path[place] == name ? path[place + 1] : nil
      guard let parent = known?.parent ?? told else { return [] }
      name = parent
    }
  }

  private func find(
    _ requests: [AttachmentRequest], revpos: (Int64?) -> Int64,
    inherited: () throws(DatastoreError) -> [AttachmentRow]
  ) throws(DatastoreError) -> AttachmentSet {
    var set = AttachmentSet()
    var held: [AttachmentRow]?
    for request in requests {
      if case .stub = request.content {
        let rows = if let held { held } else { try inherited() }
        held = rows
        guard let row = rows.first(where: { $0.name == request.name }), request.matches(row)
        else {
          throw DatastoreError(
            .missingStub, "no ancestor has the attachment '\(request.name)' of this stub"
          )
        }
        set.rows.append(row)
        continue
      }
      let content = try content(of: request)
      set.rows.append(request.row(content.facts, revpos: revpos(request.said.revpos)))
      set.contents.append(content)
    }
    return set
  }

  private func content(of request: AttachmentRequest) throws(DatastoreError) -> NewContent {
    let question = ContentQuestion(request.said, profile: identity.revisionIDs)
    switch request.content {
    case .bytes(let bytes, let facts):
      guard question.wantsMD5 else { return NewContent(facts: facts, source: .bytes(bytes)) }
      let facts = try request.checked(ContentWitness.facts(of: bytes, question))
      return NewContent(facts: facts, source: .bytes(bytes))
    case .held(let digest): return try held(digest, question, request: request)
    case .file(let path): return try copy(path, question, request: request)
    case .stub: throw DatastoreError(.missingStub, "a stub has no content")
    }
  }

  /// The stored content of a digest.
  private func held(
    _ digest: BlobDigest, _ question: ContentQuestion, request: AttachmentRequest
  ) throws(DatastoreError) -> NewContent {
    let (source, fileName, size): (NewContent.Source, String, Int64)
    if let known = try self.size(of: digest) {
      (source, fileName, size) = (.none, blobs.name(of: digest), known)
      if size == 0 || question.isTrivial {
        let facts =
          size == 0
          ? ContentWitness.facts(of: [], question)
          : .success(ContentFacts(digest: digest, size: size, length: size, md5: []))
        return NewContent(facts: try request.checked(facts), source: .none)
      }
    } else if let upload = try upload(digest), upload.length > 0 {
      (source, fileName, size) = (.upload(upload), blobs.name(of: upload), upload.length)
    } else {
      throw DatastoreError(
        .missingStub, "the content of attachment '\(request.name)' is not stored")
    }
    var witness = ContentWitness(question)
    guard try blobs.show(fileName, size: size, to: &witness) else {
      throw corrupt("lacks content of attachment '\(request.name)' in \(fileName)")
    }
    let seen = witness.finish()
    // Stored content of a revision had this digest when it was written. Only an upload can contain
    // other bytes.
    if case .none = source, seen.digest != digest {
      throw corrupt("contains damaged content of attachment '\(request.name)' in \(fileName)")
    }
    return NewContent(facts: try request.checked(seen.facts), source: source)
  }

  /// Copies a file of the host.
  private func copy(
    _ path: String, _ question: ContentQuestion, request: AttachmentRequest
  ) throws(DatastoreError) -> NewContent {
    let file: HostFile
    do throws(StorageError) { file = try HostFile(path: path) } catch {
      throw AttachmentRule.fault(request.name, "'\(path)' cannot be read: \(error.reason)")
    }
    var witness = ContentWitness(question)
    let fileName = try blobs.copy(seenBy: &witness) { (offset, buffer) throws(DatastoreError) in
      do throws(StorageError) { return try file.read(at: offset, into: buffer) } catch {
        throw AttachmentRule.fault(request.name, "'\(path)' cannot be read: \(error.reason)")
      }
    }
    // Only this write needs the file, and only if the content is new.
    blobs.superseded.append(fileName)
    let facts = try request.checked(witness.finish().facts)
    return NewContent(facts: facts, source: .copy(fileName: fileName))
  }

  // MARK: Storage

  /// Stores the content of a set, unless it is already stored.
  func keep(_ set: AttachmentSet) throws(DatastoreError) {
    for content in set.contents where content.facts.size > 0 {
      let digest = content.facts.digest
      guard try size(of: digest) == nil else { continue }
      switch content.source {
      case .none: continue
      case .bytes(let bytes): try blobs.write(bytes, digest)
      case .copy(let fileName): try blobs.settle(fileName, as: digest)
      case .upload(let upload): try blobs.settle(upload)
      }
      if row.usesBlobs, let upload = try storedUpload(digest) {
        blobs.superseded.append(blobs.name(of: upload))
        try prepare(.deleteUpload).blob(digest.bytes).run()
      }
      row.usesBlobs = true
      try prepare(.insertBlob).blob(digest.bytes).integer(content.facts.size).run()
    }
  }

  /// Inserts the rows of a revision.
  func insert(
    _ rows: [AttachmentRow], of name: RevisionName, in document: Int64
  ) throws(DatastoreError) {
    // In profile couchdb, their order is part of the id of a child that inherits them.
    for (place, attachment) in rows.enumerated() {
      row.usesBlobs = true
      try prepare(.insertAttachment).key(name, of: document).text(attachment.name)
        .bytes(attachment.type).blob(attachment.digest.bytes).integer(attachment.length)
        .integer(attachment.revpos).text(attachment.encoding).integer(attachment.size)
        .blob(attachment.md5.isEmpty ? nil : attachment.md5).integer(Int64(place)).run()
    }
  }

  /// The size of complete content; nil if it is not stored completely.
  func size(of digest: BlobDigest) throws(DatastoreError) -> Int64? {
    if digest == .ofNothing { return 0 }
    guard row.usesBlobs else { return nil }
    var rows = try prepare(.blob).blob(digest.bytes).rows()
    return try rows.next() ? try rows.count(0) : nil
  }
}

extension DatastoreError {
  /// Whether the error concerns the attachments of a record.
  var isOfAttachments: Bool {
    switch kind {
    case .missingStub, .badAttachment, .tooLarge: true
    default: false
    }
  }
}
