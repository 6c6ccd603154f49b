public import Datastore

/// The check of a conflict resolver as one line of a test.
///
///     try ConflictResolverCheck { conflict in … }.check(seeds: 1...1000)
public struct ConflictResolverCheck {
  /// Makes the resolver of a device.
  typealias Maker = (_ device: String) throws(HarnessError) -> any ConflictResolver
  /// Prepares one check.
  typealias Preparation = () throws(HarnessError) -> Maker
  /// A resolver as a closure; an error that it throws breaks the guarantee `answers`.
  public typealias Closure = @Sendable (DocumentConflict) throws -> ConflictResolution

  let expected: Set<ResolverGuarantee>
  let leaves: ResolvedLeaves
  let prepare: Preparation
  /// The maximum number of leaves of the enumerated conflicts: 2 are 1,000 conflicts, 3 are 11,000.
  public var enumeratedLeaves = 3
  /// The time between two equal questions about the same conflict. It exceeds one second, so that a
  /// clock with seconds shows.
  var pause = Duration.milliseconds(1100)

  /// - Parameters:
  ///   - expected: the guarantees to check; `answers` and `valid` are always checked.
  ///   - leaves: whether the resolver also receives tombstones.
  ///   - timeLimit: the limit of one answer.
  ///   - resolve: the resolver, called in another thread.
  public init(
    expecting expected: Set<ResolverGuarantee> = .all, passing leaves: ResolvedLeaves = .all,
    timeLimit: Duration = .seconds(5), _ resolve: @escaping Closure
  ) {
    self.init(expecting: expected, passing: leaves, timeLimit: timeLimit) { _ in resolve }
  }

  /// Checks a resolver that has state, such as a counter, or the name of its device.
  ///
  /// - Parameters:
  ///   - expected: the guarantees to check; `answers` and `valid` are always checked.
  ///   - leaves: whether the resolver also receives tombstones.
  ///   - timeLimit: the limit of one answer.
  ///   - makeResolver: makes the resolver of a device; called twice for the first device.
  public init(
    expecting expected: Set<ResolverGuarantee> = .all, passing leaves: ResolvedLeaves = .all,
    timeLimit: Duration = .seconds(5),
    forEachDevice makeResolver: @escaping @Sendable (_ device: String) -> Closure
  ) {
    self.init(expecting: expected, passing: leaves) {
      { device in ClosureResolver(limit: timeLimit, makeResolver(device)) }
    }
  }

  /// Checks resolvers of any kind.
  init(
    expecting expected: Set<ResolverGuarantee>, passing leaves: ResolvedLeaves,
    prepare: @escaping Preparation
  ) {
    self.expected = expected.union([.answers, .valid])
    self.leaves = leaves
    self.prepare = prepare
  }

  /// Checks all conflicts of a small domain, and one random conflict for each seed; throws the
  /// broken guarantees, each with a minimal conflict.
  public func check(seeds: ClosedRange<UInt64>) throws(ResolverError) {
    let report: ResolverReport
    do throws(HarnessError) { report = try self.report(seeds: seeds) } catch {
      throw .harness(error)
    }
    if !report.findings.isEmpty { throw .broken(report) }
  }

  /// Checks the same conflicts, and returns the counts and the findings.
  public func report(seeds: ClosedRange<UInt64>) throws(HarnessError) -> ResolverReport {
    let team = try ResolverTeam(prepare())
    defer { team.close() }
    var run = ResolverRun(team, passing: leaves, expected: expected, pause: pause)
    run.enumeratedLeaves = max(2, enumeratedLeaves)
    return try run.report(seeds: seeds)
  }
}

/// The reason why a check of a resolver failed.
public enum ResolverError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Guarantees are broken.
  case broken(ResolverReport)
  /// The resolver could not be asked, so there is no verdict.
  case harness(HarnessError)

  /// The broken guarantees with their conflicts.
  public var description: String {
    switch self {
    case .broken(let report): report.text
    case .harness(let error): "the resolver could not be asked: \(error)"
    }
  }
}
