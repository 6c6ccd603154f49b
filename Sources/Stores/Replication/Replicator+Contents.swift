internal import Datastore
internal import JSON

/// Content that is too large to stand in a record: piece by piece from the source to the target, each
/// content once and with one piece under way.
///
/// It begins with the question how much is there already, so that a transfer that was cut off goes
/// on. Whether the bytes are the right ones the target finds out when a record names their digest;
/// what is brought for the second time begins anew.
extension Replicator {
  /// Content on its way.
  struct Content: Hashable, Sendable {
    let digest: JSONString
    /// Where the source has it.
    let id: DocumentID
    let rev: RevisionID
    let name: JSONString
    /// How many bytes travel; nil when the source does not say.
    let size: Int64?
    /// Whether what the target may have of it counts for nothing.
    let isAnew: Bool
    var isMoving = false
    /// How often it did not go on where it should.
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

  /// Begins to bring as many contents as may travel at the same time.
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

  /// Asks the target how much it has.
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

  /// The target has so many bytes: reads the next ones, or is done.
  mutating func goOn(_ digest: JSONString, from count: Int64, after request: Request) {
    guard let content = contents.first(where: { $0.digest == digest }) else { return }
    if let size = content.size, count >= size { return arrive(digest) }
    if case .putBlob(_, let offset, let bytes) = request.content, bytes != "", count <= offset {
      return askAgain(digest, "the target does not keep what it is given")
    }
    read(content, from: count)
  }

  /// Gives the target a piece that the source answered; false when it is not the one asked for.
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
        giveUp(digest, "the source has fewer bytes than it says", isGone: false)
      }
      return true
    }
    send(
      .target, .putBlob(digest: digest, offset: offset, bytes: piece.bytes),
      purpose: .content(digest),
      attempt: content.isAnew ? 2 : 1)
    return true
  }

  /// The target has less than it had, such as after a crash: asks where to go on.
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
    // What nobody waits for any more is not brought to its end.
    for content in contents
    where !deferredRecords.contains(where: { $0.lacking.contains(content.digest) }) {
      contents.removeAll { $0.digest == content.digest }
      requests.removeAll { $0.purpose == .content(content.digest) }
    }
    moveContents()
  }
}
