internal import Datastore
internal import JSON

// Mutants of stores as peers of replicators.

extension ReplicationDefect {
  static let peers: [ReplicationDefect] = [
    ReplicationDefect(
      "new-store-keeps-checkpoints", breaks: "REPL-004",
      "A recreated store has the old local documents and incarnation.",
      boundary: .store { Succeeding() }),
    ReplicationDefect(
      "session-leaves-a-stamp", breaks: "REPL-005",
      "A read of a checkpoint writes a document.",
      boundary: .store { Stamping() }),
    ReplicationDefect(
      "edits-of-others-not-handed-on", breaks: "REPL-006",
      "Revisions that arrived by a session are not in the feed.",
      boundary: .store { KeepingToItself() }),
    ReplicationDefect(
      "local-documents-travel", breaks: "REPL-022", "Sessions copy local documents.",
      boundary: .store { CopyingLocalDocuments() }),
    ReplicationDefect(
      "checkpoint-is-now", breaks: "REPL-024",
      "The checkpoint has the current sequence of the source, not that of the session.",
      boundary: .store { RememberingNow() }),
    ReplicationDefect(
      "incarnation-at-each-question", breaks: "STORE-005",
      "The incarnation of a store changes with every request.",
      boundary: .store { ChangingIncarnation() }),
    ReplicationDefect(
      "last-item-of-diff-ignored", breaks: "DIFF-001",
      "revsDiff reports the last of several documents as complete.",
      boundary: .store { IgnoringLastItem() }),
    ReplicationDefect(
      "local-writes-lost", breaks: "LOCAL-001",
      "A write of a local document is acknowledged and lost.",
      boundary: .store { LosingLocalDocuments() }),
  ]
}

/// Counts the requests for its identity.
private struct ChangingIncarnation: Misbehaviour {
  private var questions = 0

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    guard case .ok(.info(var info)) = outcome else { return outcome }
    questions += 1
    info.incarnation = JSONString("\(info.incarnation)-\(questions)")
    return .ok(.info(info))
  }
}

/// Omits the last of several documents from the missing ones.
private struct IgnoringLastItem: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    guard case .ok(.revsDiff(let found)) = outcome, found.count > 1 else { return outcome }
    return .ok(.revsDiff(Array(found.dropLast())))
  }
}

/// Acknowledges a local document without storing it.
private struct LosingLocalDocuments: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    if case .writeLocal(let id, _) = operation.action {
      let outcome = try store.ask(operation.store, .readLocal(id: id))
      // A missing or refused document has the result of a correct store.
      guard case .error(let error) = outcome, error.kind == .notFound(.missing) else {
        return try store.perform(operation, environment)
      }
      return .ok(.done)
    }
    return try store.perform(operation, environment)
  }
}

/// Gives a new store the state of the old one of its name.
private struct Succeeding: Misbehaviour {
  private var incarnations: [StoreName: JSONString] = [:]
  private var documents: [StoreName: [DocumentID: JSONValue]] = [:]
  private var destroyed: Set<StoreName> = []

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let name = operation.store
    let outcome = try store.perform(operation, environment)
    switch (operation.action, outcome) {
    case (.info, .ok(.info(var info))):
      info.incarnation = incarnations[name] ?? info.incarnation
      incarnations[name] = info.incarnation
      return .ok(.info(info))
    case (.writeLocal(let id, let body), .ok): documents[name, default: [:]][id] = body
    case (.destroy, .ok): destroyed.insert(name)
    case (.open, .ok) where destroyed.remove(name) != nil:
      let kept = (documents[name] ?? [:]).sorted { $0.key.text.string.isBelow($1.key.text.string) }
      for (id, body) in kept { _ = try store.ask(name, .writeLocal(id: id, body: body)) }
    default: break
    }
    return outcome
  }
}

/// Stores a document beside each checkpoint.
private struct Stamping: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    if case .readLocal(let id) = operation.action, id.text.string.hasPrefix("replication-") {
      let stamp = RevisionRecord(id: "last-session", path: ["1-a"], body: [:])
      _ = try store.ask(operation.store, .insertRevisions([stamp]))
    }
    return try store.perform(operation, environment)
  }
}

/// Omits from its feed revisions that were requested before they arrived.
private struct KeepingToItself: Misbehaviour {
  private var announced: Set<[JSONString]> = []
  private var foreign: Set<[JSONString]> = []

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    let name = operation.store.text
    switch (operation.action, outcome) {
    case (_, .ok(.revsDiff(let found))):
      for difference in found {
        for rev in difference.missing { announced.insert([name, difference.id.text, rev.text]) }
      }
    case (.insertRevisions(let records), .ok):
      for record in records {
        let key = [name, record.id.text, record.path.first?.text ?? ""]
        if announced.contains(key) { foreign.insert(key) }
      }
    case (_, .ok(.changes(var page))):
      for place in page.rows.indices {
        let id = page.rows[place].id.text
        page.rows[place].leaves.array.removeAll { foreign.contains([name, id, $0.rev.text]) }
      }
      page.rows.removeAll { $0.leaves.isEmpty }
      return .ok(.changes(page))
    default: break
    }
    return outcome
  }
}

/// Copies the local documents of other stores with arriving records.
private struct CopyingLocalDocuments: Misbehaviour {
  private var documents: [DocumentID: JSONValue] = [:]

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    switch (operation.action, outcome) {
    case (.writeLocal(let id, let body), .ok):
      // A copied checkpoint would break the session, and hide the mutant.
      if !id.text.string.hasPrefix("replication-") { documents[id] = body }
    case (.insertRevisions, .ok):
      for (id, body) in documents.sorted(by: { $0.key.text.string.isBelow($1.key.text.string) }) {
        _ = try store.ask(operation.store, .writeLocal(id: id, body: body))
      }
    default: break
    }
    return outcome
  }
}

/// Replaces the sequence of a new checkpoint by the current last one of the source.
private struct RememberingNow: Misbehaviour {
  /// The store whose feed was read to its end, and that position.
  private var source: StoreName?
  private var end: UpdateSequence?

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    if case .writeLocal(let id, let body) = operation.action, let source,
      let now = try store.info(source)?.last, var object = body?.objectValue,
      var history = object["history"]?.arrayValue, var entry = history.first?.objectValue,
      entry["recorded"] == end?.json
    {
      entry["recorded"] = now.json
      history[0] = .object(entry)
      object["history"] = .array(history)
      return try store.perform(
        StoreOperation(operation.store, .writeLocal(id: id, body: .object(object))), environment)
    }
    let outcome = try store.perform(operation, environment)
    if case .ok(.changes(let page)) = outcome {
      source = page.more ? nil : operation.store
      end = page.last
    }
    return outcome
  }
}
