internal import Datastore
internal import JSON
internal import ReferenceDatastore

/// One case of an upgrade during its run.
struct UpgradeRun {
  let seed: UInt64
  let upgrade: Upgrade
  let files: any UpgradeFiles
  let environment: RunEnvironment
  var checker: OutcomeChecker
  var knowledge = Knowledge()
  var steps: [Upgrade.Step] = []
  var digest = RunDigest()
  private var phase = UpgradePhase.before
  private var workload: Workload
  /// The running version; nil between two versions.
  private var implementation: (any ImplementationUnderTest)?
  /// The most sequences of a store from which changes are read.
  private let sequencesMax = 12

  init(seed: UInt64, _ upgrade: Upgrade, _ files: any UpgradeFiles) {
    (self.seed, self.upgrade, self.files) = (seed, upgrade, files)
    let shared = upgrade.descriptions.shared
    workload = Workload(seed: seed, shared, isHonest: true)
    checker = OutcomeChecker(
      profiles: shared.profiles, defaults: shared.defaults, restrictions: shared.restrictions)
    environment = RunEnvironment(seed: seed)
  }

  // MARK: Phases

  /// Starts the version of a phase; returns a verdict if the case ends.
  mutating func begin(_ phase: UpgradePhase) throws(HarnessError) -> Upgrade.Verdict? {
    self.phase = phase
    guard phase != .before || upgrade.recorded.isEmpty else {
      try replayRecorded()
      return nil
    }
    do throws(HarnessError) {
      implementation = try files.start(phase.version)
    } catch {
      // Before the upgrade there is nothing that could keep the old version from starting.
      guard phase != .before else { throw error }
      try upgrade.requireStart(phase.version)
      return disagreement(.start(error.message), [])
    }
    // A new version may have capabilities that can be used on the files of the old one.
    if phase == .after {
      workload.useKinds(of: Workload(seed: seed, upgrade.descriptions.new, isHonest: true))
    } else if phase == .back {
      workload.useKinds(of: Workload(seed: seed, upgrade.descriptions.shared, isHonest: true))
    }
    return nil
  }

  /// Ends the running version; returns a verdict if the case ends.
  mutating func end(isLast: Bool) throws(HarnessError) -> Upgrade.Verdict? {
    let end = isLast ? .stop : upgrade.end(seed: seed, of: phase)
    if implementation != nil {
      do throws(HarnessError) { try files.end(end) } catch {
        guard error.breakdown != nil else { throw error }
        return disagreement(.end(error.message), [])
      }
      implementation = nil
    }
    checker.crashed()
    return nil
  }

  private mutating func replayRecorded() throws(HarnessError) {
    for step in upgrade.recorded {
      guard case .admitted = checker.admit(step.operation, step.outcome) else {
        throw HarnessError("the recorded outcome of \(step.operation) is not permitted")
      }
      knowledge.note(step.operation, step.outcome)
    }
    workload.use(
      upgrade.recorded.map(\.operation), defaults: upgrade.descriptions.old.defaults)
  }

  // MARK: Operations

  /// Performs the given operations of this phase.
  mutating func perform(
    _ operations: [StoreOperation]
  ) throws(HarnessError) -> Upgrade.Verdict? {
    guard implementation != nil else { return nil }
    for operation in operations {
      if let verdict = try perform(operation, []) { return verdict }
    }
    return nil
  }

  /// Performs the random steps of this phase, and reads everything after them; in a later phase
  /// also before them.
  ///
  /// - Parameter all: the keys of all phases.
  mutating func perform(
    _ keys: [UInt64], keys all: [UInt64]
  ) throws(HarnessError) -> Upgrade.Verdict? {
    guard implementation != nil else { return nil }
    for store in workload.stores {
      let opening = StoreOperation(store, workload.opening)
      if let verdict = try perform(opening, all) { return verdict }
    }
    if phase != .before, let verdict = try readAll(all) { return verdict }
    for key in keys {
      var generator = OperationGenerator(
        workload: workload, knowledge: knowledge, random: KeyedRandom(seed: seed, key: key + 1))
      if let verdict = try perform(generator.operation(), all) { return verdict }
    }
    // A store that a step closed or destroyed must be open.
    for store in workload.stores {
      let opening = StoreOperation(store, workload.opening)
      if let verdict = try perform(opening, all) { return verdict }
    }
    return try readAll(all)
  }

  private mutating func readAll(_ keys: [UInt64]) throws(HarnessError) -> Upgrade.Verdict? {
    for store in workload.stores {
      // Sequences that a client has received before the upgrade are still valid after it.
      let sequences = (knowledge.sequences[store] ?? []).suffix(sequencesMax)
      let feeds = sequences.map { sequence in
        StoreOperation(
          store, StoreAction.changes(since: sequence).within(workload.restrictions))
      }
      for operation in (workload.readsFeed ? feeds : []) + workload.reading(store, knowledge) {
        if let verdict = try perform(operation, keys) { return verdict }
      }
    }
    return nil
  }

  /// Performs an operation; returns a verdict if it is the last one.
  private mutating func perform(
    _ operation: StoreOperation, _ keys: [UInt64]
  ) throws(HarnessError) -> Upgrade.Verdict? {
    guard let implementation else { return nil }
    let outcome: Outcome
    do throws(HarnessError) {
      outcome = try implementation.perform(operation, environment)
    } catch {
      guard error.breakdown != nil else { throw error }
      steps.append(Upgrade.Step(phase: phase, operation: operation, outcome: .unknown))
      return disagreement(
        .breakdown(error.message, accepted: checker.accepted(for: operation)), keys)
    }
    if case .error(let error) = outcome, error.isOfTheMachine {
      throw HarnessError("\(phase.words): \(operation) could not be performed: \(error)")
    }
    steps.append(Upgrade.Step(phase: phase, operation: operation, outcome: outcome))
    knowledge.note(operation, outcome)
    digest.fold(outcome)
    switch checker.admit(operation, outcome) {
    case .admitted: return nil
    case .violation(let violation):
      return disagreement(.outcome(accepted: violation.accepted), keys)
    case .inconclusive: return .inconclusive(operations: steps.count - 1)
    }
  }

  private func disagreement(_ failure: Upgrade.Failure, _ keys: [UInt64]) -> Upgrade.Verdict {
    .disagreed(
      Upgrade.Disagreement(
        seed: seed, phase: phase, steps: steps, failure: failure, keys: keys,
        log: implementation?.takeLog() ?? ""))
  }
}

extension OutcomeChecker {
  /// The outcomes that the rules permit for an operation in place of a missing one.
  func accepted(for operation: StoreOperation) -> [Outcome] {
    // The checker rejects the result of another action and lists the permitted outcomes.
    var wrong = OperationResult.list([])
    if case .list = operation.action { wrong = .done }
    var checker = self
    guard case .violation(let violation) = checker.admit(operation, .ok(wrong)) else { return [] }
    return violation.accepted
  }
}
