public import Datastore
public import Replication
internal import Scenarios

extension World {
  /// The implementations that take part in a run.
  public struct Participants {
    /// Makes the store of a replica, without any data.
    ///
    /// The argument is the number of the replica, or of its implementation if the scenario states
    /// it.
    public var makeStore: (_ replica: Int) throws(HarnessError) -> any SimulatedStore
    /// The number of implementations that the replicas take in turn.
    public private(set) var implementationCount = 1
    /// Makes the machine of a session.
    public var makeMachine: (ReplicatorConfiguration) -> any ReplicationMachine
    /// The applications above the stores; nil in a run without applications.
    package var applications: (any ApplicationSimulation)?

    /// Creates participants.
    public init(
      makeStore: @escaping (_ replica: Int) throws(HarnessError) -> any SimulatedStore,
      makeMachine: @escaping (ReplicatorConfiguration) -> any ReplicationMachine = {
        Replicator($0)
      }
    ) {
      self.makeStore = makeStore
      self.makeMachine = makeMachine
    }

    /// Creates participants whose replicas take implementations in turn: replica 0 the first one,
    /// replica 1 the second one, and again the first one after the last.
    ///
    /// - Parameter makers: make a store of each implementation, without any data; at least one.
    public init(inTurn makers: [() throws(HarnessError) -> any SimulatedStore]) {
      self.init(makeStore: { replica throws(HarnessError) in
        guard !makers.isEmpty else { throw HarnessError("a run needs an implementation") }
        return try makers[replica % makers.count]()
      })
      implementationCount = max(1, makers.count)
    }

    /// The same participants, with applications above their stores.
    package func running(_ applications: any ApplicationSimulation) -> Participants {
      var participants = self
      participants.applications = applications
      return participants
    }

    /// Replicas of the model.
    public static var model: Participants {
      Participants(makeStore: { _ in ModelReplica() })
    }

    /// The argument of `makeStore` for a replica of a scenario.
    func implementation(
      of replica: Int, _ scenario: Scenario
    ) throws(HarnessError) -> Int {
      let implementation = scenario.implementation(of: replica)
      guard
        implementationCount == 1 || scenario.implementations.isEmpty
          || implementation < implementationCount
      else {
        throw HarnessError(
          "replica \(scenario.replicas[replica]) of the scenario has implementation "
            + "\(implementation + 1), but the run has \(implementationCount) implementations")
      }
      return implementation
    }
  }
}
