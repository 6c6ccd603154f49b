internal import Datastore
internal import JSON
internal import Oracles

/// The writes of clients, derived only from their requests and results.
///
/// A revision is a claim: an acknowledged one must be stored; an attempted one may be stored, and
/// then as it was written. A stored revision without a claim was never written.
struct WriteLedger {
  struct Key: Hashable {
    var id: DocumentID
    var rev: RevisionID
  }

  /// A revision as its client wrote it.
  struct Claim {
    var deleted: Bool
    var body: JSONValue?
    /// The digest under each name, if known; nil if the client gave none.
    var attachments: [JSONString: JSONString?]?
  }

  /// A local document: its possible values, nil for an absent one.
  private(set) var locals: [DocumentID: [JSONValue?]] = [:]
  /// Contents uploaded in pieces, in the order of their first pieces.
  private(set) var uploads: [JSONString] = []
  /// The named documents, in order.
  private(set) var documents: [DocumentID] = []
  /// The acknowledged revisions, in order.
  private var acknowledged: [Key] = []
  private var claims: [Key: Claim] = [:]
  /// Revisions whose ids the store would have chosen, by document.
  private var attempts: [DocumentID: [Claim]] = [:]
  /// Stub revisions, known only by id.
  private var names: Set<Key> = []
  /// Documents that may be missing because of a purge.
  private var forgiven: Set<DocumentID> = []
  /// True if histories may be cut.
  private var isStemmed = false
  /// True if the store may be empty because it may have been removed.
  private var mayBeGone = false

  // MARK: Recording

  /// Records an operation; without a result it is unknown whether it happened.
  mutating func note(_ action: StoreAction, _ result: OperationResult?) {
    switch (action, result) {
    case (.batch(let writes), .batch(let results)?):
      for (write, result) in zip(writes, results) { note(write, result) }
    case (.batch(let writes), _): for write in writes { note(write, nil) }
    case (.attaching(let attachments, let write), _): note(write, result, said: said(attachments))
    case (.insertRevisions(let records), .inserted(let errors)?):
      for (record, error) in zip(records, errors) where error == nil { note(record, true) }
    case (.insertRevisions(let records), _): for record in records { note(record, false) }
    case (.writeLocal(let id, let body), _):
      locals[id] = result == nil ? (locals[id] ?? [nil]) + [body] : [body]
    case (.purge(let id, _), _): forgiven.insert(id)
    case (.historyLimit, _): isStemmed = true
    case (.destroy, nil): mayBeGone = true
    case (.destroy, _): self = WriteLedger()
    case (.putBlob(let digest, _, _), _): if !uploads.contains(digest) { uploads.append(digest) }
    default: note(action, result, said: [:])
    }
  }

  /// - Parameter said: the attachments; nil if they are those of the parent.
  private mutating func note(
    _ write: StoreAction, _ result: OperationResult?, said: [JSONString: JSONString?]
  ) {
    switch (write, result) {
    case (.create(_, let body), .written(let id, let rev)?),
      (.update(_, _, let body), .written(let id, let rev)?):
      claim(id, rev, claim: Claim(deleted: false, body: body, attachments: said))
    case (.delete(_, _, let body), .written(let id, let rev)?):
      claim(id, rev, claim: Claim(deleted: true, body: body ?? [:], attachments: [:]))
    case (.create(let id?, let body), nil), (.update(let id, _, let body), nil):
      attempt(id, Claim(deleted: false, body: body, attachments: said))
    case (.delete(let id, _, let body), nil):
      attempt(id, Claim(deleted: true, body: body ?? [:], attachments: [:]))
    case (.resolve(let id, _, let keep, let body), .resolved(let rev, let tombstones)?):
      if rev != keep { claim(id, rev, claim: Claim(deleted: false, body: body, attachments: nil)) }
      for tombstone in tombstones { claim(id, tombstone, claim: Claim(deleted: true)) }
    case (.resolve(let id, _, _, let body), nil):
      if body != nil { attempt(id, Claim(deleted: false, body: body, attachments: nil)) }
      attempt(id, Claim(deleted: true))
    default: break
    }
  }

  private mutating func note(_ record: RevisionRecord, _ isAcknowledged: Bool) {
    guard let rev = record.path.first else { return }
    let key = Key(id: record.id, rev: rev)
    for rev in record.path { names.insert(Key(id: record.id, rev: rev)) }
    speak(of: record.id)
    // A known revision is never replaced.
    if claims[key] == nil {
      claims[key] = Claim(
        deleted: record.deleted, body: record.body, attachments: said(record.attachments))
    }
    if isAcknowledged { acknowledged.append(key) }
  }

  private mutating func claim(_ id: DocumentID, _ rev: RevisionID, claim: Claim) {
    let key = Key(id: id, rev: rev)
    speak(of: id)
    if claims[key] == nil { claims[key] = claim }
    acknowledged.append(key)
  }

  private mutating func attempt(_ id: DocumentID, _ claim: Claim) {
    speak(of: id)
    attempts[id, default: []].append(claim)
  }

  private mutating func speak(of id: DocumentID) {
    if !documents.contains(id) { documents.append(id) }
  }

  private func said(_ attachments: [RevisionAttachment]) -> [JSONString: JSONString?] {
    var said: [JSONString: JSONString?] = [:]
    for attachment in attachments {
      switch attachment.content {
      case .data(let text): said[attachment.name] = Content.bytes(text).map { Content($0).digest }
      case .chunks, .stub, .file: said[attachment.name] = .some(attachment.digest)
      }
    }
    return said
  }

  // MARK: Checking

  /// The error of a store's content; nil if there is no error.
  func check(_ holdings: StoreHoldings) -> CrashFinding? {
    loss(in: holdings) ?? stranger(in: holdings)
  }

  /// The error of a local document; an absent one has no body.
  func check(local id: DocumentID, _ body: JSONValue?) -> CrashFinding? {
    guard let values = locals[id], !mayBeGone else { return nil }
    let isRight = values.contains { value in
      guard let value, let body else { return value == nil && body == nil }
      return value.isSameValue(as: body)
    }
    if isRight { return nil }
    let expected = values.map { $0?.serialized() ?? "nothing" }.joined(separator: " or ")
    return CrashFinding(
      body == nil || values.count == 1 ? .lost : .stranger,
      "the local document '\(id)' is \(body?.serialized() ?? "absent"), and \(expected) was "
        + "written"
    )
  }

  private func loss(in holdings: StoreHoldings) -> CrashFinding? {
    if mayBeGone { return nil }
    var known: Set<Key> = []
    for document in holdings.documents {
      for record in document.records {
        for rev in record.path { known.insert(Key(id: document.id, rev: rev)) }
      }
      for leaf in document.leaves { known.insert(Key(id: document.id, rev: leaf.rev)) }
    }
    for key in acknowledged where !known.contains(key) && !forgiven.contains(key.id) {
      if isStemmed, holdings.documents.contains(where: { $0.id == key.id }) { continue }
      return CrashFinding(.lost, "\(key.rev) of '\(key.id)' was acknowledged and is missing")
    }
    return nil
  }

  private func stranger(in holdings: StoreHoldings) -> CrashFinding? {
    for document in holdings.documents {
      for record in document.records {
        guard let rev = record.path.first else { continue }
        let key = Key(id: document.id, rev: rev)
        if let claim = claims[key] {
          if let fault = fault(of: record, document, claim) {
            return CrashFinding(.lost, "\(rev) of '\(document.id)' \(fault)")
          }
        } else if !(attempts[document.id] ?? []).contains(where: {
          fault(of: record, document, $0) == nil
        }) {
          return CrashFinding(
            .stranger,
            "\(rev) of '\(document.id)' with the body \(record.body.serialized()) is there, and "
              + "no client wrote it")
        }
        for rev in record.path.dropFirst() {
          let key = Key(id: document.id, rev: rev)
          if claims[key] == nil, !names.contains(key), attempts[document.id] == nil {
            return CrashFinding(
              .stranger, "\(rev) of '\(document.id)' is a stored ancestor, and no client wrote it")
          }
        }
      }
    }
    return nil
  }

  /// The part of a record that differs from the written one.
  private func fault(
    of record: RevisionRecord, _ document: StoreHoldings.Document, _ claim: Claim
  ) -> String? {
    if record.deleted != claim.deleted {
      return record.deleted ? "is deleted, and was written live" : "is live, and was deleted"
    }
    if let body = claim.body, !body.isSameValue(as: record.body) {
      return "has the body \(record.body.serialized()), and \(body.serialized()) was written"
    }
    guard let attachments = claim.attachments, let rev = record.path.first else { return nil }
    guard Set(attachments.keys) == Set(record.attachments.map { $0.name }) else {
      return "has other attachments than were written"
    }
    for attachment in record.attachments {
      guard let bytes = document.contents[StoreHoldings.Key(rev: rev, name: attachment.name)] else {
        return "has no bytes of its attachment \(attachment.name)"
      }
      if let digest = attachments[attachment.name] ?? nil, Content(bytes).digest != digest {
        return "has other bytes of its attachment \(attachment.name) than were written"
      }
    }
    return nil
  }
}
