public import Datastore
internal import JSON
public import ObjectMapping
public import Replication

/// The error of a replication that cannot start, or that ended with a failure.
public struct ObjectReplicatorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons for which a replication cannot start, or failed.
  public enum Reason: Hashable, Sendable {
    /// A replicator can be started once only.
    case alreadyStarted
    /// The remote cannot be reached.
    case unreachable
    /// The replication ended with an error.
    case failed
  }

  /// The reason.
  public let reason: Reason
  /// A message for people.
  public let message: String

  /// Creates an error.
  public init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  public var description: String { message }
}

/// Receives the events of a replication.
///
/// Source: `CDTReplicatorDelegate`.
public protocol ObjectReplicatorDelegate: AnyObject {
  /// Called after a change of the state.
  func replicatorDidChangeState(_ replicator: ObjectReplicator)
  /// Called after a change of the progress.
  func replicatorDidChangeProgress(_ replicator: ObjectReplicator)
  /// Called when the replication has ended without a failure.
  func replicatorDidComplete(_ replicator: ObjectReplicator)
  /// Called when the replication has failed.
  func replicatorDidFail(_ replicator: ObjectReplicator)
}

/// Pushes the objects of a store to a remote, or pulls them from it.
///
/// It works below the objects: contexts are stale until they are refreshed, and conflicts are left
/// to `processConflicts`. A sync is a push and a pull in either order. It has no thread: the caller
/// calls `step` while it `isActive`, and pauses advance the clock of the store's environment. The
/// remote is any peer: another store of this process, or a database of a server.
///
/// Source: CDTIncrementalStore's guide, `CDTISReplicator`.
public final class ObjectReplicator {
  /// The store whose objects are replicated.
  public let store: IncrementalStore
  /// The direction: a push or a pull.
  public let direction: ReplicationTurn.Direction
  /// The receiver of events.
  public weak var delegate: (any ObjectReplicatorDelegate)?

  private let target: ReplicationTarget
  private let own: Peer
  private let configuration: ReplicatorConfiguration
  private var machine: Replicator
  /// The peer of the remote, as of the start.
  private var other: (any ReplicationPeer)?
  private var effects: [ReplicatorEffect] = []

  /// Creates a replicator of a store.
  ///
  /// - Parameter target: the remote, as the source of a pull or the target of a push.
  init(
    _ direction: ReplicationTurn.Direction, of store: IncrementalStore, target: ReplicationTarget,
    configuration: ReplicatorConfiguration
  ) {
    self.direction = direction
    self.store = store
    self.target = target
    self.configuration = configuration
    own = Peer(store.host.datastore, store: store.name)
    machine = Replicator(configuration)
  }

  /// The state of the replication.
  public var state: ReplicatorState { machine.state }
  /// The counts of the replication so far.
  public var report: ReplicationReport { machine.report }
  /// Whether steps remain; false in every final state, and before the start.
  public var isActive: Bool { state == .started || state == .stopping }

  /// Starts the replication; if it throws, nothing was or will be sent.
  public func start() throws(ObjectReplicatorError) {
    guard state == .pending else {
      throw ObjectReplicatorError(.alreadyStarted, "a replicator can be started only once")
    }
    let other: any ReplicationPeer
    do throws(HarnessError) { other = try target.connect() } catch {
      throw ObjectReplicatorError(.unreachable, error.message)
    }
    self.other = other
    var configuration = configuration
    configuration.restrict(
      source: direction == .push ? own : other, target: direction == .push ? other : own)
    machine = Replicator(configuration)
    handle(.start(session: Self.session(store.host.environment)))
  }

  /// Starts the replication and performs all its steps, on the calling thread.
  ///
  /// Returns the counts. Throws `failed` if it ended with an error, and does not return for a
  /// continuous replication that is not stopped by its delegate.
  @discardableResult
  public func run() throws(ObjectReplicatorError) -> ReplicationReport {
    try start()
    while isActive {
      do throws(HarnessError) { try step() } catch {
        throw ObjectReplicatorError(.failed, error.message)
      }
    }
    guard state != .error else {
      throw ObjectReplicatorError(
        .failed, "the replication failed: \(report.failures.last?.reason ?? "no response")")
    }
    return report
  }

  /// Returns the conflicts of the objects of the store after a pull, for a merge policy.
  ///
  /// - Parameter context: any context over the store of this replicator; the conflicts are those of
  ///   the context's store. Its `resolve` and `save` write the decision.
  public func processConflicts(with context: ManagedObjectContext) throws(ContextError)
    -> [MergeConflict]
  {
    try context.processConflicts()
  }

  /// Requests the end of the replication; requests in transit are awaited.
  public func stop() { handle(.cancel) }

  /// Performs the next step: sends one request, or lets a pause pass.
  ///
  /// Without a pause of the target, a continuous replicator that waits for a change does nothing.
  public func step() throws(HarnessError) {
    guard isActive, !effects.isEmpty, let other else { return }
    let environment = store.host.environment
    // Time passes only if no other step is possible.
    let next = effects.firstIndex { if case .send = $0 { true } else { false } } ?? 0
    switch effects.remove(at: next) {
    case .send(let number, let side, let request, _):
      let isHere = (side == .source) == (direction == .push)
      let peer: any ReplicationPeer = isHere ? own : other
      let response = try peer.answer(request, environment)
      handle(
        response.map { .response(number, $0) } ?? .lost(number, reason: "no response"))
    case .wait(let timer, let nanoseconds):
      if case .poll = timer, target.pause == nil { return }
      environment.nowNanoseconds += nanoseconds.lowerBound
      target.pause?(nanoseconds.lowerBound)
      handle(.timer(timer))
    }
  }

  private func handle(_ event: ReplicatorEvent) {
    let (before, processed) = (state, report.processed)
    effects += machine.handle(event)
    if report.processed != processed { delegate?.replicatorDidChangeProgress(self) }
    guard state != before else { return }
    delegate?.replicatorDidChangeState(self)
    switch state {
    case .complete, .stopped: delegate?.replicatorDidComplete(self)
    case .error: delegate?.replicatorDidFail(self)
    case .pending, .started, .stopping: break
    }
  }

  private static func session(_ environment: RunEnvironment) -> JSONString {
    let text = environment.randomBytes(16).map { byte in
      let digits = String(byte, radix: 16)
      return byte < 16 ? "0" + digits : digits
    }
    return JSONString(text.joined())
  }
}

extension IncrementalStore {
  /// A replicator that copies the changes of a remote to this store.
  ///
  /// Source: CDTIncrementalStore's guide, `replicatorThatPullsFromURL:withError:`.
  public func replicatorThatPulls(
    from remote: ReplicationTarget, _ configuration: ReplicatorConfiguration = .init()
  ) -> ObjectReplicator {
    ObjectReplicator(.pull, of: self, target: remote, configuration: configuration)
  }

  /// A replicator that copies the changes of this store to a remote.
  ///
  /// Source: CDTIncrementalStore's guide, `replicatorThatPushesToURL:withError:`.
  public func replicatorThatPushes(
    to remote: ReplicationTarget, _ configuration: ReplicatorConfiguration = .init()
  ) -> ObjectReplicator {
    ObjectReplicator(.push, of: self, target: remote, configuration: configuration)
  }
}
