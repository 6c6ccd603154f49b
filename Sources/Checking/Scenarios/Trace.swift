public import Datastore
public import JSON

/// The recorded events of one run, in order: enough to draw it, and to find where two runs diverge.
public struct Trace: Hashable, Sendable {
  /// The scenario of the run.
  public var scenario: Scenario
  /// The replicas with their implementations; empty if all replicas have the same one.
  public var replicaLabels: [JSONString] = []
  /// The events in order.
  public var entries: [Entry] = []
  /// The violations that the oracles found.
  public var findings: [Finding] = []
  /// The final states of the acknowledged writes; empty if the run was aborted.
  public var writes: [Write] = []
  /// The first event after which nothing avoids the first finding; nil if it was not searched.
  public var pointOfNoReturn: PointOfNoReturn?

  /// Creates the trace of a run that has not begun.
  public init(_ scenario: Scenario) { self.scenario = scenario }

  /// The last outcome of the operation of a step; nil if there was none.
  public func outcome(of step: StepID) -> Outcome? {
    for entry in entries.reversed() where entry.step == step {
      if case .performed(_, let outcome) = entry.event { return outcome }
    }
    return nil
  }

  /// One event of a run.
  public struct Entry: Hashable, Sendable {
    /// The time since the beginning, in nanoseconds.
    public var time: UInt64
    /// The replica of the event; nil for events of the network or of all replicas.
    public var replica: ReplicaName?
    /// The event.
    public var event: Event
    /// The step that caused it.
    public var step: StepID

    /// Creates an entry.
    public init(time: UInt64, replica: ReplicaName?, event: Event, step: StepID) {
      self.time = time
      self.replica = replica
      self.event = event
      self.step = step
    }
  }

  /// A violation.
  public struct Finding: Hashable, Sendable {
    /// The oracle that reports it, such as `fate`.
    public var oracle: JSONString
    /// The kind of the violation: two findings with equal oracle and shape have one cause.
    public var shape: JSONString
    /// The violation in a sentence.
    public var sentence: JSONString
    /// The time of detection, in nanoseconds since the beginning.
    public var time: UInt64
    /// The document that it concerns; nil if it concerns none or several.
    public var document: DocumentID?
    /// The finding in a sentence without ids, for readers who do not know the run; nil if there is
    /// none.
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

  /// An acknowledged write of a client, and its final state.
  public struct Write: Hashable, Sendable {
    /// The step that wrote.
    public var step: StepID
    /// The replica that acknowledged it.
    public var replica: ReplicaName
    /// The id of the document.
    public var id: DocumentID
    /// The written revision.
    public var rev: RevisionID
    /// The final state in one word, such as `superseded`.
    public var fate: JSONString
    /// The replicas that lack it although they should have it; empty unless it is lost.
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
