public import Datastore
public import JSON
public import ObjectMapping
public import Replication

/// Whoever reaches the other store: a network, a simulation, a test.
public protocol ReplicationTarget: AnyObject {
  /// Says whether requests can be sent to a remote at all; nothing has been sent before.
  func connect(to remote: JSONString) throws(ObjectReplicatorError)
  /// Carries a request to the remote; nil when no answer will come.
  func answer(_ request: PeerRequest) -> PeerResponse?
}

/// Why a replication does not begin.
public struct ObjectReplicatorError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    /// Neither the caller nor the store names a remote.
    case noRemote
    /// A replicator lives once.
    case alreadyStarted
    /// Nothing can be sent there.
    case unreachable
  }

  public let reason: Reason
  public let message: String

  public init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  public var description: String { message }
}

/// Hears of a replication.
///
/// Source: `CDTReplicatorDelegate`.
public protocol ObjectReplicatorDelegate: AnyObject {
  func replicatorDidChangeState(_ replicator: ObjectReplicator)
  func replicatorDidChangeProgress(_ replicator: ObjectReplicator)
  func replicatorDidComplete(_ replicator: ObjectReplicator)
  func replicatorDidFail(_ replicator: ObjectReplicator)
}

/// Pushes the objects of a store somewhere, or pulls what is there.
///
/// It works below the objects: contexts are stale until they are refreshed, and conflicts are for
/// `processConflicts`. A sync is a push and a pull in either order. It has no thread: whoever waits calls
/// `step` while it `isActive`, and time passes as it asks for pauses.
///
/// Source: CDTIncrementalStore's guide, `CDTISReplicator`.
public final class ObjectReplicator {
  public let store: IncrementalStore
  public let direction: ReplicationTurn.Direction
  public weak var delegate: (any ObjectReplicatorDelegate)?

  private let target: any ReplicationTarget
  private let remote: JSONString?
  private var machine: Replicator
  private var effects: [ReplicatorEffect] = []

  /// - Parameter remote: where to; nil for the store's own remote.
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
    if !store.host.datastore.description.capabilities.contains(.attachment) {
      configuration.asksForAttachments = false
    }
    machine = Replicator(configuration)
  }

  public var state: ReplicatorState { machine.state }
  public var report: ReplicationReport { machine.report }
  /// Whether something is still to happen; false in every final state, and before the start.
  public var isActive: Bool { state == .started || state == .stopping }

  /// Begins; when it throws, nothing was sent and nothing will be.
  public func start() throws(ObjectReplicatorError) {
    guard state == .pending else {
      throw ObjectReplicatorError(.alreadyStarted, "a replicator is started once")
    }
    let place: JSONString
    do throws(StoreError) { place = try store.target(remote) } catch {
      throw ObjectReplicatorError(.noRemote, error.description)
    }
    try target.connect(to: place)
    handle(.start(session: Self.session(store.host.environment)))
  }

  /// Asks for the end; what is on its way is waited for.
  public func stop() { handle(.cancel) }

  /// Does the next thing: sends one request, or lets a pause pass.
  ///
  /// A continuous replicator that has nothing to do until something changes is left alone.
  public func step() throws(HarnessError) {
    guard isActive, !effects.isEmpty else { return }
    // Time passes when nothing else is left to do.
    let next = effects.firstIndex { if case .send = $0 { true } else { false } } ?? 0
    switch effects.remove(at: next) {
    case .send(let number, let side, let request, _):
      let isHere = (side == .source) == (direction == .push)
      let response =
        isHere
        ? try Peer(store.host.datastore, store: store.name)
          .answer(request, store.host.environment) : target.answer(request)
      handle(
        response.map { .response(number, $0) } ?? .lost(number, reason: "no answer came"))
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
