internal import Datastore
internal import JSON

/// Checks that no acknowledged save of a context is lost except by a policy.
///
/// The ledger keeps the values of each revision, and checks each revision of an acknowledged save
/// against its parent: requested changes must be in it, other values stay unchanged, and a property
/// decided by a policy has the value of the policy. By induction, the values of the last revision
/// are those that no later save and no policy replaced. (`FateLedger` checks that every
/// acknowledged revision still exists, or has descendants.)
struct SaveLedger: Oracle {
  private var model: ModelFacts?
  private var bodies = RevisionBodies()
  private var contexts: [ContextName: ContextIntents] = [:]
  /// The writes to each replica's store since the last operation of its application.
  private var writes: [Int: [StoreWrite]] = [:]

  mutating func observe(_ observation: Observation, _ history: History) -> OracleFinding? {
    switch observation {
    case .client(let replica, _, let operation, let outcome):
      guard model != nil else { return nil }
      bodies.note(operation.action, outcome, at: replica)
      if let write = StoreWrite(operation.action, outcome) {
        writes[replica, default: []].append(write)
      }
    case .session(let session, let isSource, let operation, let outcome):
      guard model != nil, let facts = history.sessions[session] else { return nil }
      bodies.note(operation.action, outcome, at: isSource ? facts.source : facts.target)
    case .application(let replica, let step, let operation, let outcome):
      defer { writes[replica] = [] }
      return application(
        replica, step, action: operation.action, outcome: outcome, history: history)
    default: break
    }
    return nil
  }

  private mutating func application(
    _ replica: Int, _ step: JSONString, action: StoreAction, outcome: Outcome,
    history: History
  ) -> OracleFinding? {
    guard let call = ContextCall(action, outcome) else { return nil }
    if call.name == "openObjects" {
      model = model ?? call["model"].map { ModelFacts($0) }
      contexts = contexts.filter { $0.key.replica != replica }
    }
    guard let model, let context = call.context else { return nil }
    let name = ContextName(replica: replica, context: context)
    if call.name == "saveContext" {
      return saved(name, step, call: call, model: model, history: history)
    }
    contexts[name, default: ContextIntents()].note(call, model)
    switch call.name {
    case "mergeChanges":
      guard let from = call.text("from") else { break }
      let merged = contexts[ContextName(replica: replica, context: from)]?.lastDeleted ?? []
      contexts[name]?.noteMergedDeletions(merged)
    case "processConflicts":
      contexts[name]?.noteReport(call) { bodies.count(of: $0, at: replica) }
    default: break
    }
    return nil
  }

  private mutating func saved(
    _ name: ContextName, _ step: JSONString, call: ContextCall, model: ModelFacts,
    history: History
  ) -> OracleFinding? {
    guard call.isAnswered, var intents = contexts[name] else {
      contexts[name]?.noteFailedSave()
      return nil
    }
    contexts[name]?.noteSave(deleted: call.saved("deleted"))
    intents.dropInsertions(except: call.saved("inserted"))
    if let parent = intents.parent {
      let above = ContextName(replica: name.replica, context: parent)
      contexts[above, default: ContextIntents()].take(intents)
      return nil
    }
    intents.noteConflicts(call.objects(ofEvents: "conflictsDetected"))
    let checker = SaveChecker(
      model: model, bodies: bodies, intents: intents, writes: writes[name.replica] ?? [],
      replica: name.replica)
    return checker.fault().map {
      .save($0, context: name.context, step: step, replica: history.replicas[name.replica])
    }
  }
}

struct ContextName: Hashable {
  var replica: Int
  var context: JSONString
}

/// A write of a save to the store, one of those of its batch.
struct StoreWrite {
  enum Kind {
    case create
    case update(over: RevisionID)
    case delete(of: RevisionID)
  }

  var id: DocumentID
  var kind: Kind
  var body: JSONValue

  init?(_ action: StoreAction, _ outcome: Outcome) {
    guard case .ok(.written(let id, _)) = outcome else { return nil }
    self.id = id
    switch action {
    case .create(_, let body): (kind, self.body) = (.create, body)
    case .update(_, let rev, let body): (kind, self.body) = (.update(over: rev), body)
    case .delete(_, let rev, _): (kind, body) = (.delete(of: rev), .null)
    default: return nil
    }
  }
}

/// The values of every revision, and the replicas that have read them.
struct RevisionBodies {
  private var bodies: [RevisionKey: JSONValue] = [:]
  private var parents: [RevisionKey: RevisionID] = [:]
  private var readable: [Int: Set<RevisionKey>] = [:]
  private var deleted: [Int: Set<DocumentID>] = [:]
  private var counts: [Int: [DocumentID: Int]] = [:]
  /// Replicas with unknown access to old revisions: they were compacted, or crashed during a write.
  private(set) var uncertain: Set<Int> = []

  subscript(id: DocumentID, rev: RevisionID) -> JSONValue? {
    bodies[RevisionKey(id: id, rev: rev)]
  }

  mutating func note(_ action: StoreAction, _ outcome: Outcome, at replica: Int) {
    if case .ok(.written(let id, _)) = outcome {
      counts[replica, default: [:]][id, default: 0] += 1
    }
    switch (action, outcome) {
    case (.create(_, let body), .ok(.written(let id, let rev))):
      hold(RevisionKey(id: id, rev: rev), body, at: replica)
    case (.update(_, let parent, let body), .ok(.written(let id, let rev))):
      hold(RevisionKey(id: id, rev: rev), body, at: replica)
      parents[RevisionKey(id: id, rev: rev)] = parent
    case (.delete(_, let parent, _), .ok(.written(let id, let rev))):
      parents[RevisionKey(id: id, rev: rev)] = parent
      deleted[replica, default: []].insert(id)
    case (.insertRevisions(let records), .ok(.inserted(let errors))):
      for (record, error) in zip(records, errors) where error == nil {
        learn(record)
        counts[replica, default: [:]][record.id, default: 0] += 1
        if record.deleted { deleted[replica, default: []].insert(record.id) }
        guard let rev = record.path.first, !record.deleted else { continue }
        hold(RevisionKey(id: record.id, rev: rev), record.body, at: replica)
      }
    case (.insertRevisions(let records), .unknown):
      uncertain.insert(replica)
      for record in records {
        learn(record)
        counts[replica, default: [:]][record.id, default: 0] += 1
      }
    case (.compact, _), (_, .unknown): uncertain.insert(replica)
    default: break
    }
  }

  private mutating func learn(_ record: RevisionRecord) {
    for (child, parent) in zip(record.path, record.path.dropFirst()) {
      parents[RevisionKey(id: record.id, rev: child)] = parent
    }
    guard let rev = record.path.first, !record.deleted else { return }
    bodies[RevisionKey(id: record.id, rev: rev)] = record.body
  }

  private mutating func hold(_ key: RevisionKey, _ body: JSONValue, at replica: Int) {
    bodies[key] = body
    readable[replica, default: []].insert(key)
  }

  /// Returns the newest common revision of two histories.
  func ancestor(_ id: DocumentID, _ left: RevisionID, right: RevisionID) -> RevisionID? {
    var path: Set<RevisionID> = []
    var next: RevisionID? = left
    while let rev = next, path.insert(rev).inserted {
      next = parents[RevisionKey(id: id, rev: rev)]
    }
    next = right
    var seen: Set<RevisionID> = []
    while let rev = next, seen.insert(rev).inserted {
      if path.contains(rev) { return rev }
      next = parents[RevisionKey(id: id, rev: rev)]
    }
    return nil
  }

  /// Whether the path of a revision to its first ancestor is known.
  func hasRoot(_ id: DocumentID, _ rev: RevisionID) -> Bool {
    var last = rev
    var seen: Set<RevisionID> = [rev]
    while let next = parents[RevisionKey(id: id, rev: last)], seen.insert(next).inserted {
      last = next
    }
    return last.text.utf8.starts(with: "1-".utf8)
  }

  /// The number of revisions of a document that a replica has stored so far.
  func count(of id: DocumentID, at replica: Int) -> Int { counts[replica]?[id] ?? 0 }

  /// Whether a replica has a deleted revision of a document.
  func hasTombstone(_ id: DocumentID, at replica: Int) -> Bool {
    deleted[replica]?.contains(id) ?? false
  }

  /// Returns what a replica can read of a revision.
  func body(_ id: DocumentID, _ rev: RevisionID, at replica: Int) -> JSONValue? {
    let key = RevisionKey(id: id, rev: rev)
    return readable[replica]?.contains(key) == true ? bodies[key] : nil
  }
}
