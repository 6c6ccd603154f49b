internal import Datastore
internal import JSON
internal import ObjectSimulation
internal import Scenarios
internal import Simulation

/// The comparison of `touchstone compare`: of a store with the model, or of a layer with the
/// bundled one.
enum ComparisonSubject: Experiment {
  case store(Differential)
  case layer(LayerComparison)

  mutating func report(ofSeed seed: UInt64) throws(HarnessError) -> CampaignReport {
    switch self {
    case .store(var experiment):
      defer { self = .store(experiment) }
      return try experiment.report(ofSeed: seed)
    case .layer(var experiment):
      defer { self = .layer(experiment) }
      return try experiment.report(ofSeed: seed)
    }
  }

  /// Whether shrinking should end with the shortest sequence so far.
  var isStopped: @Sendable () -> Bool {
    get {
      switch self {
      case .store(let experiment): experiment.isStopped
      case .layer(let experiment): experiment.isStopped
      }
    }
    set {
      switch self {
      case .store(var experiment):
        experiment.isStopped = newValue
        self = .store(experiment)
      case .layer(var experiment):
        experiment.isStopped = newValue
        self = .layer(experiment)
      }
    }
  }

  /// The number of operations of the smallest part of a shrunk sequence that disagrees in the same
  /// way; nil if the sequence is too long for the search.
  func leastCount(of disagreement: ComparisonDisagreement) throws(HarnessError) -> Int? {
    switch (self, disagreement.content) {
    case (.store(let experiment), .store(let found)): try experiment.leastCount(of: found)
    case (.layer(let experiment), .layer(let found)): try experiment.leastCount(of: found)
    case (.store, .layer), (.layer, .store): nil
    }
  }

  /// The disagreement of a seed, shrunk; nil if the sequence does not disagree again.
  func shrunk(seed: UInt64) throws(HarnessError) -> ComparisonDisagreement? {
    switch self {
    case .store(let experiment):
      try experiment.shrunk(seed: seed).map { ComparisonDisagreement(.store($0)) }
    case .layer(let experiment):
      try experiment.shrunk(seed: seed).map { ComparisonDisagreement(.layer($0)) }
    }
  }
}

/// A disagreement as the command shows it.
struct ComparisonDisagreement {
  enum Content {
    case store(Differential.Disagreement)
    case layer(LayerComparison.Disagreement)
  }

  let content: Content

  init(_ content: Content) { self.content = content }

  var seed: UInt64 {
    switch content {
    case .store(let found): found.seed
    case .layer(let found): found.seed
    }
  }

  var operations: [StoreOperation] {
    switch content {
    case .store(let found): found.steps.map { $0.operation }
    case .layer(let found): found.steps.map { $0.operation }
    }
  }

  /// The outcome of the implementation, or the reason why it gave no outcome.
  var answer: String {
    let (breakdown, outcome) =
      switch content {
      case .store(let found): (found.breakdown, found.steps.last?.outcome)
      case .layer(let found): (found.breakdown, found.steps.last?.actual)
      }
    return breakdown.map { "no outcome: \($0)" } ?? outcome?.description ?? ""
  }

  var accepted: [Outcome] {
    switch content {
    case .store(let found): found.accepted
    case .layer(let found): found.steps.suffix(1).map(\.expected)
    }
  }

  /// The sentence of the violated oracle that compares several stores; nil without a violation.
  var finding: String? {
    if case .store(let found) = content { found.finding?.sentence.string } else { nil }
  }

  /// The deviations that the store was followed with.
  var deviations: [String] {
    if case .store(let found) = content { found.deviations } else { [] }
  }

  func vector() throws(DecodingFailure) -> Vector {
    switch content {
    case .store(let found): try found.vector()
    case .layer(let found): try found.vector()
    }
  }
}
