public import Datastore
internal import JSON

/// Checks that a version of a store continues with the files that another version wrote.
///
/// The old version performs a random sequence of operations and ends; the new one opens the same
/// files, is read completely, performs more operations, and is read again. One checker follows the
/// store through all phases, so that every outcome of the new version must be permitted after what
/// the old one acknowledged.
public struct Upgrade {
  /// The declared properties of both versions.
  public struct Descriptions: Hashable, Sendable {
    /// Those of the version that writes the files.
    public var old: ImplementationDescription
    /// Those of the version that opens them.
    public var new: ImplementationDescription

    /// Creates the properties of two versions.
    public init(old: ImplementationDescription, new: ImplementationDescription) {
      self.old = old
      self.new = new
    }

    /// The properties that both versions have.
    var shared: ImplementationDescription {
      var shared = old
      shared.capabilities.formIntersection(new.capabilities)
      shared.profiles.formIntersection(new.profiles)
      shared.restrictions.formUnion(new.restrictions)
      shared.limits.bodyBytesMax = min(old.limits.bodyBytesMax, new.limits.bodyBytesMax)
      return shared
    }

    /// The capabilities of the old version that the new one does not declare; without those of
    /// object layers, which are documents to a store.
    public var dropped: [Capability] {
      Workload.capabilities.filter {
        old.capabilities.contains($0) && !new.capabilities.contains($0)
      }
    }
  }

  /// The number of random operations of a phase.
  let stepCount: Int
  let phases: [UpgradePhase]
  public let descriptions: Descriptions
  /// The steps of an old version that has already written the files; empty for one that runs.
  let recorded: [Differential.Step]
  private let makeFiles: (UpgradeEnd) throws(HarnessError) -> any UpgradeFiles
  /// The last disagreement of `report(ofSeed:)`.
  package var found: Disagreement?
  /// Whether shrinking should end with the shortest sequence so far; never by default.
  public var isStopped: @Sendable () -> Bool = { false }

  /// - Parameters:
  ///   - stepCount: the number of random operations of a phase, 1 or more.
  ///   - goesBack: whether the old version opens the files again after the new one.
  ///   - recorded: the steps of an old version that has already written the files, and does not
  ///     run; empty for one that runs.
  ///   - makeFiles: makes the files of a case: empty ones, or those of the recorded version as it
  ///     leaves them at the given end.
  /// - Throws: if the declared properties of the versions exclude an upgrade.
  public init(
    _ descriptions: Descriptions, stepCount: Int = 50, goesBack: Bool = false,
    recorded: [Differential.Step] = [],
    makeFiles: @escaping (UpgradeEnd) throws(HarnessError) -> any UpgradeFiles
  ) throws(HarnessError) {
    for description in [descriptions.old, descriptions.new] { try description.requireDefaults() }
    guard descriptions.old.defaults == descriptions.new.defaults else {
      throw HarnessError(
        "the versions declare different defaults of open: "
          + "\(descriptions.old.defaults.words) and \(descriptions.new.defaults.words); "
          + "expected the same ones, because the stores of the old version have them")
    }
    self.descriptions = descriptions
    self.stepCount = stepCount
    self.recorded = recorded
    self.makeFiles = makeFiles
    phases = goesBack ? [.before, .after, .back] : [.before, .after]
  }

  /// The result of one case.
  public typealias Verdict = SequenceVerdict<Disagreement>

  /// Runs the case of a seed.
  public func run(seed: UInt64) throws(HarnessError) -> Verdict {
    try evaluate(seed: seed, keys: keys).verdict
  }

  /// The end of the running version in the case of a seed: the old one is killed in half of the
  /// cases, if it declares that it survives that.
  public func end(seed: UInt64, of phase: UpgradePhase) -> UpgradeEnd {
    let description = phase.version == .old ? descriptions.old : descriptions.new
    guard description.crashes.contains(.kill) else { return .stop }
    var random = KeyedRandom(seed: seed, key: phase == .before ? 1 << 62 : 1 << 61)
    return random.chance(1, in: 2) ? .kill : .stop
  }

  /// The keys of all random steps.
  package var keys: [UInt64] {
    (0..<UInt64(stepCount * phases.count)).filter { recorded.isEmpty || phase(of: $0) != .before }
  }

  /// The phase of a random step.
  func phase(of key: UInt64) -> UpgradePhase {
    phases[min(Int(key) / stepCount, phases.count - 1)]
  }

  /// Runs selected steps of the case of a seed.
  package func evaluate(
    seed: UInt64, keys: [UInt64]
  ) throws(HarnessError) -> SequenceEvaluation<Disagreement> {
    let plan = phases.map { phase in keys.filter { self.phase(of: $0) == phase } }
    return try evaluate(seed: seed, keeps: nil) { run, place throws(HarnessError) in
      try run.perform(plan[place], keys: keys)
    }
  }

  /// Runs given operations in the environment of a seed.
  package func run(seed: UInt64, operations: [PhasedOperation]) throws(HarnessError) -> Verdict {
    try run(seed: seed, operations: operations, keeps: nil)
  }

  /// Runs given operations in the environment of a seed.
  ///
  /// - Parameter keeps: receives the place of the files if the case disagrees; nil to remove them.
  func run(
    seed: UInt64, operations: [PhasedOperation], keeps: ((String?) -> Void)?
  ) throws(HarnessError) -> Verdict {
    let plan = phases.map { phase in operations.filter { $0.phase == phase } }
    return try evaluate(seed: seed, keeps: keeps) { run, place throws(HarnessError) in
      try run.perform(plan[place].map(\.operation))
    }.verdict
  }

  private func evaluate(
    seed: UInt64, keeps: ((String?) -> Void)?,
    _ perform: (inout UpgradeRun, Int) throws(HarnessError) -> Verdict?
  ) throws(HarnessError) -> SequenceEvaluation<Disagreement> {
    let files = try makeFiles(end(seed: seed, of: .before))
    var run = UpgradeRun(seed: seed, self, files)
    var verdict: Verdict?
    for (place, phase) in phases.enumerated() {
      verdict = try run.begin(phase)
      if verdict == nil { verdict = try perform(&run, place) }
      if verdict == nil { verdict = try run.end(isLast: place == phases.count - 1) }
      if verdict != nil { break }
    }
    let settled = verdict ?? .agreed(operations: run.steps.count)
    if case .disagreed = settled {
      // The files must not change any more.
      try? files.end(.kill)
      keeps?(files.keep())
    }
    return SequenceEvaluation(verdict: settled, digest: run.digest.value)
  }

  /// Starts a version on new files; throws if it does not start there either, so that the files of
  /// the other version are not the cause.
  func requireStart(_ version: UpgradeVersion) throws(HarnessError) {
    guard recorded.isEmpty else { return }
    let files = try makeFiles(.stop)
    _ = try files.start(version)
    try files.end(.stop)
  }
}

/// An operation with the phase in which it is performed.
package struct PhasedOperation: Hashable {
  var phase: UpgradePhase
  var operation: StoreOperation
}

extension ImplementationDescription.Defaults {
  fileprivate var words: String { "\(revisionIDs.rawValue) with \(collation.rawValue)" }
}
