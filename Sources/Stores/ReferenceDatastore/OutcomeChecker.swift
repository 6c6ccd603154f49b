public import Datastore
internal import JSON

/// Checks that the outcomes of another store are permitted by the rules.
///
/// The checker tracks the store as a set of states that it may be in. It performs each operation on
/// each state with all alternatives that the rules permit, and keeps the results that agree with
/// the outcome. An outcome that agrees with no result is a violation. An unknown outcome keeps the
/// states before and after, and later observations decide between them.
public struct OutcomeChecker: Sendable {
  /// The checker's verdict on one outcome.
  public enum Verdict: Hashable, Sendable {
    /// A rule permits the outcome.
    case admitted
    /// No rule permits the outcome.
    case violation(Violation)
    /// More states are possible than the checker can track: neither valid nor a violation.
    case inconclusive(states: Int)
  }

  /// An outcome that no rule permits.
  public struct Violation: Hashable, Sendable {
    /// The operation with the outcome.
    public var operation: StoreOperation
    /// The outcome of the implementation.
    public var actual: Outcome
    /// The outcomes that the rules permit, the model's own first.
    public var accepted: [Outcome]
  }

  private var states: [PossibleState]
  private let profiles: Set<Profile>
  private let strictness: Strictness
  /// Whether SHA-256 digests of attachments are compared.
  private let comparesDigests: Bool
  /// The deviations of the implementation, which it always has.
  private let deviations: [Deviation]
  /// The ids of the deviations that explain an outcome so far.
  public private(set) var occurred: Set<String> = []
  /// The ids of the deviations without which the latest outcome is not permitted.
  public private(set) var latest: Set<String> = []
  private let statesMax: Int
  /// The maximum number of combinations of alternatives tried for one outcome.
  private let runsMax = 4096

  /// The strictness of the check.
  public enum Strictness: Sendable {
    /// Accepts everything that the contract permits: other revision ids, every alternative.
    case contract
    /// Accepts only the behavior of the model, including its revision ids.
    case model
  }

  /// A checker of an implementation that has no stores yet.
  ///
  /// - Parameters:
  ///   - profiles: the guarantees of the implementation beyond the core.
  ///   - defaults: the implementation's defaults for `open` without arguments.
  ///   - restrictions: the parts of the contract that the implementation cannot perform.
  ///   - inlineBytesMax: the implementation's maximum length of content inside an operation or a
  ///     response, in bytes; nil for that of the model.
  ///   - deviations: the deviations of the implementation from the rules; not with the strictness
  ///     `model`.
  ///   - statesMax: the maximum number of tracked states before a run is inconclusive.
  public init(
    profiles: Set<Profile>, defaults: ImplementationDescription.Defaults = .init(),
    restrictions: Set<Restriction> = [], strictness: Strictness = .contract,
    inlineBytesMax: Int? = nil, deviations: [Deviation] = [], statesMax: Int = 256
  ) {
    var state = PossibleState()
    state.model.defaults = defaults
    state.model.inlineBytesMax = inlineBytesMax ?? state.model.inlineBytesMax
    states = [state]
    self.profiles = profiles
    self.strictness = strictness
    comparesDigests = !restrictions.contains(.ownDigests)
    self.deviations = deviations
    self.statesMax = statesMax
  }

  /// Checks an operation with its outcome and updates the tracked states; a violation does not
  /// change them.
  public mutating func admit(_ operation: StoreOperation, _ outcome: Outcome) -> Verdict {
    if isPlainRead(operation, outcome) { return admitRead(operation, outcome) }
    var next = DistinctStates()
    var accepted: [Outcome] = []
    var occurred: Set<String> = []
    var runs = 0
    for state in named(from: outcome, in: operation.store) {
      if outcome == .unknown {
        guard let after = performances(of: operation, on: state) else {
          return .inconclusive(states: statesMax)
        }
        for after in after { next.insert(after) }
      } else if !state.leavesUnanswered(operation, deviations) {
        var decisions = decisions(for: state, observing: outcome)
        while true {
          runs += 1
          var after = state
          switch after.perform(
            operation, outcome, decisions: &decisions, profiles: profiles,
            comparesDigests: comparesDigests)
          {
          case .rejected(let prediction):
            if let prediction, !accepted.contains(prediction) { accepted.append(prediction) }
          case .agreed:
            occurred.formUnion(decisions.occurred)
            next.insert(after)
          }
          if next.count > statesMax || runs > runsMax {
            return .inconclusive(states: next.count)
          }
          guard strictness == .contract, decisions.alternatives.advance() else { break }
          decisions = renewed(decisions, for: state, observing: outcome)
        }
      }
      if next.count > statesMax { return .inconclusive(states: next.count) }
    }
    guard next.count > 0 else { return violation(of: operation, outcome, accepted: accepted) }
    states = next.states
    self.occurred.formUnion(occurred)
    latest = occurred
    return .admitted
  }

  /// The tracked states, and those in which placeholders are replaced by names from the outcome.
  private func named(from outcome: Outcome, in store: StoreName) -> [PossibleState] {
    guard states.contains(where: { $0.standIns[store]?.isEmpty == false }) else { return states }
    return states.flatMap { $0.naming(from: outcome, in: store) }
  }

  /// Whether an operation is a read with one possible state before it and one permitted outcome.
  private func isPlainRead(_ operation: StoreOperation, _ outcome: Outcome) -> Bool {
    guard strictness == .model, states.count == 1, operation.action.isRead else { return false }
    if case .unknown = outcome { return false }
    return states[0].standIns[operation.store]?.isEmpty ?? true
  }

  /// Checks such a read without a copy of the state: a read changes only the ledger, and only if its
  /// outcome agrees.
  private mutating func admitRead(_ operation: StoreOperation, _ outcome: Outcome) -> Verdict {
    var decisions = decisions(for: states[0], observing: outcome)
    latest = []
    switch states[0].perform(
      operation, outcome, decisions: &decisions, profiles: profiles,
      comparesDigests: comparesDigests)
    {
    case .agreed: return .admitted
    case .rejected(let prediction):
      return violation(of: operation, outcome, accepted: prediction.map { [$0] } ?? [])
    }
  }

  private func violation(
    of operation: StoreOperation, _ outcome: Outcome, accepted: [Outcome]
  ) -> Verdict {
    var accepted = accepted
    for outcome in predictions(of: operation) where !accepted.contains(outcome) {
      accepted.append(outcome)
    }
    return .violation(Violation(operation: operation, actual: outcome, accepted: accepted))
  }

  /// Whether a deviation leaves an operation without a valid response in a state that the store may
  /// be in.
  public mutating func admitUnanswered(_ operation: StoreOperation) -> Bool {
    let causes = deviations.filter { deviation in
      states.contains { deviation.leavesUnanswered(operation, in: $0.model) }
    }
    latest = Set(causes.map(\.id))
    // Such a document may also make a response unreadable.
    for state in states { latest.formUnion(state.model.unpredictable(operation)) }
    occurred.formUnion(latest)
    return !latest.isEmpty
  }

  /// The model's outcomes, with placeholders for the names of new things, and the other errors of
  /// the operation.
  private func predictions(of operation: StoreOperation) -> [Outcome] {
    guard let state = states.first, !state.leavesUnanswered(operation, deviations) else {
      return []
    }
    var predictions: [Outcome] = []
    var decisions = decisions(for: state, observing: .unknown)
    decisions.answer = nil
    for _ in 0..<64 {
      var model = state.model
      let outcome = model.perform(operation, &decisions)
      if predictions.isEmpty || outcome.result == nil, !predictions.contains(outcome) {
        predictions.append(outcome)
      }
      guard strictness == .contract, decisions.alternatives.advance() else { break }
    }
    return predictions
  }

  /// Records a crash of the implementation, which closes all its stores.
  public mutating func crashed() {
    for place in states.indices { states[place].model.closeAll() }
  }

  private func decisions(for state: PossibleState, observing outcome: Outcome) -> Decisions {
    var decisions = Decisions(state.random)
    decisions.isModelOnly = strictness == .model
    decisions.deviations = deviations
    if strictness == .contract { decisions.answer = outcome }
    if let result = outcome.result { decisions.naming = .observed(ObservedNames(result)) }
    if outcome == .unknown { decisions.naming = .unseen }
    return decisions
  }

  /// The decisions for the next run, at the same position in the enumeration of alternatives.
  private func renewed(
    _ decisions: Decisions, for state: PossibleState, observing outcome: Outcome
  ) -> Decisions {
    var next = self.decisions(for: state, observing: outcome)
    next.alternatives = decisions.alternatives
    return next
  }

  /// The states after an operation with an unknown outcome: the state before, and one for each way
  /// to perform the operation, with records counted one by one. Nil if there are too many.
  private func performances(of operation: StoreOperation, on state: PossibleState)
    -> [PossibleState]?
  {
    var variants = [operation]
    if case .insertRevisions(let records) = operation.action {
      guard records.count < Int.bitWidth - 1, 1 << records.count <= statesMax else { return nil }
      variants = (0..<(1 << records.count)).map { subset in
        let chosen = records.indices.filter { subset & 1 << $0 != 0 }.map { records[$0] }
        return StoreOperation(operation.store, .insertRevisions(chosen))
      }
    }
    var states = [state]
    for variant in variants {
      var decisions = decisions(for: state, observing: .unknown)
      while true {
        var after = state
        if after.model.perform(variant, &decisions).result != nil {
          after.random = decisions.random
          after.standIns[operation.store, default: []] += decisions.standIns
          states.append(after)
        }
        if states.count > runsMax { return nil }
        guard strictness == .contract, decisions.alternatives.advance() else { break }
        decisions = renewed(decisions, for: state, observing: .unknown)
      }
    }
    return states
  }
}

/// States without repetitions, in the order of insertion.
///
/// Hashing a state takes time proportional to all of its data; comparing two states that share most
/// of their data takes much less. So few states are compared, and many are hashed.
private struct DistinctStates {
  private(set) var states: [PossibleState] = []
  private var hashed: Set<PossibleState> = []
  private static let comparedMax = 8

  var count: Int { states.count }

  mutating func insert(_ state: PossibleState) {
    if states.count < Self.comparedMax {
      if !states.contains(state) { states.append(state) }
      return
    }
    if hashed.isEmpty { hashed = Set(states) }
    if hashed.insert(state).inserted { states.append(state) }
  }
}
