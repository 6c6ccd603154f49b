internal import Datastore
internal import JSON

/// Checks that every live leaf has the acknowledged attachments, byte for byte, and that no piece
/// of an attachment has content that no client wrote.
struct AttachmentContents: Oracle {
  /// The leaves with bytes of another revision, with the declared flaw that is the reason.
  private(set) var replaced: [RevisionKey: ContentFlaw] = [:]

  func observe(_ observation: Observation, _ history: History) -> OracleFinding? {
    switch observation {
    case .client(let replica, _, let operation, .ok(.attachment(let piece))):
      return check(piece, operation.action, replica: history.stores[replica], history: history)
    case .session(let session, let isSource, let operation, .ok(.attachment(let piece))):
      guard let facts = history.sessions[session] else { return nil }
      return check(
        piece, operation.action, replica: history.stores[isSource ? facts.source : facts.target],
        history: history)
    default: return nil
    }
  }

  /// Checks that a piece is at its offset in content that clients wrote.
  private func check(
    _ piece: AttachmentPiece, _ action: StoreAction, replica: OracleReplica, history: History
  ) -> OracleFinding? {
    guard replica.hasDigests, let digest = piece.attachment.digest, let id = action.documents.first
    else { return nil }
    let attachment = piece.attachment.name
    guard history.ledger.spoken.contains(digest) else {
      return .strangePiece(attachment, id, replica: replica.name)
    }
    guard let content = history.ledger.contents[digest], let bytes = Content.bytes(piece.bytes),
      piece.offset <= Int64(content.count)
    else { return nil }
    guard !content.dropFirst(Int(piece.offset)).starts(with: bytes) else { return nil }
    return .damagedPiece(
      attachment, id, offset: piece.offset, count: bytes.count, replica: replica.name)
  }

  mutating func conclude(_ stores: [FinalStore], _ history: History) -> [OracleFinding] {
    var findings: [OracleFinding] = []
    for (place, (store, name)) in zip(stores, history.replicas).enumerated() {
      let hasDigests = history.stores[place].hasDigests
      // A store that equals one without findings has no findings.
      if place > 0, findings.isEmpty, store == stores[0],
        hasDigests == history.stores[0].hasDigests
      {
        continue
      }
      for document in store.documents {
        for record in document.records where !record.deleted {
          let found = document.attachments.filter { $0.rev == record.path.first }
          let finding = check(
            found, record.path, id: document.id, name: name, hasDigests: hasDigests,
            history: history)
          if let finding { findings.append(finding) }
        }
      }
    }
    return findings
  }

  /// Checks that the attachments of a leaf are the written ones.
  ///
  /// - Parameter hasDigests: whether the store reports SHA-256 digests.
  private mutating func check(
    _ found: [FinalAttachment], _ path: [RevisionID], id: DocumentID, name: JSONString,
    hasDigests: Bool, history: History
  ) -> OracleFinding? {
    guard let rev = path.first else { return nil }
    let expected = history.ledger.attachments[RevisionKey(id: id, rev: rev)]
    func finding(_ fault: OracleFinding.AttachmentFault, _ attachment: JSONString) -> OracleFinding
    {
      .attachment(attachment, id, rev, fault, replica: name)
    }
    for attachment in found {
      guard let bytes = attachment.bytes else {
        return finding(.unreadable, attachment.name)
      }
      let digest = history.ledger.digest(of: bytes, named: attachment.digest)
      if let expected {
        guard let written = expected[attachment.name] else {
          return finding(.extra, attachment.name)
        }
        guard written == digest else {
          guard history.isOfOtherRevision(digest, attachment.name, of: id),
            let flaw = history.flawOfAttachments(id, path)
          else { return finding(.altered, attachment.name) }
          replaced[RevisionKey(id: id, rev: rev)] = flaw
          continue
        }
      } else if !history.ledger.spoken.contains(digest) {
        return finding(.stranger, attachment.name)
      }
      guard !hasDigests || attachment.digest == digest, attachment.length == Int64(bytes.count)
      else {
        return finding(.description, attachment.name)
      }
    }
    for attachment in (expected ?? [:]).keys.sorted(by: {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    })
    where !found.contains(where: { $0.name == attachment }) {
      return finding(.lost, attachment)
    }
    return nil
  }
}

extension History {
  /// Whether another revision of a document has these bytes under the same name.
  fileprivate func isOfOtherRevision(
    _ digest: JSONString, _ name: JSONString, of id: DocumentID
  ) -> Bool {
    ledger.attachments.contains { $0.key.id == id && $0.value[name] == digest }
  }

  /// The declared flaw because of which a leaf may have the bytes of another revision; nil for none.
  fileprivate func flawOfAttachments(_ id: DocumentID, _ path: [RevisionID]) -> ContentFlaw? {
    let declared = stores.reduce(into: Set<ContentFlaw>()) { $0.formUnion($1.contentFlaws) }
    if declared.contains(.attachmentsOfRecreations),
      path.contains(where: { recreations.contains(RevisionKey(id: id, rev: $0)) })
    {
      return .attachmentsOfRecreations
    }
    let hasOwnReplicator = sessions.values.contains(where: \.isHalfSeen)
    return hasOwnReplicator && declared.contains(.attachmentsOfOtherRevisions)
      ? .attachmentsOfOtherRevisions : nil
  }
}
