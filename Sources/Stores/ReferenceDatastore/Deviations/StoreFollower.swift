public import Datastore

/// Follows one store with the rules, and after the first outcome that they do not permit with
/// deviations.
///
/// Declared deviations are those of a product: the store has all of them, so that they must explain
/// all outcomes so far together. Without a declaration, the known deviations are searched for the
/// smallest set that explains the outcome, and the store is followed with it; a later outcome may add
/// others.
public struct StoreFollower: Sendable {
  /// Where the deviations come from.
  public enum Mode: Sendable {
    /// No deviation is accepted.
    case rulesOnly
    /// A product file declares them; at least one.
    case declared([Deviation])
    /// They are searched among all known ones, after those that were found before.
    case discovering(beside: [Deviation] = [])

    /// The deviations that are not searched for.
    public var given: [Deviation] {
      switch self {
      case .rulesOnly: []
      case .declared(let declared): declared
      case .discovering(let before): before
      }
    }
  }

  private enum Event: Sendable {
    case exchange(StoreOperation, Outcome)
    case crash
  }

  private let store: ImplementationDescription
  private let strictness: OutcomeChecker.Strictness
  private let mode: Mode
  private var checker: OutcomeChecker
  private var events: [Event] = []
  /// The deviations that the store is followed with; empty while it keeps the rules.
  public private(set) var active: [Deviation] = []
  /// The sets of deviations that were found, in the order of the outcomes that they explain.
  public private(set) var discovered: [[Deviation]] = []

  /// Creates a follower of a store without data.
  ///
  /// - Parameter store: the declarations of the store.
  public init(
    of store: ImplementationDescription, strictness: OutcomeChecker.Strictness = .contract,
    mode: Mode = .rulesOnly
  ) {
    self.store = store
    self.strictness = strictness
    self.mode = mode
    checker = Self.checker(of: store, strictness, deviations: [])
  }

  private static func checker(
    of store: ImplementationDescription, _ strictness: OutcomeChecker.Strictness,
    deviations: [Deviation]
  ) -> OutcomeChecker {
    OutcomeChecker(
      profiles: store.profiles, defaults: store.defaults, restrictions: store.restrictions,
      strictness: deviations.isEmpty ? strictness : .contract,
      inlineBytesMax: store.limits.inlineBytesMax, deviations: deviations)
  }

  /// The ids of the deviations that made a difference so far.
  public var occurred: Set<String> { checker.occurred }

  /// Whether the latest outcome is permitted only because of a deviation.
  public var deviates: Bool { !checker.latest.isEmpty }

  /// Checks an operation with its outcome.
  public mutating func admit(
    _ operation: StoreOperation, _ outcome: Outcome
  ) -> OutcomeChecker.Verdict {
    let verdict = checker.admit(operation, outcome)
    if case .rulesOnly = mode { return verdict }
    events.append(.exchange(operation, outcome))
    guard case .violation = verdict else { return verdict }
    switch mode {
    case .rulesOnly: return verdict
    case .declared(let declared):
      guard active.isEmpty else { return verdict }
      return follow(with: declared) ?? verdict
    case .discovering(let before):
      if active.isEmpty, !before.isEmpty, let verdict = follow(with: before) { return verdict }
      guard let found = explanation() else { return verdict }
      discovered.append(found.filter { new in !active.contains { $0.id == new.id } })
      return follow(with: found) ?? verdict
    }
  }

  /// Whether a declared or known deviation leaves an operation without a valid response. The state
  /// of the store is unknown afterwards, so the store cannot be followed any more.
  public mutating func admitUnanswered(_ operation: StoreOperation) -> Bool {
    if checker.admitUnanswered(operation) { return true }
    let candidates: [[Deviation]] =
      switch mode {
      case .rulesOnly: []
      case .declared(let declared): active.isEmpty ? [declared] : []
      case .discovering(let before):
        (active.isEmpty ? [before] : [])
          + Deviation.failures.map { Deviation.named((active + [$0]).map(\.id)) }
      }
    for deviations in candidates where !deviations.isEmpty {
      var other = self
      guard case .admitted? = other.follow(with: deviations),
        other.checker.admitUnanswered(operation)
      else { continue }
      if case .discovering = mode {
        other.discovered.append(
          deviations.filter { new in !active.contains { $0.id == new.id } })
      }
      self = other
      return true
    }
    return false
  }

  /// Records a crash of the implementation, which closes all its stores.
  public mutating func crashed() {
    if case .rulesOnly = mode {} else { events.append(.crash) }
    checker.crashed()
  }

  /// Follows the store from the beginning with some deviations; returns nil if they do not explain
  /// all outcomes.
  private mutating func follow(with deviations: [Deviation]) -> OutcomeChecker.Verdict? {
    var other = Self.checker(of: store, strictness, deviations: deviations)
    var last = OutcomeChecker.Verdict.admitted
    for event in events {
      switch event {
      case .exchange(let operation, let outcome):
        last = other.admit(operation, outcome)
        if case .violation = last { return nil }
        if case .inconclusive = last { return last }
      case .crash: other.crashed()
      }
    }
    checker = other
    active = deviations
    return last
  }

  /// The smallest larger set of known deviations that explains all outcomes so far.
  private func explanation() -> [Deviation]? {
    let exchanges = events.compactMap { event in
      if case .exchange(let operation, let outcome) = event {
        Transcript.Exchange(operation, outcome)
      } else {
        nil
      }
    }
    guard exchanges.count == events.count else { return nil }
    let transcript = Transcript(exchanges, of: store)
    // An earlier outcome may have had several explanations, and the wrong one was taken.
    return transcript.explanations(among: Deviation.all, beside: active, setMax: 2).first
      ?? transcript.explanations(among: Deviation.all, setMax: 1).first
  }
}
