public import Datastore
public import JSON

/// A run of several replicas: the operations of clients, the faults, and their times.
///
/// Random choices depend on the seed and on their key, such as `r3/1/insertRevisions/d/2/response`;
/// an override replaces the choice with that key. So a step can be removed without changing the
/// others.
public struct Scenario: Hashable, Sendable {
  public var seed: UInt64
  /// The names of the replicas; each has one store of the scenario's name.
  public var replicas: [ReplicaName]
  public var store: StoreName
  /// The default faults of the network and the peers, without overrides.
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

  /// The delivery of one message, in place of the random choice.
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

/// The delivery of a message.
public enum Fate: Hashable, Sendable {
  /// It arrives, once and soon.
  case delivered
  case lost
  /// It arrives twice, the second time after a while.
  case twice
  /// It arrives late, after so many milliseconds.
  case late(Int64)
  /// The peer, or a proxy before it, responds with this status and does not perform the request.
  case status(Int64)
  /// The connection breaks during the response, which is then incomplete.
  case truncated
  /// The answer lacks its last item.
  case partial
  /// Some attachment bytes in it are changed or missing.
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
  /// Whether peers encode their sequences differently in every response.
  public var reencodesSequences = false

  public init(latencyMin: Int64 = 5, latencyMax: Int64 = 50) {
    self.latencyMin = latencyMin
    self.latencyMax = latencyMax
  }
}
