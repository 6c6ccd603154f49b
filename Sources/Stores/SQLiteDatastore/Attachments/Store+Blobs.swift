internal import Datastore
internal import JSON

// Chunks of content, in both directions, and removal of content.

extension Store {
  // MARK: Reads

  /// The attachments of a revision in their given order.
  func attachments(
    of name: RevisionName, in document: Int64
  ) throws(DatastoreError) -> [AttachmentRow] {
    guard row.usesBlobs else { return [] }
    var rows = try prepare(.attachments).key(name, of: document).rows()
    // Rows are returned by name, so that SQLite does not have to sort; equal places keep that
    // order.
    var found: [(place: Int64, number: Int, row: AttachmentRow)] = []
    while try rows.next() { found.append((rows.integer(8), found.count, try rows.attachment())) }
    found.sort { ($0.place, $0.number) < ($1.place, $1.number) }
    return found.map { $0.row }
  }

  /// The attachments of a revision for a client, including content that a client with the given
  /// revisions cannot have.
  ///
  /// - Parameter parent: the parent of the revision, nil for a root.
  func attachments(
    of revision: RevisionRow, in document: Int64, since: [RevisionName]?,
    parent: (RevisionName) throws(DatastoreError) -> RevisionName?
  ) throws(DatastoreError) -> [RevisionAttachment] {
    let rows = try attachments(of: revision.name, in: document)
    guard let since, !rows.isEmpty else { return rows.map { $0.stub } }
    let known = try generation(of: since, above: revision, parent: parent)
    var attachments: [RevisionAttachment] = []
    for row in rows {
      var attachment = row.stub
      if row.revpos > known {
        attachment.content =
          row.size > inlineBytesMax
          ? .chunks : .data(Base64.encode(try bytes(of: row, from: 0, count: row.size)))
      }
      attachments.append(attachment)
    }
    return attachments
  }

  /// The generation of the newest of the given revisions that is the revision or its ancestor, or
  /// 0.
  private func generation(
    of held: [RevisionName], above revision: RevisionRow,
    parent: (RevisionName) throws(DatastoreError) -> RevisionName?
  ) throws(DatastoreError) -> Int64 {
    if held.isEmpty { return 0 }
    let held = Set(held)
    if held.contains(revision.name) { return revision.name.generation }
    var next = revision.parent
    while let name = next {
      if held.contains(name) { return name.generation }
      next = try parent(name)
    }
    return 0
  }

  func readAttachment(
    _ id: DocumentID, _ rev: RevisionName?, name: JSONString, offset: Int64, limit: Int64?
  ) throws(DatastoreError) -> AttachmentPiece {
    let (document, revision, _) = try stored(id, rev)
    guard let attachment = try attachment(name, of: revision.name, in: document.number) else {
      throw DatastoreError(
        .notFound(.missing), "'\(id)' at \(revision.name.text) has no attachment '\(name)'")
    }
    let start = min(offset, attachment.size)
    let count = min(limit ?? .max, Int64(inlineBytesMax), attachment.size - start)
    let bytes = try bytes(of: attachment, from: start, count: count)
    return AttachmentPiece(of: attachment.stub, offset: offset, bytes: Base64.encode(bytes))
  }

  private func attachment(
    _ attachment: JSONString, of name: RevisionName, in document: Int64
  ) throws(DatastoreError) -> AttachmentRow? {
    // No attachment name contains NUL, and SQL does not define texts that do.
    guard row.usesBlobs, !attachment.utf8.contains(0) else { return nil }
    var rows = try prepare(.attachment).key(name, of: document).text(attachment).rows()
    return try rows.next() ? try rows.attachment() : nil
  }

  /// Part of the content of an attachment. Throws `corrupt` if the file lacks the bytes. If the
  /// part reaches the end, it also throws if the file is longer or its content does not match the
  /// digest.
  private func bytes(
    of attachment: AttachmentRow, from offset: Int64, count: Int64
  ) throws(DatastoreError) -> [UInt8] {
    if count == 0 { return [] }
    let (digest, size) = (attachment.digest, attachment.size)
    let fileName = blobs.name(of: digest)
    let isEnd = offset + count == size
    // One extra byte shows whether the file is longer.
    let read = try blobs.read(fileName, at: offset, count: Int(count) + (isEnd ? 1 : 0))
    guard let bytes = read, bytes.count >= Int(count) else {
      blobs.hasMissed = true
      throw corrupt("lacks content of attachment '\(attachment.name)' in \(fileName)")
    }
    let isLonger = bytes.count > Int(count)
    guard !isLonger, try blobs.verify(bytes, at: offset, of: digest, size: size) else {
      throw corrupt("contains damaged content of attachment '\(attachment.name)' in \(fileName)")
    }
    return bytes
  }

  // MARK: Uploads

  /// Stores a chunk, and returns the length of the stored, durable part of the content.
  func putBlob(
    _ digest: BlobDigest, offset: Int64, _ bytes: [UInt8]
  ) throws(DatastoreError) -> Int64 {
    if let size = try size(of: digest) { return size }
    let upload = try upload(digest)
    let held = upload?.length ?? 0
    guard (0...held).contains(offset) else {
      throw DatastoreError(.badRequest(path: "offset"), "\(held) bytes are stored so far")
    }
    if bytes.isEmpty { return held }
    let length = offset + Int64(bytes.count)
    guard length <= Limits.attachmentBytesMax else {
      throw DatastoreError(.tooLarge(limit: Limits.attachmentBytesMax), "\(length) bytes")
    }
    let number = try number(of: upload, takingIn: bytes, at: offset, digest)
    try prepare(.setUpload).blob(digest.bytes).integer(number).integer(length).run()
    row.usesBlobs = true
    return length
  }

  /// Writes a chunk into the file of an upload, and returns the number of that file.
  ///
  /// Acknowledged bytes must not change before the next commit. So a chunk that replaces different
  /// bytes starts a new file.
  private func number(
    of upload: Upload?, takingIn bytes: [UInt8], at offset: Int64, _ digest: BlobDigest
  ) throws(DatastoreError) -> Int64 {
    guard let upload, upload.length > 0 else {
      let first = Upload(digest: digest, number: (upload?.number ?? 0) + 1, length: 0)
      try blobs.begin(first, with: nil, bytes)
      return first.number
    }
    if offset == upload.length {
      try blobs.append(bytes, to: upload)
      return upload.number
    }
    let name = blobs.name(of: upload)
    if offset + Int64(bytes.count) <= upload.length,
      try blobs.read(name, at: offset, count: bytes.count) == bytes
    {
      return upload.number
    }
    let next = Upload(digest: digest, number: upload.number + 1, length: offset)
    try blobs.begin(next, with: upload, bytes)
    blobs.superseded.append(name)
    return next.number
  }

  /// The stored part of an upload.
  func upload(_ digest: BlobDigest) throws(DatastoreError) -> Upload? {
    guard let stored = try storedUpload(digest) else { return nil }
    let (part, name) = (blobs.name(of: stored), blobs.name(of: digest))
    var size = try blobs.size(of: part)
    if size == nil, let whole = try blobs.size(of: name) {
      // The upload was complete, but the revision that needed it was not written.
      try blobs.rename(name, to: part)
      size = whole
    }
    return Upload(digest: digest, number: stored.number, length: min(stored.length, size ?? 0))
  }

  func storedUpload(_ digest: BlobDigest) throws(DatastoreError) -> Upload? {
    guard row.usesBlobs else { return nil }
    var rows = try prepare(.upload).blob(digest.bytes).rows()
    guard try rows.next() else { return nil }
    return try rows.upload(digest)
  }

  // MARK: Removal

  /// Removes the attachments of revisions that are not leaves, and then the unused content.
  func compact() throws(DatastoreError) {
    try prepare(.dropInnerBodies).run()
    if try hasLongBodies() { try prepare(.dropInnerLongBodies).run() }
    if row.usesBlobs {
      try prepare(.dropInnerAttachments).run()
      try prepare(.dropUnusedBlobs).run()
      try prepare(.dropUploads).run()
    }
    // Files without a row, of any origin, are unused as well.
    blobs.superseded = try blobs.all().map { $0.fileName }
  }

  private func hasLongBodies() throws(DatastoreError) -> Bool {
    var rows = try prepare(.anyLongBody).rows()
    return try rows.next()
  }

  /// Removes the unfinished files of a crashed process.
  func removeAbandonedParts() {
    let files = (try? blobs.all()) ?? []
    removeUnused(
      files.compactMap { file in
        if case .content = file.kind { nil } else { file.fileName }
      })
  }

  /// Removes those files that no row refers to, as far as possible now; the next compaction removes
  /// the rest.
  func removeUnused(_ fileNames: [String]) {
    guard !fileNames.isEmpty, (try? prepare(.beginImmediate).run()) != nil else { return }
    defer { connection.rollback() }
    for fileName in fileNames {
      guard let kind = BlobName(fileName)?.kind, (try? isUsed(kind)) == false else { continue }
      try? blobs.remove(fileName)
    }
  }

  private func isUsed(_ kind: BlobName.Kind) throws(DatastoreError) -> Bool {
    switch kind {
    case .temporary: return false
    case .content(let digest):
      var rows = try prepare(.blob).blob(digest.bytes).rows()
      return try rows.next()
    case .upload(let digest, let number):
      var rows = try prepare(.upload).blob(digest.bytes).rows()
      return try rows.next() && rows.integer(0) == number
    }
  }
}
