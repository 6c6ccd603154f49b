public import Datastore
public import JSON
public import ObjectMapping
public import Replication

/// The connection to the remote store: a network, a simulation, a test.
public protocol ReplicationTarget: AnyObject {
  /// Checks that requests can be sent to a remote, before anything is sent.
  func connect(to remote: JSONString) throws(ObjectReplicatorError)
  /// Sends a request to the remote; nil if no response will arrive.
  func answer(_ request: PeerRequest) -> PeerResponse?
}

/// The error of a replication that cannot start.
public struct ObjectReplicatorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons for which a replication cannot start.
  public enum Reason: Hashable, Sendable {
    /// Neither the caller nor the store specifies a remote.
    case noRemote
    /// A replicator can be started once only.
    case alreadyStarted
    /// The remote cannot be reached.
    case unreachable
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
/// calls `step` while it `isActive`, and pauses advance the clock.
///
/// Source: CDTIncrementalStore's guide, `CDTISReplicator`.
public final class ObjectReplicator {
  /// The store whose objects are replicated.
  public let store: IncrementalStore
  /// The direction: a push or a pull.
  public let direction: ReplicationTurn.Direction
  /// The receiver of events.
  public weak var delegate: (any ObjectReplicatorDelegate)?

  private let target: any ReplicationTarget
  private let remote: JSONString?
  private var machine: Replicator
  private var effects: [ReplicatorEffect] = []

  /// Creates a replicator.
  ///
  /// - Parameter remote: the remote; nil for the default of the store.
  public init(
    _ direction: ReplicationTurn.Direction, _ store: IncrementalStore, remote: JSONString? = nil,
    over target: any ReplicationTarget,
    configuration: ReplicatorConfiguration = ReplicatorConfiguration()
  ) {
    self.direction = direction
    self.store = store
    self.target = target
    self.remote = remote
    var configuration = configuration
    let description = store.host.datastore.description
    let capabilities = description.capabilities
    if !capabilities.contains(.attachment) { configuration.asksForAttachments = false }
    if !capabilities.contains(.attachmentPieces) { configuration.usesPieces = false }
    // The other side is a store of the same kind.
    configuration.continuesFeed = !description.restrictions.contains(.changesFromStart)
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
    let place: JSONString
    do throws(StoreError) { place = try store.target(remote) } catch {
      throw ObjectReplicatorError(.noRemote, error.description)
    }
    try target.connect(to: place)
    handle(.start(session: Self.session(store.host.environment)))
  }

  /// Requests the end of the replication; requests in transit are awaited.
  public func stop() { handle(.cancel) }

  /// Performs the next step: sends one request, or lets a pause pass.
  ///
  /// A continuous replicator that waits for a change does nothing.
  public func step() throws(HarnessError) {
    guard isActive, !effects.isEmpty else { return }
    // Time passes only if no other step is possible.
    let next = effects.firstIndex { if case .send = $0 { true } else { false } } ?? 0
    switch effects.remove(at: next) {
    case .send(let number, let side, let request, _):
      let isHere = (side == .source) == (direction == .push)
      let response =
        isHere
        ? try Peer(store.host.datastore, store: store.name)
          .answer(request, store.host.environment) : target.answer(request)
      handle(
        response.map { .response(number, $0) } ?? .lost(number, reason: "no response"))
    case .wait(let timer, let nanoseconds):
      if case .poll = timer, machine.configuration.isContinuous { return }
      store.host.environment.nowNanoseconds += nanoseconds.lowerBound
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
