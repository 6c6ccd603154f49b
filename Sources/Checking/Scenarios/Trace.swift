public import Datastore
public import JSON

/// What was seen of one run, in order: enough to draw it, and to tell where two runs part.
public struct Trace: Hashable, Sendable {
  /// The scenario of the run.
  public var scenario: Scenario
  /// In the order in which they happened.
  public var entries: [Entry] = []
  /// The violations that the oracles found.
  public var findings: [Finding] = []
  /// What became of the acknowledged writes; empty when the run did not come to its end.
  public var writes: [Write] = []

  /// Creates the trace of a run that has not begun.
  public init(_ scenario: Scenario) { self.scenario = scenario }

  /// The last answer of a store to the client of a step; nil when there was none.
  public func outcome(of step: StepID) -> Outcome? {
    for entry in entries.reversed() where entry.step == step {
      if case .performed(_, let outcome) = entry.event { return outcome }
    }
    return nil
  }

  /// One event of a run.
  public struct Entry: Hashable, Sendable {
    /// Nanoseconds since the beginning.
    public var time: UInt64
    /// Where it happened; nil for what happens to the network or to all.
    public var replica: ReplicaName?
    /// What happened.
    public var event: Event
    /// The step that it belongs to.
    public var step: StepID

    /// Creates an entry.
    public init(time: UInt64, replica: ReplicaName?, event: Event, step: StepID) {
      self.time = time
      self.replica = replica
      self.event = event
      self.step = step
    }
  }

  /// Something that must not be.
  public struct Finding: Hashable, Sendable {
    /// The oracle that says so, such as `fate`.
    public var oracle: JSONString
    /// What kind of thing it is: two findings with equal oracle and shape have one cause.
    public var shape: JSONString
    /// What happened, for a reader.
    public var sentence: JSONString
    /// When it was found, in nanoseconds since the beginning.
    public var time: UInt64
    /// The document that it is about, when it is about one.
    public var document: DocumentID?
    /// The finding in a sentence without ids, for readers who do not know the run; nil for none.
    public var plain: JSONString?

    /// Creates a finding.
    public init(
      oracle: JSONString, shape: JSONString, sentence: JSONString, time: UInt64,
      document: DocumentID? = nil, plain: JSONString? = nil
    ) {
      self.oracle = oracle
      self.shape = shape
      self.sentence = sentence
      self.time = time
      self.document = document
      self.plain = plain
    }
  }

  /// An acknowledged write of a client, and what became of it.
  public struct Write: Hashable, Sendable {
    /// The step that wrote.
    public var step: StepID
    /// Where it was acknowledged.
    public var replica: ReplicaName
    /// The id of the document.
    public var id: DocumentID
    /// The revision that was written.
    public var rev: RevisionID
    /// One word, such as `superseded`.
    public var fate: JSONString
    /// The replicas that should know it and do not; empty unless it is lost.
    public var missing: [ReplicaName]

    /// Creates a write with its final state.
    public init(
      step: StepID, replica: ReplicaName, id: DocumentID, rev: RevisionID, fate: JSONString,
      missing: [ReplicaName] = []
    ) {
      self.step = step
      self.replica = replica
      self.id = id
      self.rev = rev
      self.fate = fate
      self.missing = missing
    }
  }
}
