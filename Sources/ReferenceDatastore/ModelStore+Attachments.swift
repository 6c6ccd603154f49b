internal import Datastore
internal import Digest
internal import JSON
internal import RevisionTree

// Attachments: a revision has its complete set; content is kept once, under its digest.

/// The attachments of a revision that is about to be written.
struct AttachmentSet {
  /// In the order of the call.
  var attachments: [RevisionAttachment] = []
  /// Content that the store has not yet, by its digest.
  var contents: [Text: [UInt8]] = [:]
}

extension ModelStore {
  /// Finds the content of each attachment of a new revision.
  ///
  /// - Parameters:
  ///   - ancestor: the nearest ancestor whose body is here.
  ///   - revpos: what the caller's revpos counts for.
  func settled(
    _ drafts: [AttachmentDraft], ancestor: Revision?, of document: ModelDocument?,
    _ decisions: inout Decisions, revpos: (Int64?) -> Int64
  ) throws(DatastoreError) -> AttachmentSet {
    var set = AttachmentSet()
    for draft in drafts {
      switch draft.content {
      case .bytes(let bytes, let length):
        set.attachments.append(
          draft.attachment(of: bytes, length: length, revpos: revpos(draft.claim.revpos)))
        set.contents[ContentDigest.of(bytes)] = bytes
      case .held:
        let bytes = try content(heldFor: draft.claim)
        let length = try AttachmentDraft.length(of: bytes, for: draft.claim)
        set.attachments.append(
          draft.attachment(of: bytes, length: length, revpos: revpos(draft.claim.revpos)))
        set.contents[ContentDigest.of(bytes)] = bytes
      case .stub:
        let inherited = ancestor.flatMap { document?.attachments[$0] } ?? []
        guard let held = inherited.first(where: { $0.name == draft.claim.name }),
          draft.claim.digest ?? held.digest == held.digest,
          draft.isStub(of: held) || decisions.alternatives.choose(.stubClaim, of: 2) == 1
        else {
          throw DatastoreError(
            .missingStub, "no ancestor has the attachment '\(draft.claim.name)'")
        }
        set.attachments.append(held)
      }
    }
    return set
  }

  /// The attachments of an edit: what is new counts from its generation on.
  func settled(
    _ drafts: [AttachmentDraft], ofEdit id: DocumentID, after parent: Revision?,
    _ decisions: inout Decisions
  ) throws(DatastoreError) -> AttachmentSet {
    guard !drafts.isEmpty else { return AttachmentSet() }
    let generation = try RevisionDigest.nextGeneration(after: parent)
    let document = documents[id]
    return try settled(
      drafts, ancestor: parent.flatMap { document?.nearestWithBody($0) }, of: document, &decisions,
      revpos: { _ in generation })
  }

  /// The attachments of a record: a revpos stays, but none is above the generation, and 0 says
  /// nothing.
  func settled(
    _ drafts: [AttachmentDraft], ofRecord path: RevisionPath, in document: ModelDocument,
    _ decisions: inout Decisions
  ) throws(DatastoreError) -> AttachmentSet {
    guard !drafts.isEmpty else { return AttachmentSet() }
    let generation = path.tip.generation
    // The document may know more of the history than the record tells.
    var tree = document.tree
    _ = tree.merge(path, deleted: false)
    let ancestor = tree.ancestry(of: path.tip).dropFirst().first { document.bodies[$0] != nil }
    return try settled(
      drafts, ancestor: ancestor, of: document, &decisions,
      revpos: { said in said.flatMap { $0 == 0 ? nil : min($0, generation) } ?? generation })
  }

  private func content(heldFor claim: RevisionAttachment) throws(DatastoreError) -> [UInt8] {
    let digest = claim.digest ?? ""
    if let bytes = blobs[digest] ?? uploads[digest] { return bytes }
    // Nobody has to bring no bytes.
    if digest == ContentDigest.of([]) { return [] }
    throw DatastoreError(
      .missingStub, "the content of attachment '\(claim.name)' is not here")
  }

  /// Keeps the content of a set that has been written.
  mutating func keep(_ set: AttachmentSet) {
    for attachment in set.attachments {
      guard let digest = attachment.digest, let bytes = set.contents[digest] else { continue }
      blobs[digest] = bytes
      uploads[digest] = nil
    }
  }

  /// Drops all content that no revision has, and what was brought for revisions to come.
  mutating func dropUnusedContent(_ decisions: inout Decisions) {
    guard !blobs.isEmpty || !uploads.isEmpty else { return }
    var used: Set<Text> = []
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
  /// Some bytes of an attachment.
  func readAttachment(
    _ id: DocumentID, _ rev: RevisionID?, _ name: Text, offset: Int64?, limit: Int64?
  ) throws(DatastoreError) -> OperationResult {
    try Spelling.check(id)
    for (path, number) in [("offset", offset), ("limit", limit)] where number ?? 0 < 0 {
      throw DatastoreError(.badRequest(path: path), "expected 0 or more")
    }
    let document = try document(id, rev)
    guard let attachment = document.attachments.first(where: { $0.name == name }),
      let bytes = blobs[attachment.digest ?? ""]
    else {
      throw DatastoreError(.notFound(.missing), "\(document.rev) has no attachment '\(name)'")
    }
    let start = min(offset ?? 0, Int64(bytes.count))
    let count = min(limit ?? .max, Int64(inlineBytesMax))
    let piece = bytes.dropFirst(Int(start)).prefix(Int(count))
    return .attachment(
      AttachmentPiece(of: attachment, offset: offset ?? 0, bytes: Base64.encode(piece)))
  }

  /// Takes in a piece of content; the revisions that shall have it come later.
  ///
  /// What was there from the offset on is replaced, so that a piece may come twice and a damaged
  /// upload may begin anew.
  mutating func putBlob(
    _ digest: Text, offset: Int64, _ text: Text
  ) throws(DatastoreError) -> OperationResult {
    guard ContentDigest.bytes(digest) != nil else {
      throw DatastoreError(.badAttachment, "'\(digest)' is not sha256- and the base64 of 32 bytes")
    }
    guard let bytes = Base64.decode(text) else {
      throw DatastoreError(.badAttachment, "the bytes are not base64")
    }
    guard bytes.count <= inlineBytesMax else {
      throw DatastoreError(.tooLarge(limit: Int64(inlineBytesMax)), "\(bytes.count) bytes")
    }
    if let content = blobs[digest] { return .held(Int64(content.count)) }
    // Nobody has to bring no bytes.
    if digest == ContentDigest.of([]) { return .held(0) }
    let upload = uploads[digest] ?? []
    guard (0...Int64(upload.count)).contains(offset) else {
      throw DatastoreError(.badRequest(path: "offset"), "\(upload.count) bytes are here")
    }
    guard !bytes.isEmpty else { return .held(Int64(upload.count)) }
    let count = Int(offset) + bytes.count
    let countMax = Spelling.limits.attachmentBytesMax
    guard count <= countMax else {
      throw DatastoreError(.tooLarge(limit: Int64(countMax)), "\(count) bytes")
    }
    uploads[digest] = upload.prefix(Int(offset)) + bytes
    return .held(Int64(count))
  }

  /// The record's attachments with the content of those that the asker cannot have.
  ///
  /// The asker has what the newest ancestor among `since` has: everything whose revpos is not above
  /// its generation.
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
  /// The revision itself or the nearest of its ancestors whose body is here.
  func nearestWithBody(_ revision: Revision) -> Revision? {
    tree.ancestry(of: revision).first { bodies[$0] != nil }
  }

  /// Forgets what a revision holds, if not that there was one.
  mutating func forget(_ revision: Revision) {
    bodies[revision] = nil
    attachments[revision] = nil
  }
}
