public import Datastore
public import JSON
public import ObjectMapping
public import Replication

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

  /// Finds the peer of a remote, before anything is sent.
  public typealias Connect = (
    _ remote: JSONString
  ) throws(HarnessError) -> any ReplicationPeer

  private let connect: Connect
  private let pause: ((_ nanoseconds: UInt64) -> Void)?
  private let remote: JSONString?
  private let own: Peer
  private let configuration: ReplicatorConfiguration
  private var machine: Replicator
  /// The peer of the remote, as of the start.
  private var other: (any ReplicationPeer)?
  private var effects: [ReplicatorEffect] = []

  /// Creates a replicator.
  ///
  /// - Parameters:
  ///   - remote: the remote; nil for the default of the store.
  ///   - pause: waits where a pause must take time, as with servers; nil for no wait.
  ///   - connect: finds the peer of the remote.
  public init(
    _ direction: ReplicationTurn.Direction, _ store: IncrementalStore, remote: JSONString? = nil,
    configuration: ReplicatorConfiguration = ReplicatorConfiguration(),
    pause: ((_ nanoseconds: UInt64) -> Void)? = nil, connect: @escaping Connect
  ) {
    self.direction = direction
    self.store = store
    self.remote = remote
    self.configuration = configuration
    self.pause = pause
    self.connect = connect
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
    let place: JSONString
    do throws(StoreError) { place = try store.target(remote) } catch {
      throw ObjectReplicatorError(.noRemote, error.description)
    }
    let other: any ReplicationPeer
    do throws(HarnessError) { other = try connect(place) } catch {
      throw ObjectReplicatorError(.unreachable, error.message)
    }
    self.other = other
    var configuration = configuration
    configuration.restrict(
      source: direction == .push ? own : other, target: direction == .push ? other : own)
    machine = Replicator(configuration)
    handle(.start(session: Self.session(store.host.environment)))
  }

  /// Requests the end of the replication; requests in transit are awaited.
  public func stop() { handle(.cancel) }

  /// Performs the next step: sends one request, or lets a pause pass.
  ///
  /// Without `pause`, a continuous replicator that waits for a change does nothing.
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
      if case .poll = timer, pause == nil { return }
      environment.nowNanoseconds += nanoseconds.lowerBound
      pause?(nanoseconds.lowerBound)
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
