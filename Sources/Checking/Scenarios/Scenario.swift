public import Datastore
public import JSON

/// A run of several replicas: the operations of clients, the faults, and their times.
///
/// Random choices depend on the seed and on their key, such as `r3/1/insertRevisions/d/2/response`;
/// an override replaces the choice with that key. So a step can be removed without changing the
/// others.
public struct Scenario: Hashable, Sendable {
  /// The seed of all random choices.
  public var seed: UInt64
  /// The names of the replicas; each has one store of the scenario's name.
  public var replicas: [ReplicaName]
  /// The number of each replica's implementation, from 0, in the order in which a run names them.
  ///
  /// Empty if the replicas take the implementations in turn.
  public var implementations: [Int]
  /// The name of the store of every replica.
  public var store: StoreName
  /// The default faults of the network and the peers, without overrides.
  public var conditions: Conditions
  /// The steps in the order of their time.
  public var steps: [ScenarioStep]
  /// The deliveries that replace random choices.
  public var overrides: [Override]

  /// Creates a scenario.
  public init(
    seed: UInt64, replicas: [ReplicaName], implementations: [Int] = [],
    store: StoreName = "notes", conditions: Conditions = Conditions(), steps: [ScenarioStep],
    overrides: [Override] = []
  ) {
    self.seed = seed
    self.replicas = replicas
    self.implementations = implementations
    self.store = store
    self.conditions = conditions
    self.steps = steps
    self.overrides = overrides
  }

  /// The number of the implementation of a replica.
  public func implementation(of replica: Int) -> Int {
    implementations.isEmpty ? replica : implementations[replica]
  }

  /// The delivery of one message, in place of the random choice.
  public struct Override: Hashable, Sendable {
    /// The key of the random choice.
    public var key: JSONString
    /// The delivery.
    public var fate: Fate

    /// Creates an override.
    public init(key: JSONString, fate: Fate) {
      self.key = key
      self.fate = fate
    }
  }
}

/// The name of a replica, such as `a`.
public typealias ReplicaName = Identifier<Named.Replica>

/// The name of a step, which does not change if other steps are deleted.
public typealias StepID = Identifier<Named.Step>

extension Named {
  /// Marks the names of replicas.
  public enum Replica: Sendable {}
  /// Marks the names of steps.
  public enum Step: Sendable {}
}

/// The delivery of a message.
public enum Fate: Hashable, Sendable {
  /// It arrives once, within the latency.
  case delivered
  /// It never arrives.
  case lost
  /// It arrives twice, the second time after a while.
  case twice
  /// It arrives late, after this many milliseconds.
  case late(Int64)
  /// The peer, or a proxy before it, responds with this status and does not perform the request.
  case status(Int64)
  /// The connection breaks during the response, which is then incomplete.
  case truncated
  /// The response lacks its last item.
  case partial
  /// Some attachment bytes in it are changed or missing.
  case damaged
}

/// The random faults of a run; rates in thousandths of all messages, times in milliseconds.
public struct Conditions: Hashable, Sendable {
  /// The minimum latency of a message, in milliseconds.
  public var latencyMin: Int64
  /// The maximum latency of a message that is not late, in milliseconds.
  public var latencyMax: Int64
  /// The rate of messages that never arrive.
  public var lost: Int64 = 0
  /// The rate of messages that arrive twice.
  public var twice: Int64 = 0
  /// The rate of messages that arrive late.
  public var late: Int64 = 0
  /// The maximum delay of a late message, in milliseconds.
  public var lateMax: Int64 = 60_000
  /// The rate of requests that get an error status.
  public var status: Int64 = 0
  /// The rate of responses that break off.
  public var truncated: Int64 = 0
  /// The rate of responses without their last item.
  public var partial: Int64 = 0
  /// The rate of messages with damaged attachment bytes.
  public var damaged: Int64 = 0
  /// Whether peers encode their sequences differently in every response.
  public var reencodesSequences = false

  /// Creates conditions without faults.
  public init(latencyMin: Int64 = 5, latencyMax: Int64 = 50) {
    self.latencyMin = latencyMin
    self.latencyMax = latencyMax
  }
}
