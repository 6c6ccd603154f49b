public import Datastore
public import JSON

/// A run of several replicas: what clients, people and the world do to them, and when.
///
/// What chance decides follows from the seed and from what it is for: each choice has a key, such as
/// `r3/1/insertRevisions/d/2/response`, and an override replaces the choice with that key. So a step
/// can be left out, and everything else stays as it was.
public struct Scenario: Hashable, Sendable {
  public var seed: UInt64
  /// The names of the replicas; each has one store of the scenario's name.
  public var replicas: [ReplicaName]
  public var store: StoreName
  /// What the network and the peers do when no override says otherwise.
  public var conditions: Conditions
  /// In the order of their time.
  public var steps: [ScenarioStep]
  public var overrides: [Override]

  public init(
    seed: UInt64, replicas: [ReplicaName], store: StoreName = "notes",
    conditions: Conditions = Conditions(), steps: [ScenarioStep], overrides: [Override] = []
  ) {
    self.seed = seed
    self.replicas = replicas
    self.store = store
    self.conditions = conditions
    self.steps = steps
    self.overrides = overrides
  }

  /// What happens to one message instead of what chance would decide.
  public struct Override: Hashable, Sendable {
    public var key: JSONString
    public var fate: Fate

    public init(key: JSONString, fate: Fate) {
      self.key = key
      self.fate = fate
    }
  }
}

/// The name of a replica, such as `a`.
public typealias ReplicaName = Identifier<Named.Replica>

/// The name of a step, which survives the deletion of its neighbours.
public typealias StepID = Identifier<Named.Step>

extension Named {
  public enum Replica: Sendable {}
  public enum Step: Sendable {}
}

/// What becomes of a message.
public enum Fate: Hashable, Sendable {
  /// It arrives, once and soon.
  case delivered
  case lost
  /// It arrives twice, the second time after a while.
  case twice
  /// It arrives late, after so many milliseconds.
  case late(Int64)
  /// The peer, or something before it, answers a request with this status and does nothing.
  case status(Int64)
  /// The connection breaks in the midst of the answer, which is then none.
  case truncated
  /// The answer lacks its last item.
  case partial
  /// Some of the bytes of attachments in it are other ones, or missing.
  case damaged
}

/// The weather of a run; rates in thousandths of all messages, times in milliseconds.
public struct Conditions: Hashable, Sendable {
  public var latencyMin: Int64
  public var latencyMax: Int64
  public var lost: Int64 = 0
  public var twice: Int64 = 0
  public var late: Int64 = 0
  /// How late a late message is at most.
  public var lateMax: Int64 = 60_000
  public var status: Int64 = 0
  public var truncated: Int64 = 0
  public var partial: Int64 = 0
  public var damaged: Int64 = 0
  /// Whether peers spell their sequences anew in every answer.
  public var reencodesSequences = false

  public init(latencyMin: Int64 = 5, latencyMax: Int64 = 50) {
    self.latencyMin = latencyMin
    self.latencyMax = latencyMax
  }
}
