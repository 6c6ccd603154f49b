public import Datastore
public import JSON

extension Trace {
  /// An event of a run. A message is a request and its response, under one number.
  public enum Event: Hashable, Sendable {
    /// A client performed an operation on the store of the replica.
    case performed(StoreOperation, Outcome)
    /// A session performed an operation on the store of the replica that drives it.
    case served(session: JSONString, StoreOperation, Outcome)
    /// A request left the replica that drives its session.
    case sent(Request)
    /// A request arrived, with its outcome at the store.
    case arrived(message: Int64, StoreOperation, Outcome)
    /// A response arrived at its session; `left` is its departure, in nanoseconds.
    case answered(message: Int64, left: UInt64, said: JSONString)
    /// A message did not arrive, or not as it was sent; recorded at its sender or its receiver.
    case spoilt(message: Int64, Leg, Mishap)
    /// A session began.
    case sessionBegan(session: JSONString, Replicate)
    /// A session ended, with the state of the replicator, or `gone` after a crash of its program.
    case sessionEnded(session: JSONString, state: JSONString, reason: JSONString?)
    /// The replica crashed.
    case crashed(CrashKind)
    /// The replica was restarted.
    case restarted
    /// All faults are over, permanently or until a step.
    case calmed
    /// A directive of another kind took effect.
    case directed(Directive)
    /// The leaves of a changed document in the store, the winner first.
    case holds(DocumentID, [Branch])
  }

  /// A request of a session to the other replica.
  public struct Request: Hashable, Sendable {
    /// The number of the message.
    public var message: Int64
    /// The session of the request.
    public var session: JSONString
    /// The replica that receives the request.
    public var to: ReplicaName
    /// The name of the operation.
    public var operation: JSONString
    /// The number of the attempt, from 1.
    public var attempt: Int

    /// Creates a request.
    public init(
      message: Int64, session: JSONString, to: ReplicaName, operation: JSONString, attempt: Int = 1
    ) {
      self.message = message
      self.session = session
      self.to = to
      self.operation = operation
      self.attempt = attempt
    }
  }

  /// The direction of a message.
  public enum Leg: Hashable, Sendable {
    /// From the replica that drives the session to the other one.
    case request
    /// Back to the replica that drives the session.
    case answer
  }

  /// The fault of a message.
  public enum Mishap: Hashable, Sendable {
    /// The random delivery, or that of an override with this key.
    case fate(key: JSONString, Fate)
    /// A partition or a block separates the replicas.
    case wayClosed
    /// The receiving replica is down.
    case nobodyThere
    /// The session of the request has ended.
    case nobodyWaits
  }

  /// A leaf with its ancestors.
  public struct Branch: Hashable, Sendable {
    /// The revision and its known ancestors, newest first.
    public var path: [RevisionID]
    /// True if the leaf is a tombstone.
    public var deleted: Bool

    /// Creates a branch, live by default.
    public init(path: [RevisionID], deleted: Bool = false) {
      self.path = path
      self.deleted = deleted
    }
  }
}
