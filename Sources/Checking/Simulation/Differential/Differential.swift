public import Datastore
internal import JSON
internal import Oracles
public import ReferenceDatastore
public import Scenarios

/// Compares a store with the model over random sequences of operations.
///
/// A sequence follows from its seed. The operation of a step depends on the step's own key and on
/// the outcomes so far, so leaving out a step changes the others as little as possible. After the
/// last step, all used stores are read back.
public struct Differential {
  private let makeImplementation: () throws(HarnessError) -> any ImplementationUnderTest
  private let strictness: OutcomeChecker.Strictness
  private let mode: StoreFollower.Mode
  private let stepCount: Int
  /// The last disagreement of `report(ofSeed:)`.
  package var found: Disagreement?
  /// Whether shrinking should end with the shortest sequence so far; never by default.
  public var isStopped: @Sendable () -> Bool = { false }

  /// - Parameters:
  ///   - stepCount: the number of random operations of a sequence, 1 or more.
  ///   - strictness: the strictness of the checker.
  ///   - mode: where deviations come from that explain an outcome; by default none is accepted.
  ///   - makeImplementation: makes a store without any data; called once per sequence.
  public init(
    stepCount: Int = 50, strictness: OutcomeChecker.Strictness = .contract,
    mode: StoreFollower.Mode = .rulesOnly,
    _ makeImplementation: @escaping () throws(HarnessError) -> any ImplementationUnderTest
  ) {
    self.stepCount = stepCount
    self.strictness = strictness
    self.mode = mode
    self.makeImplementation = makeImplementation
  }

  /// A sequence with a last outcome that no rule permits.
  public struct Disagreement: Hashable, Sendable {
    /// The seed of the sequence.
    public var seed: UInt64
    /// The steps up to the one that disagrees.
    public var steps: [Step]
    /// The outcomes that the rules permit for the last step, the model's own first.
    public var accepted: [Outcome]
    /// The crash, hang or protocol error in place of the last outcome; nil if there is an outcome.
    public var breakdown: String?
    /// The violation of an oracle that compares several stores; nil if the last outcome itself is not
    /// permitted.
    public var finding: Trace.Finding?
    /// The store that has another content under the id of the last write; nil without a finding.
    var otherStore: StoreName?
    /// The deviations that the store was followed with; empty while it kept the rules.
    public var deviations: [Deviation.ID] = []
    /// The keys of the random steps; empty for given operations.
    package var keys: [UInt64]
    /// The store's defaults for `open` without arguments.
    var defaults = ImplementationDescription.Defaults()
  }

  /// An operation with its outcome.
  public struct Step: Hashable, Sendable {
    /// The operation.
    public var operation: StoreOperation
    /// The outcome of the store.
    public var outcome: Outcome

    /// Creates a step.
    public init(operation: StoreOperation, outcome: Outcome) {
      self.operation = operation
      self.outcome = outcome
    }
  }

  /// The result of the comparison of one sequence.
  public typealias Verdict = SequenceVerdict<Disagreement>

  /// Runs the sequence of a seed.
  public func run(seed: UInt64) throws(HarnessError) -> Verdict {
    try evaluate(seed: seed, keys: keys).verdict
  }

  /// The keys of all steps.
  package var keys: [UInt64] { (1...UInt64(stepCount)).map { $0 } }

  /// Runs selected steps of the sequence of a seed.
  package func evaluate(
    seed: UInt64, keys: [UInt64]
  ) throws(HarnessError) -> SequenceEvaluation<Disagreement> {
    try evaluate(seed: seed) { run throws(HarnessError) in try run.perform(keys) }
  }

  /// Runs given operations in the environment of a seed.
  package func run(seed: UInt64, operations: [StoreOperation]) throws(HarnessError) -> Verdict {
    try evaluate(seed: seed) { run throws(HarnessError) in try run.perform(operations) }.verdict
  }

  private func evaluate(
    seed: UInt64, _ perform: (inout DifferentialRun) throws(HarnessError) -> Verdict
  ) throws(HarnessError) -> SequenceEvaluation<Disagreement> {
    let implementation = StaleAnswerLayer.over(try makeImplementation(), deviations: mode.given)
    try implementation.description.requireDefaults()
    var run = DifferentialRun(seed: seed, implementation, strictness: strictness, mode)
    let verdict = try perform(&run)
    try implementation.shutdown()
    return SequenceEvaluation(
      verdict: verdict, digest: run.digest.value, deviations: run.deviations)
  }
}

/// One sequence during its run.
private struct DifferentialRun {
  let seed: UInt64
  let implementation: any ImplementationUnderTest
  let workload: Workload
  var checker: StoreFollower
  /// The deviations that are not searched for.
  let given: [Deviation]
  /// Nil for a sequence with one store.
  var oracles: ContentOracles?
  let environment: RunEnvironment
  var knowledge = Knowledge()
  var steps: [Differential.Step] = []
  var digest = RunDigest()

  init(
    seed: UInt64, _ implementation: any ImplementationUnderTest,
    strictness: OutcomeChecker.Strictness, _ mode: StoreFollower.Mode
  ) {
    self.seed = seed
    self.implementation = implementation
    let description = implementation.description
    workload = Workload(seed: seed, description, isHonest: strictness == .contract)
    checker = StoreFollower(of: description, strictness: strictness, mode: mode)
    given = mode.given
    if workload.stores.count > 1 {
      oracles = ContentOracles(
        stores: workload.stores.map(\.text), revisionIDs: workload.revisionIDs,
        contentFlaws: Set(mode.given.compactMap(\.contentFlaw)))
    }
    environment = RunEnvironment(seed: seed)
  }

  /// The deviations that occurred, declared or found.
  var deviations: [Deviation] {
    let flaws = oracles?.contentFlaws ?? []
    let sharing = given.filter { $0.contentFlaw.map { flaws.contains($0) } ?? false }
    let stale = (implementation as? StaleAnswerLayer)?.occurred ?? []
    return Deviation.named(
      checker.active.map(\.id).filter { checker.occurred.contains($0) } + sharing.map(\.id) + stale)
  }

  mutating func perform(_ operations: [StoreOperation]) throws(HarnessError) -> Differential.Verdict
  {
    for operation in operations {
      if let verdict = try perform(operation, []) { return verdict }
    }
    return .agreed(operations: steps.count)
  }

  mutating func perform(_ keys: [UInt64]) throws(HarnessError) -> Differential.Verdict {
    for store in workload.stores {
      let opening = StoreOperation(store, workload.opening)
      if let verdict = try perform(opening, keys) { return verdict }
      guard let limit = workload.firstLimit else { continue }
      let limiting = StoreOperation(store, .historyLimit(limit))
      if let verdict = try perform(limiting, keys) { return verdict }
    }
    for key in keys {
      var generator = OperationGenerator(
        workload: workload, knowledge: knowledge, random: KeyedRandom(seed: seed, key: key))
      if let verdict = try perform(generator.operation(), keys) { return verdict }
    }
    for store in workload.stores {
      for operation in workload.readingBack(store, knowledge) {
        if let verdict = try perform(operation, keys) { return verdict }
      }
    }
    return .agreed(operations: steps.count)
  }

  /// Performs an operation; returns a verdict if it is the last one.
  private mutating func perform(
    _ operation: StoreOperation, _ keys: [UInt64]
  ) throws(HarnessError) -> Differential.Verdict? {
    let outcome: Outcome
    do throws(HarnessError) {
      outcome = try implementation.perform(operation, environment)
    } catch {
      guard error.breakdown != nil else { throw error }
      // What the store did is unknown, so the sequence ends.
      if checker.admitUnanswered(operation) { return .agreed(operations: steps.count) }
      return disagreement(on: operation, error.message, keys)
    }
    if case .error(let error) = outcome, error.isOfTheMachine {
      // A full disk is not a violation of a rule by the store.
      throw HarnessError("\(operation) could not be performed: \(error)")
    }
    steps.append(Differential.Step(operation: operation, outcome: outcome))
    knowledge.note(operation, outcome)
    digest.fold(outcome)
    switch checker.admit(operation, outcome) {
    case .admitted:
      // An outcome that only a deviation permits need not name the content that was written.
      guard !checker.deviates, let place = workload.stores.firstIndex(of: operation.store),
        let finding = oracles?.observe(operation, outcome, store: place)
      else { return nil }
      return .disagreed(
        Differential.Disagreement(
          seed: seed, steps: steps, accepted: [],
          finding: Trace.Finding(
            oracle: finding.oracle, shape: finding.shape, sentence: finding.sentence, time: 0,
            document: finding.document),
          otherStore: finding.firstReplica.map { StoreName($0) }, keys: keys,
          defaults: implementation.description.defaults))
    case .violation(let violation):
      var disagreement = Differential.Disagreement(
        seed: seed, steps: steps, accepted: violation.accepted, keys: keys,
        defaults: implementation.description.defaults)
      disagreement.deviations = checker.active.map(\.id)
      return .disagreed(disagreement)
    case .inconclusive: return .inconclusive(operations: steps.count - 1)
    }
  }

  /// The disagreement if the implementation gave no answer.
  private mutating func disagreement(
    on operation: StoreOperation, _ breakdown: String, _ keys: [UInt64]
  ) -> Differential.Verdict {
    steps.append(Differential.Step(operation: operation, outcome: .unknown))
    // The checker rejects the result of another action and lists the permitted outcomes.
    var wrong = OperationResult.list([])
    if case .list = operation.action { wrong = .done }
    var accepted: [Outcome] = []
    if case .violation(let violation) = checker.admit(operation, .ok(wrong)) {
      accepted = violation.accepted
    }
    return .disagreed(
      Differential.Disagreement(
        seed: seed, steps: steps, accepted: accepted, breakdown: breakdown, keys: keys,
        defaults: implementation.description.defaults))
  }
}

extension DatastoreError {
  /// True if the disk or another process is the cause, so that the error proves nothing about the store.
  package var isOfTheMachine: Bool {
    switch kind {
    case .storage(.full), .storage(.io), .storage(.readOnly), .busy: true
    default: false
    }
  }
}
