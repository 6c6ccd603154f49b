internal import Datastore
internal import Digest
internal import JSON
internal import RevisionTree

// Attachments: a revision has a complete set; content is stored once, under its digest.

/// The attachments of a revision before it is written.
struct AttachmentSet {
  /// The attachments in the order of the call.
  var attachments: [RevisionAttachment] = []
  /// Content that is not yet stored, by its digest.
  var contents: [JSONString: [UInt8]] = [:]
}

extension ModelStore {
  /// Finds the content of each attachment of a new revision.
  ///
  /// - Parameters:
  ///   - inherited: the attachments of the nearest ancestor with a body; nil if that ancestor is
  ///     unknown, and then stubs are not checked.
  ///   - revpos: maps the caller's revpos to the stored one.
  private func settled(
    _ drafts: [AttachmentDraft], inheriting inherited: [RevisionAttachment]?,
    _ decisions: inout Decisions, revpos: (Int64?) -> Int64
  ) throws(Faults) -> AttachmentSet {
    var set = AttachmentSet()
    var faults = Faults()
    for draft in drafts {
      switch draft.content {
      case .bytes(let bytes, let length):
        set.attachments.append(
          draft.attachment(of: bytes, length: length, revpos: revpos(draft.claim.revpos)))
        set.contents[ContentDigest.of(bytes)] = bytes
      case .held:
        let held = faults.collect { () throws(Faults) in try content(heldFor: draft.claim) }
        guard let (bytes, length) = held else { continue }
        set.attachments.append(
          draft.attachment(of: bytes, length: length, revpos: revpos(draft.claim.revpos)))
        set.contents[ContentDigest.of(bytes)] = bytes
      case .stub:
        guard let inherited else { continue }
        guard let held = inherited.first(where: { $0.name == draft.claim.name }),
          draft.claim.digest ?? held.digest == held.digest,
          draft.isStub(of: held) || decisions.alternatives.choose(.stubClaim, of: 2) == 1
        else {
          faults.add(
            DatastoreError(
              .missingStub, "no ancestor has the attachment '\(draft.claim.name)'"), .state)
          continue
        }
        set.attachments.append(held)
      }
    }
    try faults.refuse()
    return set
  }

  /// The attachments of an edit: new content has the generation of the edit as its revpos.
  func settled(
    _ drafts: [AttachmentDraft], ofEdit parent: Revision?,
    inheriting inherited: [RevisionAttachment]?, _ decisions: inout Decisions
  ) throws(Faults) -> AttachmentSet {
    guard !drafts.isEmpty else { return AttachmentSet() }
    // The limit of generations is checked elsewhere.
    let generation = (parent?.generation ?? 0) + 1
    return try settled(drafts, inheriting: inherited, &decisions, revpos: { _ in generation })
  }

  /// The attachments of a record. A positive revpos is kept but limited to the generation of the
  /// record; 0 counts as absent. Without a valid path, stubs cannot be resolved.
  func settled(
    _ drafts: [AttachmentDraft], ofRecord path: RevisionPath?, in document: ModelDocument,
    _ decisions: inout Decisions
  ) throws(Faults) -> AttachmentSet {
    guard !drafts.isEmpty else { return AttachmentSet() }
    guard let path else {
      return try settled(drafts, inheriting: nil, &decisions, revpos: { _ in 1 })
    }
    let generation = path.tip.generation
    // The document may have more of the history than the record contains.
    var tree = document.tree
    _ = tree.merge(path, deleted: false)
    let ancestor = tree.ancestry(of: path.tip).dropFirst().first { document.bodies[$0] != nil }
    return try settled(
      drafts, inheriting: ancestor.flatMap { document.attachments[$0] } ?? [], &decisions,
      revpos: { said in said.flatMap { $0 == 0 ? nil : min($0, generation) } ?? generation })
  }

  /// The attachments that a child of a revision inherits: those of the revision itself or of its
  /// nearest ancestor with a body.
  func inheritance(from parent: Revision, in document: ModelDocument?) -> [RevisionAttachment] {
    guard let nearest = document?.nearestWithBody(parent) else { return [] }
    return document?.attachments[nearest] ?? []
  }

  /// The content that an attachment references by its digest, and its decoded length in bytes.
  private func content(
    heldFor claim: RevisionAttachment
  ) throws(Faults) -> (bytes: [UInt8], length: Int64) {
    let digest = claim.digest ?? ""
    // Empty content never has to be uploaded.
    guard
      let bytes = blobs[digest] ?? uploads[digest] ?? (digest == ContentDigest.of([]) ? [] : nil)
    else {
      throw Faults(
        DatastoreError(.missingStub, "the content of attachment '\(claim.name)' is not stored"),
        .state)
    }
    do throws(Faults) {
      return (bytes, try AttachmentDraft.length(of: bytes, for: claim))
    } catch {
      throw error.ofState
    }
  }

  /// Stores the content of a set that has been written.
  mutating func keep(_ set: AttachmentSet) {
    for attachment in set.attachments {
      guard let digest = attachment.digest, let bytes = set.contents[digest] else { continue }
      blobs[digest] = bytes
      uploads[digest] = nil
    }
  }

  /// Removes all content that no revision uses, and all partial uploads.
  mutating func dropUnusedContent(_ decisions: inout Decisions) {
    guard !blobs.isEmpty || !uploads.isEmpty else { return }
    var used: Set<JSONString> = []
    for document in documents.values {
      for attachments in document.attachments.values {
        used.formUnion(attachments.compactMap { $0.digest })
      }
    }
    let kept = blobs.filter { used.contains($0.key) }
    guard kept.count < blobs.count || !uploads.isEmpty,
      decisions.alternatives.choose(.unusedContent, of: 2) == 0
    else { return }
    blobs = kept
    uploads = [:]
  }
}

extension ModelStore {
  /// Returns some bytes of an attachment.
  func readAttachment(
    _ id: DocumentID, _ rev: RevisionID?, name: JSONString, offset: Int64?, limit: Int64?
  ) throws(Faults) -> OperationResult {
    var faults = Faults()
    faults.collect { () throws(Faults) in try Syntax.check(id) }
    for (path, number) in [("offset", offset), ("limit", limit)] {
      faults.require(
        number ?? 0 >= 0, DatastoreError(.badRequest(path: path), "expected 0 or more"))
    }
    let found = faults.collect { () throws(Faults) in try document(id, rev) }
    guard let document = found else { throw faults }
    guard let attachment = document.attachments.first(where: { $0.name == name }),
      let bytes = blobs[attachment.digest ?? ""]
    else {
      faults.add(
        DatastoreError(.notFound(.missing), "\(document.rev) has no attachment '\(name)'"), .state)
      throw faults
    }
    try faults.refuse()
    let start = min(offset ?? 0, Int64(bytes.count))
    let count = min(limit ?? .max, Int64(inlineBytesMax))
    let piece = bytes.dropFirst(Int(start)).prefix(Int(count))
    return .attachment(
      AttachmentPiece(of: attachment, offset: offset ?? 0, bytes: Base64.encode(piece)))
  }

  /// Stores a chunk of content for later revisions.
  ///
  /// Bytes from the offset on are replaced, so a chunk may be repeated and a damaged upload may be
  /// restarted. Arguments are checked even if the content is already stored and the chunk is
  /// discarded.
  mutating func putBlob(
    _ digest: JSONString, offset: Int64, _ text: JSONString
  ) throws(Faults) -> OperationResult {
    var faults = Faults()
    let isNamed = ContentDigest.bytes(digest) != nil
    faults.require(
      isNamed,
      DatastoreError(.badAttachment, "'\(digest)' is not 'sha256-' and the base64 of 32 bytes"))
    let decoded = Base64.decode(text)
    faults.require(
      decoded != nil, DatastoreError(.badAttachment, "the bytes are not valid base64"))
    let bytes = decoded ?? []
    faults.require(
      bytes.count <= inlineBytesMax,
      DatastoreError(.tooLarge(limit: Int64(inlineBytesMax)), "\(bytes.count) bytes"))
    faults.require(
      offset >= 0, DatastoreError(.badRequest(path: "offset"), "expected 0 or more"))
    guard isNamed else { throw faults }
    // Empty content never has to be uploaded.
    if let content = blobs[digest] ?? (digest == ContentDigest.of([]) ? [] : nil) {
      try faults.refuse()
      return .held(Int64(content.count))
    }
    let held = uploads[digest]?.count ?? 0
    faults.require(
      offset <= Int64(held),
      inState: DatastoreError(.badRequest(path: "offset"), "\(held) bytes are stored so far"))
    let countMax = Int64(Syntax.limits.attachmentBytesMax)
    let count = offset.addingReportingOverflow(Int64(bytes.count))
    faults.require(
      bytes.isEmpty || offset < 0 || !count.overflow && count.partialValue <= countMax,
      inState: DatastoreError(.tooLarge(limit: countMax), "\(bytes.count) bytes at \(offset)"))
    try faults.refuse()
    guard !bytes.isEmpty else { return .held(Int64(held)) }
    uploads[digest, default: []].replaceSubrange(Int(offset)..<held, with: bytes)
    return .held(count.partialValue)
  }

  /// The attachments of a record, with the content of those that the client cannot have yet.
  ///
  /// The client has the attachments of the newest ancestor among `since`: all whose revpos is at
  /// most the generation of that ancestor.
  func attachments(
    of revision: Revision, in document: ModelDocument, since: [Revision]?
  ) -> [RevisionAttachment] {
    guard let attachments = document.attachments[revision], let since else {
      return document.attachments[revision] ?? []
    }
    let newest = document.tree.ancestry(of: revision).first { since.contains($0) }
    return attachments.map { attachment in
      guard attachment.revpos ?? 0 > newest?.generation ?? 0,
        let bytes = blobs[attachment.digest ?? ""]
      else { return attachment }
      var sent = attachment
      let isSmall = bytes.count <= inlineBytesMax
      sent.content = isSmall ? .data(Base64.encode(bytes)) : .chunks
      return sent
    }
  }
}

extension ModelDocument {
  /// The revision itself or its nearest ancestor with a body.
  func nearestWithBody(_ revision: Revision) -> Revision? {
    tree.ancestry(of: revision).first { bodies[$0] != nil }
  }

  /// Discards the body and attachments of a revision; the revision itself remains known.
  mutating func forget(_ revision: Revision) {
    bodies[revision] = nil
    attachments[revision] = nil
  }
}
