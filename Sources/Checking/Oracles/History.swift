internal import Datastore
internal import JSON

/// One revision of one document.
struct RevisionKey: Hashable {
  var id: DocumentID
  var rev: RevisionID
}

/// The common data of the oracles: the writes of clients, and the observed revisions of each
/// replica.
struct History {
  /// The properties of each replica's store.
  let stores: [OracleReplica]
  /// The names of the replicas in findings.
  let replicas: [JSONString]
  /// Writes of clients that were acknowledged.
  private(set) var writes: [RevisionKey: Write] = [:]
  /// The acknowledged writes in the order of their acknowledgement.
  private(set) var written: [RevisionKey] = []
  /// The revisions of these writes by document, in the same order.
  private(set) var writtenRevisions: [DocumentID: [RevisionID]] = [:]
  /// Writes of clients with an unknown outcome.
  private(set) var attempts: [DocumentID: [Attempt]] = [:]
  /// Revisions that each replica has acknowledged, with their ancestors.
  private(set) var known: [Set<RevisionKey>]
  /// The statements of clients about the parents of revisions.
  private(set) var origins: [RevisionKey: [RevisionOrigin]] = [:]
  /// Leaves that clients inserted with `insertRevisions` with an unknown outcome.
  private(set) var unsureTips: [RevisionKey: [Attempt]] = [:]
  /// The smallest history limit of each replica so far; nil for none.
  private(set) var limits: [Int64?]
  /// Whether a client inserted a path that ends above the first generation.
  private(set) var hasPathEnds = false
  /// Documents that need not converge: purged, rejected somewhere, or inserted with two contents or
  /// two parents under one revision.
  private(set) var exempt: Set<DocumentID> = []
  private(set) var sessions: [Int: SessionFacts] = [:]
  /// The revisions with attachments that continue a tombstone their client did not name.
  private(set) var recreations: Set<RevisionKey> = []
  /// The attachments of the writes.
  private(set) var ledger = AttachmentLedger()
  private var copies: [Int: Set<RevisionKey>] = [:]
  /// Revisions of records that may have been stored at each replica without an acknowledgement.
  private var doubtful: [Set<RevisionKey>]

  /// An acknowledged write.
  struct Write {
    var step: JSONString
    var replica: Int
    var parent: RevisionID?
    var deleted: Bool
    var body: JSONValue?
    /// Whether it may be lost: its replica was restored or destroyed before another one had it.
    var isForgiven = false
    /// Whether clients inserted other contents under the same revision.
    var isAmbiguous = false
  }

  /// A write with an unknown outcome.
  struct Attempt {
    var step: JSONString
    var parent: RevisionID?
    var deleted: Bool
    var body: JSONValue?
  }

  init(_ stores: [OracleReplica]) {
    self.stores = stores
    replicas = stores.map(\.name)
    known = replicas.map { _ in [] }
    doubtful = known
    limits = replicas.map { _ in nil }
  }

  mutating func note(_ observation: Observation) {
    switch observation {
    case .client(let replica, let step, let operation, let outcome):
      ledger.hear(operation.action)
      guard case .attaching(let attachments, let write) = operation.action else {
        return note(operation.action, outcome, at: replica, step: step)
      }
      note(write, outcome, at: replica, step: step, said: attachments)
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

  /// - Parameter said: the attachments in the request; nil for none.
  private mutating func note(
    _ action: StoreAction, _ outcome: Outcome, at replica: Int, step: JSONString,
    said: [RevisionAttachment]? = nil
  ) {
    switch (action, outcome) {
    case (.create(_, let body), .ok(.written(let id, let rev))):
      if said?.isEmpty == false, let generation = rev.generation, generation > 1 {
        recreations.insert(RevisionKey(id: id, rev: rev))
      }
      write(
        id, rev, origin: .creation, deleted: false, body: body, attachments: said ?? [],
        at: replica, step: step)
    case (.update(_, let parent, let body), .ok(.written(let id, let rev))):
      write(
        id, rev, origin: .child(of: [parent]), deleted: false, body: body, attachments: said ?? [],
        at: replica, step: step)
    case (.delete(_, let parent, _), .ok(.written(let id, let rev))):
      write(
        id, rev, origin: .child(of: [parent]), deleted: true, body: nil, attachments: [],
        at: replica, step: step)
    case (.resolve(let id, let leaves, let keep, let body), .ok(.resolved(let rev, let tombstones))):
      if rev != keep {
        write(
          id, rev, origin: .child(of: [keep]), deleted: false, body: body, attachments: said,
          at: replica, step: step)
      }
      let others = leaves.filter { $0 != keep }
      for tombstone in tombstones {
        write(
          id, tombstone, origin: .child(of: others), deleted: true, body: nil, attachments: [],
          at: replica, step: step)
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
    case (.historyLimit(let limit), .ok), (.historyLimit(let limit), .unknown):
      limits[replica] = min(limits[replica] ?? limit, limit)
    case (.insertRevisions(let records), _):
      note(action, outcome, at: replica)
      bring(records, outcome, at: replica, step: step)
    default: note(action, outcome, at: replica)
    }
  }

  /// A client inserts revisions with their history: the first of each path is a write of this
  /// client, the others are revisions without a known body.
  private mutating func bring(
    _ records: [RevisionRecord], _ outcome: Outcome, at replica: Int, step: JSONString
  ) {
    var errors: [DatastoreError?]?
    if case .ok(.inserted(let each)) = outcome, each.count == records.count { errors = each }
    guard errors != nil || outcome == .unknown else { return }
    for (place, record) in records.enumerated() {
      guard let rev = record.path.first else { continue }
      if let errors, errors[place] != nil { continue }
      for (depth, rev) in record.path.enumerated() {
        let parent = record.path.dropFirst(depth + 1).first
        add(
          parent.map { .child(of: [$0]) } ?? (rev.generation == 1 ? .creation : .pathEnd),
          of: RevisionKey(id: record.id, rev: rev), isExact: true)
      }
      let key = RevisionKey(id: record.id, rev: rev)
      guard errors != nil else {
        unsureTips[key, default: []].append(
          Attempt(
            step: step, parent: record.path.dropFirst().first, deleted: record.deleted,
            body: record.body))
        continue
      }
      if let held = writes[key],
        held.deleted != record.deleted
          || held.body.map({ !$0.isSameValue(as: record.body) }) ?? !record.deleted
      {
        writes[key]?.isAmbiguous = true
        exempt.insert(record.id)
      }
      write(
        record.id, rev, origin: nil, deleted: record.deleted,
        body: record.deleted ? nil : record.body,
        attachments: record.attachments, parent: record.path.dropFirst().first, at: replica,
        step: step)
    }
  }

  /// Records the statement of a client about the parent of a revision.
  ///
  /// - Parameter isExact: whether the client named a path, so that two parents contradict each other.
  private mutating func add(_ origin: RevisionOrigin, of key: RevisionKey, isExact: Bool) {
    let held = origins[key] ?? []
    guard !held.contains(origin) else { return }
    origins[key] = held + [origin]
    if origin == .pathEnd { hasPathEnds = true }
    guard isExact, case .child(let parents) = origin else { return }
    for other in held {
      if case .child(let others) = other, Set(others).isDisjoint(with: parents) {
        exempt.insert(key.id)
      }
    }
  }

  private mutating func write(
    _ id: DocumentID, _ rev: RevisionID, origin: RevisionOrigin?, deleted: Bool,
    body: JSONValue?, attachments: [RevisionAttachment]?, parent named: RevisionID? = nil,
    at replica: Int, step: JSONString
  ) {
    let key = RevisionKey(id: id, rev: rev)
    known[replica].insert(key)
    var parent = named
    if let origin {
      add(origin, of: key, isExact: false)
      if case .child(let parents) = origin, parents.count == 1 { parent = parents[0] }
    }
    // The same edit on two replicas is one revision, and either may account for it.
    guard writes[key]?.isForgiven ?? true else { return }
    if writes[key] == nil {
      written.append(key)
      writtenRevisions[id, default: []].append(rev)
    }
    writes[key] = Write(
      step: step, replica: replica, parent: parent, deleted: deleted, body: body)
    ledger.note(key, after: parent, attachments)
  }

  /// The revisions that the outcome of an operation proves to exist.
  private mutating func note(_ action: StoreAction, _ outcome: Outcome, at replica: Int) {
    switch (action, outcome) {
    case (.insertRevisions(let records), .ok(.inserted(let errors))):
      for (record, error) in zip(records, errors) {
        if error == nil {
          // A replica that has a revision has its ancestors; a revision that existed already need
          // not have taken over older ones.
          let isDoubtful = record.path.first.map {
            doubtful[replica].contains(RevisionKey(id: record.id, rev: $0))
          }
          for rev in isDoubtful == true ? record.path.prefix(1) : record.path[...]
          where !known[replica].insert(RevisionKey(id: record.id, rev: rev)).inserted { break }
        } else if error?.kind == .forbidden {
          exempt.insert(record.id)
        }
      }
    case (.insertRevisions(let records), .unknown):
      for record in records {
        for rev in record.path {
          doubtful[replica].insert(RevisionKey(id: record.id, rev: rev))
        }
      }
    default: break
    }
  }

  /// Restores a replica from a copy: revisions that it has gained since then, and that no other
  /// replica has, may be lost.
  private mutating func setBack(_ replica: Int, to past: Set<RevisionKey>) {
    known[replica] = past
    for key in written where !known.contains(where: { $0.contains(key) }) {
      writes[key]?.isForgiven = true
    }
  }
}
