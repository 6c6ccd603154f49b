internal import Datastore
internal import JSON

/// Content that is too large for a record: transferred in chunks from the source to the target,
/// each content once, with one chunk in transit.
///
/// A transfer starts with a request for the number of bytes already stored, so an interrupted
/// transfer continues. The target verifies the bytes when a record references their digest; a
/// second transfer of the same content starts at offset 0.
extension Replicator {
  /// Content in transfer.
  struct Content: Hashable, Sendable {
    let digest: JSONString
    /// The location of the content in the source.
    let id: DocumentID
    let rev: RevisionID
    let name: JSONString
    /// The number of bytes to transfer; nil if the source does not report it.
    let size: Int64?
    /// Whether bytes that the target already has are ignored.
    let isAnew: Bool
    var isMoving = false
    /// The number of times that the transfer did not continue at the expected offset.
    var setbacks = 0

    init(
      _ attachment: RevisionAttachment, _ digest: JSONString, of record: RevisionRecord,
      isAnew: Bool
    ) {
      self.digest = digest
      id = record.id
      rev = record.path[0]
      name = attachment.name
      size = attachment.encoding == nil ? attachment.length : attachment.encodedLength
      self.isAnew = isAnew
    }
  }

  /// Starts as many transfers as the configuration permits at the same time.
  mutating func moveContents() {
    var moving = contents.count { $0.isMoving }
    for place in contents.indices
    where !contents[place].isMoving && moving < configuration.contentsInFlight {
      moving += 1
      contents[place].isMoving = true
      if contents[place].isAnew {
        read(contents[place], from: 0)
      } else {
        ask(contents[place])
      }
    }
  }

  /// Requests the number of bytes that the target has.
  private mutating func ask(_ content: Content) {
    send(
      .target, .putBlob(digest: content.digest, offset: 0, bytes: ""),
      purpose: .content(content.digest),
      attempt: 1 + content.setbacks)
  }

  private mutating func read(_ content: Content, from offset: Int64) {
    send(
      .source,
      .readAttachment(
        id: content.id, rev: content.rev, name: content.name, offset: offset,
        limit: configuration.pieceBytes), purpose: .content(content.digest),
      attempt: content.isAnew ? 2 : 1)
  }

  /// Continues after the target has reported its number of bytes: reads the next chunk, or
  /// finishes.
  mutating func goOn(_ digest: JSONString, from count: Int64, after request: Request) {
    guard let content = contents.first(where: { $0.digest == digest }) else { return }
    if let size = content.size, count >= size { return arrive(digest) }
    if case .putBlob(_, let offset, let bytes) = request.content, bytes != "", count <= offset {
      return askAgain(digest, "the target discards the bytes it accepted")
    }
    read(content, from: count)
  }

  /// Sends a chunk from the source to the target; returns false if it is not the requested chunk.
  mutating func put(
    _ piece: AttachmentPiece, of digest: JSONString, askedBy request: Request
  ) -> Bool {
    guard case .readAttachment(_, _, _, let offset?, _) = request.content, piece.offset == offset
    else { return false }
    guard let content = contents.first(where: { $0.digest == digest }) else { return true }
    guard piece.bytes != "" else {
      if offset >= content.size ?? 0 {
        arrive(digest)
      } else {
        giveUp(digest, "the source has fewer bytes than it reports", isGone: false)
      }
      return true
    }
    send(
      .target, .putBlob(digest: digest, offset: offset, bytes: piece.bytes),
      purpose: .content(digest),
      attempt: content.isAnew ? 2 : 1)
    return true
  }

  /// Requests the offset again after the target has fewer bytes than before, such as after a crash.
  mutating func askAgain(_ digest: JSONString, _ reason: JSONString) {
    guard let place = contents.firstIndex(where: { $0.digest == digest }) else { return }
    contents[place].setbacks += 1
    guard contents[place].setbacks < configuration.attemptsMax else {
      return giveUp(digest, reason, isGone: false)
    }
    ask(contents[place])
  }

  private mutating func arrive(_ digest: JSONString) {
    contents.removeAll { $0.digest == digest }
    release(digest)
    moveContents()
  }

  mutating func giveUp(_ digest: JSONString, _ reason: JSONString, isGone: Bool) {
    contents.removeAll { $0.digest == digest }
    refuseDeferredRecords(digest, reason, isGone: isGone)
    // Content that no record waits for is not transferred further.
    for content in contents
    where !deferredRecords.contains(where: { $0.lacking.contains(content.digest) }) {
      contents.removeAll { $0.digest == content.digest }
      requests.removeAll { $0.purpose == .content(content.digest) }
    }
    moveContents()
  }
}
