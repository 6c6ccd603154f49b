public import Datastore
internal import JSON

/// Says whether the outcomes of another store are such as the rules accept.
///
/// The checker follows the store with a set of states that it may be in. Each operation is performed
/// on each of them in all alternatives that the rules leave; what agrees with the outcome stays.
/// An outcome that agrees with nothing is a violation. An unknown outcome keeps the states before
/// and after, and later observations decide between them.
public struct OutcomeChecker: Sendable {
  /// What the checker says of one outcome.
  public enum Verdict: Hashable, Sendable {
    case admitted
    case violation(Violation)
    /// More states are possible than the checker can hold: neither right nor wrong.
    case inconclusive(states: Int)
  }

  /// An outcome that no rule accepts.
  public struct Violation: Hashable, Sendable {
    public var operation: StoreOperation
    public var actual: Outcome
    /// What the rules accept instead, the model's own outcome first.
    public var accepted: [Outcome]
  }

  private var states: [PossibleState]
  private let profiles: Set<Profile>
  private let strictness: Strictness
  private let statesMax: Int
  /// How many combinations of alternatives are tried for one outcome.
  private let runsMax = 4096

  /// How much room the checked implementation has.
  public enum Strictness: Sendable {
    /// All that the contract accepts: revision ids of its own, every alternative.
    case contract
    /// What the model does and nothing else, its revision ids among it.
    case model
  }

  /// A checker of an implementation whose stores do not exist yet.
  ///
  /// - Parameters:
  ///   - profiles: what the implementation promises beyond the core.
  ///   - defaults: what `open` without arguments means to the implementation.
  ///   - inlineBytesMax: the longest content that stands in an operation or an answer of the
  ///     implementation; nil for that of the model.
  ///   - statesMax: how many possible states are followed before a run is inconclusive.
  public init(
    profiles: Set<Profile>, defaults: ImplementationDescription.Defaults = .init(),
    strictness: Strictness = .contract, inlineBytesMax: Int? = nil, statesMax: Int = 256
  ) {
    var state = PossibleState()
    state.model.defaults = defaults
    state.model.inlineBytesMax = inlineBytesMax ?? state.model.inlineBytesMax
    states = [state]
    self.profiles = profiles
    self.strictness = strictness
    self.statesMax = statesMax
  }

  /// Takes note of an operation and its outcome and checks it; after a violation nothing has
  /// changed.
  public mutating func admit(_ operation: StoreOperation, _ outcome: Outcome) -> Verdict {
    var next: [PossibleState] = []
    var seen: Set<PossibleState> = []
    var accepted: [Outcome] = []
    var runs = 0
    for state in states.flatMap({ $0.naming(from: outcome, in: operation.store) }) {
      if outcome == .unknown {
        guard let after = performances(of: operation, on: state) else {
          return .inconclusive(states: statesMax)
        }
        for after in after where seen.insert(after).inserted { next.append(after) }
      } else {
        var decisions = decisions(for: state, observing: outcome)
        repeat {
          runs += 1
          var after = state
          switch after.perform(operation, outcome, decisions: &decisions, profiles: profiles) {
          case .rejected(let prediction):
            if let prediction, !accepted.contains(prediction) { accepted.append(prediction) }
          case .agreed:
            if strictness == .model || seen.insert(after).inserted { next.append(after) }
          }
          decisions = renewed(decisions, for: state, observing: outcome)
          if next.count > statesMax || runs > runsMax {
            return .inconclusive(states: next.count)
          }
        } while strictness == .contract && decisions.alternatives.advance()
      }
      if next.count > statesMax { return .inconclusive(states: next.count) }
    }
    guard !next.isEmpty else {
      for outcome in predictions(of: operation) where !accepted.contains(outcome) {
        accepted.append(outcome)
      }
      return .violation(Violation(operation: operation, actual: outcome, accepted: accepted))
    }
    states = next
    return .admitted
  }

  /// What the model answers, with stand-ins for the names of new things, and the other errors that
  /// the operation has.
  private func predictions(of operation: StoreOperation) -> [Outcome] {
    guard let state = states.first else { return [] }
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

  /// Takes note that the implementation crashed and has all its stores closed.
  public mutating func crashed() {
    for place in states.indices { states[place].model.closeAll() }
  }

  private func decisions(for state: PossibleState, observing outcome: Outcome) -> Decisions {
    var decisions = Decisions(state.random)
    decisions.isModelOnly = strictness == .model
    if strictness == .contract { decisions.answer = outcome }
    if let result = outcome.result { decisions.naming = .observed(ObservedNames(result)) }
    if outcome == .unknown { decisions.naming = .unseen }
    return decisions
  }

  /// The decisions for the next run, at the same place of the walk through the alternatives.
  private func renewed(
    _ decisions: Decisions, for state: PossibleState, observing outcome: Outcome
  ) -> Decisions {
    var next = self.decisions(for: state, observing: outcome)
    next.alternatives = decisions.alternatives
    return next
  }

  /// The states after an operation whose outcome nobody knows: as before, and as after each way of
  /// performing it. Records count one by one; nil when there are too many ways.
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
      repeat {
        var after = state
        if after.model.perform(variant, &decisions).result != nil {
          after.random = decisions.random
          after.standIns[operation.store, default: []] += decisions.standIns
          states.append(after)
        }
        decisions = renewed(decisions, for: state, observing: .unknown)
        if states.count > runsMax { return nil }
      } while strictness == .contract && decisions.alternatives.advance()
    }
    return states
  }
}
