internal import Datastore
internal import JSON

/// Every live leaf has the attachments that were acknowledged, byte for byte, and no piece of any
/// attachment ever holds what nobody wrote.
struct AttachmentContents: Oracle {
  func observe(_ observation: Observation, _ history: History) -> OracleFinding? {
    switch observation {
    case .client(let replica, _, let operation, .ok(.attachment(let piece))):
      return judge(piece, operation.action, history.replicas[replica], history)
    case .session(let session, let isSource, let operation, .ok(.attachment(let piece))):
      guard let facts = history.sessions[session] else { return nil }
      return judge(
        piece, operation.action, history.replicas[isSource ? facts.source : facts.target], history)
    default: return nil
    }
  }

  /// A piece is where it says in content that clients have brought.
  private func judge(
    _ piece: AttachmentPiece, _ action: StoreAction, _ name: JSONString, _ history: History
  ) -> OracleFinding? {
    guard let digest = piece.attachment.digest, let id = action.documents.first else { return nil }
    let subject = "'\(piece.attachment.name)' of \(id)"
    guard history.ledger.spoken.contains(digest) else {
      return OracleFinding(
        "attachments", "stranger", "\(name) reads \(subject), which has content that nobody wrote",
        about: id)
    }
    guard let content = history.ledger.contents[digest], let bytes = Content.bytes(piece.bytes),
      piece.offset <= Int64(content.count)
    else { return nil }
    guard !content.dropFirst(Int(piece.offset)).starts(with: bytes) else { return nil }
    return OracleFinding(
      "attachments", "damaged",
      "\(name) reads \(bytes.count) bytes from \(piece.offset) on of \(subject), and they are not "
        + "those that were written", about: id)
  }

  func conclude(_ stores: [FinalStore], _ history: History) -> [OracleFinding] {
    var findings: [OracleFinding] = []
    for (place, (store, name)) in zip(stores, history.replicas).enumerated() {
      // What is equal to a store without fault has none.
      if place > 0, findings.isEmpty, store == stores[0] { continue }
      for document in store.documents {
        for record in document.records where !record.deleted {
          guard let rev = record.path.first else { continue }
          let found = document.attachments.filter { $0.rev == rev }
          if let finding = judge(found, rev, document.id, name, history) {
            findings.append(finding)
          }
        }
      }
    }
    return findings
  }

  /// What a leaf shows is what was written.
  private func judge(
    _ found: [FinalAttachment], _ rev: RevisionID, _ id: DocumentID, _ name: JSONString,
    _ history: History
  ) -> OracleFinding? {
    let expected = history.ledger.attachments[RevisionKey(id: id, rev: rev)]
    func finding(_ shape: JSONString, _ attachment: JSONString, _ what: String) -> OracleFinding {
      OracleFinding(
        "attachments", shape, "'\(attachment)' of \(rev) of \(id) \(what) at \(name)", about: id)
    }
    for attachment in found {
      guard let bytes = attachment.bytes else {
        return finding("unreadable", attachment.name, "cannot be read to its end")
      }
      let digest = Content(bytes).digest
      if let expected {
        guard let written = expected[attachment.name] else {
          return finding("extra", attachment.name, "was not written, and is")
        }
        guard written == digest else {
          return finding("altered", attachment.name, "does not have the bytes that were written")
        }
      } else if !history.ledger.spoken.contains(digest) {
        return finding("stranger", attachment.name, "has content that nobody wrote")
      }
      guard attachment.digest == digest, attachment.length == Int64(bytes.count) else {
        return finding("description", attachment.name, "is not described as it is")
      }
    }
    for attachment in (expected ?? [:]).keys.sorted(by: {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    })
    where !found.contains(where: { $0.name == attachment }) {
      return finding("lost", attachment, "is not")
    }
    return nil
  }
}
