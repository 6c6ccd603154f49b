public import Datastore
public import JSON

extension Trace {
  /// What can be seen of a run. A message is a request and its answer, under one number.
  public enum Event: Hashable, Sendable {
    /// A client did something to the store of the replica.
    case performed(StoreOperation, Outcome)
    /// A session did something to the store of the replica that drives it.
    case served(session: JSONString, StoreOperation, Outcome)
    /// A request left the replica that drives its session.
    case sent(Request)
    /// A request arrived, with what the store made of it.
    case arrived(message: Int64, StoreOperation, Outcome)
    /// An answer that left its store at a time arrived where it was waited for.
    case answered(message: Int64, left: UInt64, said: JSONString)
    /// A message did not arrive, or not as it was sent; observed by its sender, or by
    /// its receiver.
    case spoilt(message: Int64, Leg, Mishap)
    /// A session began.
    case sessionBegan(session: JSONString, Replicate)
    /// The state is one of the replicator, or `gone` with its program.
    case sessionEnded(session: JSONString, state: JSONString, reason: JSONString?)
    /// The replica crashed.
    case crashed(CrashKind)
    /// The replica was restarted.
    case restarted
    /// All faults are over, for good or until a step.
    case calmed
    /// What a directive of another kind did.
    case directed(Directive)
    /// What the store holds of a document after it changed, the winner first.
    case holds(DocumentID, [Branch])
  }

  /// A request of a session on its way to the other replica.
  public struct Request: Hashable, Sendable {
    /// The number of the message.
    public var message: Int64
    /// The session of the request.
    public var session: JSONString
    /// The replica that receives the request.
    public var to: ReplicaName
    /// The name of the operation.
    public var operation: JSONString
    /// Counts the repetitions, from 1.
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

  /// The way of a message.
  public enum Leg: Hashable, Sendable {
    /// From the replica that drives the session to the other one.
    case request
    /// Back to the replica that drives the session.
    case answer
  }

  /// What befell a message.
  public enum Mishap: Hashable, Sendable {
    /// What chance or an override with this key made of it.
    case fate(key: JSONString, Fate)
    /// A partition or a block is between the replicas.
    case wayClosed
    /// The replica that was asked is down.
    case nobodyThere
    /// The session that asked is no more.
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
