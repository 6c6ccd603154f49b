internal import Datastore
internal import JSON
internal import RevisionTree

/// One operation as a store with deviations performs it.
///
/// The model performs the operation by the rules. Each deviation then changes the outcome or the
/// state, in the order of the catalogue.
struct Performance {
  /// The operation that is performed, which may differ from the requested one.
  let operation: StoreOperation
  /// The state before the operation.
  let before: ModelState
  /// The state after the operation.
  var after: ModelState
  var outcome: Outcome
  var decisions: Decisions
  /// The answers to the queries of `revsDiff`, one for each, nil for a query without a missing
  /// revision; nil if no deviation has changed them.
  var differences: [Difference?]?
  /// The decisions before the operation, for a deviation that performs it in another way.
  let start: Decisions

  /// The store of the operation before it; nil if it is not open.
  var storeBefore: ModelStore? { before.stores[operation.store].flatMap { $0.isOpen ? $0 : nil } }

  /// The store of the operation after it.
  var store: ModelStore? {
    get { after.stores[operation.store] }
    set { after.stores[operation.store] = newValue }
  }

  /// The result of the operation, if it succeeded.
  var result: OperationResult? {
    get { outcome.result }
    set { if let newValue { outcome = .ok(newValue) } }
  }

  /// Replaces everything by the result of another way to perform the operation.
  ///
  /// - Parameters:
  ///   - isFirst: whether the first alternative is taken everywhere.
  ///   - body: returns the result; nil leaves the performance unchanged.
  mutating func perform(
    isFirst: Bool = true, _ body: (inout ModelStore, inout Decisions) -> OperationResult?
  ) {
    guard var store = storeBefore else { return }
    var decisions = start
    if isFirst { decisions.takeFirstAlternatives() }
    guard let result = body(&store, &decisions) else { return }
    after = before
    after.stores[operation.store] = store
    outcome = .ok(result)
    self.decisions = decisions
  }
}

extension Performance {
  /// Inserts records by the deviating rules of merging, where they make a difference.
  mutating func merge(_ records: [RevisionRecord]) {
    let merging = start.deviations.filter { $0.mergeRule != nil }
    guard !merging.isEmpty else { return }
    let (byRules, all) = (self, merged(records, by: merging))
    // The rules permit alternatives here; those that the store took are no deviation.
    guard all.differs(from: merged(records, by: [])), all.differs(from: byRules) else { return }
    let relevant = merging.filter { deviation in
      all.differs(from: merged(records, by: merging.filter { $0.id != deviation.id }))
    }
    let always = merging.filter { !$0.isConditional }
    let isTaken =
      always.count == merging.count || !relevant.contains { $0.isConditional }
      || decisions.alternatives.choose(.deviation, of: 2) == 0
    let choices = decisions
    if isTaken {
      self = all
    } else {
      let permanent = merged(records, by: always)
      self = permanent.differs(from: merged(records, by: [])) ? permanent : byRules
    }
    decisions.continueChoices(of: choices)
    decisions.record(isTaken ? relevant : relevant.filter { !$0.isConditional })
  }

  private func merged(_ records: [RevisionRecord], by deviations: [Deviation]) -> Performance {
    let rules = Set(deviations.compactMap(\.mergeRule))
    var performance = self
    // With the same alternatives as by the rules.
    performance.perform(isFirst: false) { store, decisions in
      store.insertRevisions(records, deviating: rules, &decisions)
    }
    return performance
  }

  /// Whether the outcome or the documents of the store differ.
  func differs(from other: Performance) -> Bool {
    outcome != other.outcome || store?.isOpen != other.store?.isOpen
      || store?.documents != other.store?.documents || store?.locals != other.store?.locals
      || store?.collation != other.store?.collation
  }
}

extension Performance {
  fileprivate mutating func cutList() {
    guard case .list(_, let limit?, _) = operation.action, case .list(let rows)? = result else {
      return
    }
    result = .list(Array(rows.prefix(Int(clamping: limit))))
  }
}

extension StoreOperation {
  fileprivate var withoutListLimit: StoreOperation {
    guard case .list(let from, let limit?, let descending) = action, limit >= 0 else { return self }
    return StoreOperation(store, .list(from: from, descending: descending))
  }
}

extension Deviation {
  fileprivate var mergeRule: MergeRule? {
    if case .merging(let rule) = effect { rule } else { nil }
  }
}

extension ModelState {
  /// Performs an operation with the deviations of the decisions; an operation that fails does not
  /// change the state.
  mutating func perform(_ operation: StoreOperation, _ decisions: inout Decisions) -> Outcome {
    guard !decisions.deviations.isEmpty else { return performByRules(operation, &decisions) }
    let performance = deviating(operation, decisions)
    self = performance.after
    decisions = performance.decisions
    return performance.outcome
  }

  /// An operation with the deviations of the decisions.
  func deviating(_ operation: StoreOperation, _ decisions: Decisions) -> Performance {
    var (decisions, operation, before) = (decisions, operation, self)
    before.readRevisions(of: &operation, &decisions)
    for deviation in decisions.deviations {
      guard case .request(let rewrite) = deviation.effect,
        let other = rewrite(operation, before), other != operation,
        decisions.takes(deviation)
      else { continue }
      operation = other
    }
    let start = decisions
    var after = before
    // A deviation changes the whole list, of which the store then returns a part.
    let outcome = after.performByRules(operation.withoutListLimit, &decisions)
    var performance = Performance(
      operation: operation, before: before, after: after, outcome: outcome, decisions: decisions,
      differences: nil, start: start)
    if case .insertRevisions(let records) = operation.action { performance.merge(records) }
    for deviation in start.deviations {
      guard case .response(let change) = deviation.effect else { continue }
      var changed = performance
      change(&changed)
      changed.keepUnpredictable(of: performance)
      guard changed.differs(from: performance) else {
        performance.after = changed.after
        continue
      }
      let isTaken = performance.decisions.takes(deviation)
      // The choices so far are those of the performance by the rules, also for a deviation that
      // began again.
      changed.decisions.continueChoices(of: performance.decisions)
      if isTaken { performance = changed }
    }
    performance.acceptUnpredictable()
    performance.cutList()
    performance.store?.collation.syntax = .rules
    return performance
  }

  /// Lets the store of an operation read its revision ids as a deviation does.
  private mutating func readRevisions(
    of operation: inout StoreOperation, _ decisions: inout Decisions
  ) {
    for deviation in decisions.deviations {
      guard case .syntax(let syntax) = deviation.effect,
        var collation = stores[operation.store]?.collation
      else { continue }
      let malformed = operation.action.revisionArguments.filter { collation.revision($0) == nil }
      collation.syntax = syntax
      guard malformed.contains(where: { collation.revision($0) != nil }),
        decisions.takes(deviation)
      else { continue }
      stores[operation.store]?.collation = collation
      guard case .insertRevisions(var records) = operation.action else { continue }
      // In a path, the generation also counts the revisions.
      for place in records.indices where records[place].path.count > 1 {
        let oldest = records[place].path.last.flatMap { collation.revision($0) }
        if oldest?.generation == 0 { records[place].path = [] }
      }
      operation.action = .insertRevisions(records)
    }
  }
}

extension ModelState {
  /// The rows of the whole feed of a store with deviations, by document.
  func feed(of store: StoreName, _ decisions: Decisions) -> [DocumentID: ChangesRow] {
    let performance = deviating(StoreOperation(store, .changes()), decisions)
    guard case .changes(let page)? = performance.result else { return [:] }
    return Dictionary(page.rows.map { ($0.id, $0) }) { first, _ in first }
  }
}
