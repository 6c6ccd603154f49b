public import Datastore
public import ReferenceDatastore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Repeats reads of a store that may answer from a copy without the latest writes.
///
/// The layer follows the store with the rules and its declared deviations. A read whose answer they do
/// not permit is repeated, up to a limit; the right answer counts. So a stale answer is no failure, and
/// an answer that stays wrong still is one. After a node was killed, the store is not followed until
/// its copies are equal; then a failed request is repeated if that changes nothing more.
public final class StaleAnswerLayer: ImplementationLayer {
  public let base: any ImplementationUnderTest
  private let declared: [Deviation]
  private var hasStaleAnswer = false
  /// The number of stale answers so far.
  public private(set) var staleCount = 0
  /// The longest time after which the right answer came, in milliseconds; it counts the pauses.
  public private(set) var longestWaitMilliseconds = 0
  /// Nil while the state of the store is unknown.
  private var follower: StoreFollower?
  private let pausesMilliseconds: [Int]
  /// Whether copies may differ for longer than the pauses; then an answer cannot be checked.
  public var isDisturbed: () -> Bool = { false }

  /// Creates a layer over a store without data.
  ///
  /// - Parameter pausesMilliseconds: the pauses before the repetitions of an operation.
  public init(
    _ base: any ImplementationUnderTest, deviations: [Deviation],
    pausesMilliseconds: [Int] = standardPausesMilliseconds
  ) {
    (self.base, declared, self.pausesMilliseconds) = (base, deviations, pausesMilliseconds)
    forget()
  }

  /// The store with this layer, if one of its deviations needs it.
  public static func over(
    _ base: any ImplementationUnderTest, deviations: [Deviation]
  ) -> any ImplementationUnderTest {
    deviations.contains(where: \.mayAnswerStale)
      ? StaleAnswerLayer(base, deviations: deviations) : base
  }

  /// The ids of the deviations to which the answers since the last reset are due.
  var occurred: [Deviation.ID] { hasStaleAnswer ? declared.filter(\.mayAnswerStale).map(\.id) : [] }

  public func forget() {
    hasStaleAnswer = false
    follower = StoreFollower(of: base.description, mode: .declared(declared))
  }

  public func crash(_ kind: CrashKind) throws(HarnessError) {
    try base.crash(kind)
    follower?.crashed()
  }

  /// Records an operation with an unknown outcome, and a crash during it.
  public func crashed(during operation: StoreOperation) {
    admit(operation, .unknown)
    follower?.crashed()
  }

  public func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    noteDisturbance()
    let outcome: Outcome
    do throws(HarnessError) {
      outcome = try base.perform(operation, environment)
    } catch {
      // Only a node that went away excuses it.
      noteDisturbance()
      guard error.breakdown != nil, isDisturbed(), operation.action.isRepeatable,
        let outcome = try repeated(operation, environment, since: follower)
      else { throw error }
      return outcome
    }
    return try settled(outcome, of: operation, environment)
  }

  /// Does not follow a store whose copies may differ for longer.
  private func noteDisturbance() {
    guard isDisturbed() else { return }
    follower = nil
    hasStaleAnswer = true
  }

  /// Returns the outcome that counts for an operation of the store below.
  ///
  /// - Parameter outcome: its first outcome.
  public func settled(
    _ outcome: Outcome, of operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    if case .replicate(let turn) = operation.action {
      // What a replicator writes to its own store is not observed.
      if case .start(let start) = turn.event, start.direction == .pull { follower = nil }
      return outcome
    }
    noteDisturbance()
    guard let before = follower, !admit(operation, outcome), operation.action.isRead else {
      return outcome
    }
    return try repeated(operation, environment, since: before) ?? outcome
  }

  /// Performs an operation again until its outcome is permitted; nil if it never is.
  ///
  /// - Parameter before: follows the store before the operation; nil if any outcome is permitted.
  private func repeated(
    _ operation: StoreOperation, _ environment: RunEnvironment, since before: StoreFollower?
  ) throws(HarnessError) -> Outcome? {
    var waited = 0
    // The answers of a deterministic store do not depend on the time.
    let waits = !base.description.isDeterministic
    for pause in pausesMilliseconds {
      if waits {
        usleep(UInt32(pause) * 1000)
        waited += pause
      }
      let outcome: Outcome
      do throws(HarnessError) {
        outcome = try base.perform(operation, environment)
      } catch {
        guard error.breakdown != nil else { throw error }
        continue
      }
      follower = before
      guard admit(operation, outcome) else { continue }
      hasStaleAnswer = true
      staleCount += 1
      longestWaitMilliseconds = max(longestWaitMilliseconds, waited)
      return outcome
    }
    return nil
  }

  /// About 30 s together; copies of a node that was away take seconds.
  public static let standardPausesMilliseconds =
    [5, 10, 20, 50, 100, 200] + Array(repeating: 500, count: 60)

  /// Whether an outcome is permitted; a store with another one is not followed any more.
  @discardableResult
  private func admit(_ operation: StoreOperation, _ outcome: Outcome) -> Bool {
    switch follower?.admit(operation, outcome) {
    case .admitted, nil: return true
    case .inconclusive:
      follower = nil
      return true
    case .violation:
      follower = nil
      return false
    }
  }
}

extension StoreAction {
  /// Whether the action changes nothing more if it is repeated.
  fileprivate var isRepeatable: Bool {
    switch self {
    case .open, .historyLimit, .compact, .flush, .writeLocal: true
    default: isRead
    }
  }
}
