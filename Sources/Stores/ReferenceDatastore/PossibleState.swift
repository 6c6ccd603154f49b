internal import Datastore
internal import JSON
internal import RevisionTree

/// One possible state of the implementation under test, with the interpretation of its opaque
/// values in that state.
struct PossibleState: Hashable {
  /// The source of names that the implementation never returns.
  var random = RandomGenerator(seed: 0)
  var model = ModelState()
  var ledgers: [StoreName: SequenceLedger] = [:]
  /// New things whose names were not observed, store by store.
  var standIns: [StoreName: [StandIn]] = [:]

  /// Compares the small parts first: the model and the ledgers are large, and often only one of them
  /// differs.
  static func == (left: PossibleState, right: PossibleState) -> Bool {
    left.random == right.random && left.standIns == right.standIns
      && left.ledgers.allSatisfy { $1.boundaries == right.ledgers[$0]?.boundaries }
      && left.model == right.model && left.ledgers == right.ledgers
  }

  enum Agreement {
    case agreed
    /// The outcome differs from this one; nil if the difference is in the names.
    case rejected(Outcome?)
  }

  /// Performs an operation in one alternative and compares its outcome with the observed one.
  mutating func perform(
    _ operation: StoreOperation, _ observed: Outcome, decisions: inout Decisions,
    profiles: Set<Profile>, comparesDigests: Bool
  ) -> Agreement {
    // The model cannot interpret the sequences of another store; the ledger maps them to positions.
    var asked = operation
    var since: UpdateSequence?
    if case .changes(let sequence, let limit) = operation.action {
      since = sequence
      asked.action = .changes(since: nil, limit: limit)
    }
    var action = operation.action
    var rows: [DocumentID: ChangesRow]?
    let predicted: Outcome
    let store: ModelStore?
    if decisions.deviations.isEmpty {
      (predicted, store) = performByRules(asked, &decisions)
    } else {
      let performance = model.deviating(asked, decisions)
      (model, predicted, decisions) = (
        performance.after, performance.outcome, performance.decisions
      )
      if case .changes(_, let limit) = performance.operation.action {
        action = .changes(since: since, limit: limit)
        rows = model.feed(of: operation.store, decisions)
      }
      store = model.stores[operation.store]
    }
    random = decisions.random
    if decisions.isNamingWrong { return .rejected(nil) }
    if let store, let reasons = store.unpredictable(operation.action), observed != .unknown {
      decisions.record(reasons)
      return .agreed
    }
    // The ledger is changed in place, and here only after a change in the model, so that equal states
    // share it.
    if let store, ledgers[operation.store]?.isCurrent(store) != true {
      ledgers[operation.store, default: SequenceLedger()].follow(store)
    }
    let agrees: Bool
    switch (predicted, observed) {
    case (.error(let expected), .error(let actual)):
      // An argument that was withheld from the model may be invalid in addition to the others.
      let isBadSequence =
        actual.kind == .badSequence && expected.kind != .noSuchStore
        && since.map { !knows($0, in: operation.store) } ?? false
      agrees = expected.isSame(as: actual) || isBadSequence
    case (.ok(.info(let expected)), .ok(.info(let actual))):
      agrees =
        expected.documents == actual.documents
        && expected.deletedDocuments == actual.deletedDocuments
        && ledgers[operation.store, default: SequenceLedger()].admit(actual)
    case (.ok(.changes), .ok(.changes(let page))):
      agrees =
        store.map {
          ledgers[operation.store, default: SequenceLedger()].admit(
            page, of: $0, since: since, action, profiles: profiles, rows: rows)
        } ?? false
    case (.ok(.changes), .error(let error)):
      agrees =
        error.kind == .badSequence && since.map { !knows($0, in: operation.store) } ?? false
    case (.ok(let expected), .ok(let actual)):
      agrees = expected.agrees(with: actual, comparesDigests: comparesDigests)
    default: agrees = false
    }
    if agrees { return .agreed }
    // The model was asked for the whole feed.
    if let store, let since, case .changes(_, let limit) = action, case .ok(.changes) = predicted,
      case .changes(let whole)? = try? store.changes(since: nil, limit: nil),
      let page = ledgers[operation.store]?.page(
        of: store, since: since, limit: limit, from: whole)
    {
      return .rejected(.ok(.changes(page)))
    }
    return .rejected(predicted)
  }

  /// The outcome by the rules, and the store after it. A read copies the store only once.
  private mutating func performByRules(
    _ operation: StoreOperation, _ decisions: inout Decisions
  ) -> (Outcome, ModelStore?) {
    if let store = model.stores[operation.store],
      let outcome = store.outcome(ofRead: operation.action, &decisions)
    {
      return (outcome, store)
    }
    return (model.performByRules(operation, &decisions), model.stores[operation.store])
  }

  /// Whether a store has returned a sequence.
  private func knows(_ sequence: UpdateSequence, in store: StoreName) -> Bool {
    ledgers[store]?.knows(sequence) ?? false
  }

  /// Whether one of these deviations leaves an operation without a valid response in this state.
  func leavesUnanswered(_ operation: StoreOperation, _ deviations: [Deviation]) -> Bool {
    deviations.contains { $0.leavesUnanswered(operation, in: model) }
  }

  /// This state, and the states in which placeholders are replaced by names from the outcome.
  func naming(from outcome: Outcome, in store: StoreName) -> [PossibleState] {
    guard standIns[store]?.isEmpty == false else { return [self] }
    let names = outcome.json.texts
    var states = [self]
    var next = 0
    while next < states.count {
      let state = states[next]
      for standIn in state.standIns[store] ?? [] {
        for name in names {
          guard let named = state.calling(standIn, name, in: store), !states.contains(named)
          else { continue }
          states.append(named)
        }
      }
      next += 1
    }
    return states
  }

  /// This state with a placeholder replaced by a name, or nil if the placeholder cannot have that
  /// name.
  private func calling(_ standIn: StandIn, _ name: JSONString, in store: StoreName)
    -> PossibleState?
  {
    var state = self
    guard var document = model.stores[store]?.documents[standIn.id] else { return nil }
    if let old = standIn.revision {
      guard let new = document.tree.collation.revision(RevisionID(name)),
        new.generation == old.generation, document.tree.contains(old),
        !document.tree.contains(new)
      else { return nil }
      document.tree.rename(old, to: new)
      document.bodies[new] = document.bodies.removeValue(forKey: old)
      document.attachments[new] = document.attachments.removeValue(forKey: old)
      state.model.stores[store]?.documents[standIn.id] = document
    } else {
      let id = DocumentID(name)
      guard model.stores[store]?.documents[id] == nil else { return nil }
      state.model.stores[store]?.documents[standIn.id] = nil
      state.model.stores[store]?.documents[id] = document
    }
    state.standIns[store]?.removeAll { $0 == standIn }
    state.standIns[store] = state.standIns[store]?.map { other in
      let isRenamed = standIn.revision == nil && other.id == standIn.id
      return isRenamed ? StandIn(id: DocumentID(name), revision: other.revision) : other
    }
    return state
  }
}

extension JSONValue {
  /// All strings in this value, each once, in the order of their first occurrence.
  fileprivate var texts: [JSONString] {
    var texts: [JSONString] = []
    var seen: Set<JSONString> = []
    var waiting = [self]
    while let value = waiting.popLast() {
      switch value {
      case .string(let text): if seen.insert(text).inserted { texts.append(text) }
      case .array(let elements): waiting += elements.reversed()
      case .object(let object): waiting += object.members.reversed().map { $0.value }
      default: break
      }
    }
    return texts
  }
}
