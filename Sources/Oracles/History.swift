internal import Datastore
internal import JSON

/// One revision of one document.
struct RevisionKey: Hashable {
  var id: DocumentID
  var rev: RevisionID
}

/// What the oracles know together: who wrote what, and which replica was seen to hold it.
struct History {
  let replicas: [Text]
  /// Writes of clients that were acknowledged.
  private(set) var writes: [RevisionKey: Write] = [:]
  /// The same, in the order of their acknowledgement.
  private(set) var written: [RevisionKey] = []
  /// Writes of clients of which nobody knows whether they happened.
  private(set) var attempts: [DocumentID: [Attempt]] = [:]
  /// Revisions that each replica has acknowledged, with their ancestors.
  private(set) var known: [Set<RevisionKey>]
  /// Documents with a history that no longer promises convergence: purged, or refused somewhere.
  private(set) var exempt: Set<DocumentID> = []
  private(set) var sessions: [Int: SessionFacts] = [:]
  /// The attachments of the writes.
  private(set) var ledger = AttachmentLedger()
  private var copies: [Int: Set<RevisionKey>] = [:]

  /// A write that was acknowledged.
  struct Write {
    var step: Text
    var replica: Int
    var parent: RevisionID?
    var deleted: Bool
    var body: JSONValue?
    /// Whether it may be lost: its replica was set back or destroyed before anyone else had it.
    var isForgiven = false
  }

  /// A write with an unknown outcome.
  struct Attempt {
    var step: Text
    var parent: RevisionID?
    var deleted: Bool
    var body: JSONValue?
  }

  init(replicas: [Text]) {
    self.replicas = replicas
    known = replicas.map { _ in [] }
  }

  mutating func note(_ observation: Observation) {
    switch observation {
    case .client(let replica, let step, let operation, let outcome):
      ledger.hear(operation.action)
      guard case .attaching(let attachments, let write) = operation.action else {
        return note(operation.action, outcome, at: replica, step)
      }
      note(write, outcome, at: replica, step, attachments)
    case .session(let session, let isSource, let operation, let outcome):
      guard let facts = sessions[session] else { return }
      note(operation.action, outcome, at: isSource ? facts.source : facts.target)
    case .sessionBegan(let session, let facts): sessions[session] = facts
    case .sessionEnded, .received, .application: break
    case .copied(let replica): copies[replica] = known[replica]
    case .restored(let replica): setBack(replica, to: copies[replica] ?? [])
    case .lostCheckpoints: break
    }
  }

  /// - Parameter said: what the client says of attachments; nil for not a word.
  private mutating func note(
    _ action: Action, _ outcome: Outcome, at replica: Int, _ step: Text,
    _ said: [RevisionAttachment]? = nil
  ) {
    switch (action, outcome) {
    case (.create(_, let body), .ok(.written(let id, let rev))):
      write(id, rev, parent: nil, deleted: false, body, said ?? [], at: replica, step)
    case (.update(_, let parent, let body), .ok(.written(let id, let rev))):
      write(id, rev, parent: parent, deleted: false, body, said ?? [], at: replica, step)
    case (.delete(_, let parent, _), .ok(.written(let id, let rev))):
      write(id, rev, parent: parent, deleted: true, nil, [], at: replica, step)
    case (.resolve(let id, _, let keep, let body), .ok(.resolved(let rev, let tombstones))):
      if rev != keep {
        write(id, rev, parent: keep, deleted: false, body, said, at: replica, step)
      }
      for tombstone in tombstones {
        write(id, tombstone, parent: nil, deleted: true, nil, [], at: replica, step)
      }
    case (.create(let id?, let body), .unknown):
      attempts[id, default: []].append(
        Attempt(step: step, parent: nil, deleted: false, body: body))
    case (.update(let id, let parent, let body), .unknown):
      attempts[id, default: []].append(
        Attempt(step: step, parent: parent, deleted: false, body: body))
    case (.delete(let id, let parent, _), .unknown):
      attempts[id, default: []].append(
        Attempt(step: step, parent: parent, deleted: true, body: nil))
    case (.resolve(let id, let leaves, let keep, let body), .unknown):
      if let body {
        attempts[id, default: []].append(
          Attempt(step: step, parent: keep, deleted: false, body: body))
      }
      for leaf in leaves where leaf != keep {
        attempts[id, default: []].append(
          Attempt(step: step, parent: leaf, deleted: true, body: nil))
      }
    case (.purge(let id, _), .ok), (.purge(let id, _), .unknown): exempt.insert(id)
    case (.destroy, .ok), (.destroy, .unknown): setBack(replica, to: [])
    default: note(action, outcome, at: replica)
    }
  }

  private mutating func write(
    _ id: DocumentID, _ rev: RevisionID, parent: RevisionID?, deleted: Bool, _ body: JSONValue?,
    _ attachments: [RevisionAttachment]?, at replica: Int, _ step: Text
  ) {
    let key = RevisionKey(id: id, rev: rev)
    known[replica].insert(key)
    // The same edit on two replicas is one revision, and either may answer for it.
    guard writes[key]?.isForgiven ?? true else { return }
    if writes[key] == nil { written.append(key) }
    writes[key] = Write(
      step: step, replica: replica, parent: parent, deleted: deleted, body: body)
    ledger.note(key, after: parent, attachments)
  }

  /// What any operation shows, whoever asked.
  private mutating func note(_ action: Action, _ outcome: Outcome, at replica: Int) {
    switch (action, outcome) {
    case (.insertRevisions(let records), .ok(.inserted(let errors))):
      for (record, error) in zip(records, errors) {
        if error == nil {
          // Whoever knows a revision knows its ancestors.
          for rev in record.path
          where !known[replica].insert(RevisionKey(id: record.id, rev: rev)).inserted { break }
        } else if error?.kind == .forbidden {
          exempt.insert(record.id)
        }
      }
    default: break
    }
  }

  /// The replica lost what it did not have then; what nobody else has may be gone.
  private mutating func setBack(_ replica: Int, to past: Set<RevisionKey>) {
    known[replica] = past
    for key in written where !known.contains(where: { $0.contains(key) }) {
      writes[key]?.isForgiven = true
    }
  }
}
