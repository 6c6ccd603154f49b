public import Datastore
public import JSON

/// What was seen of one run, in order: enough to draw it, and to tell where two runs part.
public struct Trace: Sendable {
  public var scenario: Scenario
  public var entries: [Entry] = []
  public var findings: [Finding] = []

  public init(_ scenario: Scenario) { self.scenario = scenario }

  /// One event of a run.
  public struct Entry: Hashable, Sendable {
    /// Nanoseconds since the beginning.
    public var time: UInt64
    public var replica: ReplicaName
    public var event: Event
    /// The step that it belongs to.
    public var step: StepID

    public init(time: UInt64, replica: ReplicaName, event: Event, step: StepID) {
      self.time = time
      self.replica = replica
      self.event = event
      self.step = step
    }
  }

  public enum Event: Hashable, Sendable {
    /// An operation of a client, or of a session on the store of its own replica.
    case performed(Operation, Outcome)
    /// A message left; the number pairs it with its arrival.
    case sent(message: Int64, to: ReplicaName, Text)
    /// A message arrived, with what the store made of it when it was a request.
    case arrived(message: Int64, from: ReplicaName, Operation?, Outcome?)
    /// A message did not arrive, or not as it was sent.
    case spoilt(message: Int64, key: Text, Fate)
    case sessionBegan(session: Text, source: ReplicaName, target: ReplicaName)
    case sessionEnded(session: Text, state: Text)
    case crashed(CrashKind)
    case restarted
    /// Something else that a directive did.
    case directed(Text)
    /// The leaves of a document after a change, the winner first.
    case leaves(DocumentID, [Leaf])
  }

  /// Something that must not be.
  public struct Finding: Hashable, Sendable {
    /// The oracle that says so, such as `fate`.
    public var oracle: Text
    /// What kind of thing it is: two findings with equal oracle and shape are one mistake.
    public var shape: Text
    /// What happened, for a reader.
    public var sentence: Text
    /// When it was found, in nanoseconds since the beginning.
    public var time: UInt64

    public init(oracle: Text, shape: Text, sentence: Text, time: UInt64) {
      self.oracle = oracle
      self.shape = shape
      self.sentence = sentence
      self.time = time
    }
  }
}
