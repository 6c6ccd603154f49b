#if HTTP
  internal import CouchDBDatastore
  internal import Datastore
  internal import JSON
  internal import ReferenceDatastore
  internal import Simulation

  /// A replica of a simulation on a server that can be killed.
  final class ServerReplica: SimulatedStore {
    private let server: CouchDBDatastore
    let deviations: [Deviation]

    var implementation: any ImplementationUnderTest { server }

    init(_ server: CouchDBDatastore, deviations: [Deviation]) {
      (self.server, self.deviations) = (server, deviations)
    }

    func beginRun(_ label: JSONString) throws(HarnessError) { try server.begin(.run(label)) }

    /// Kills the server while it performs the operation, at a moment of the first milliseconds.
    func performCrashing(
      _ operation: StoreOperation, _ environment: RunEnvironment, kind: CrashKind, draw: UInt64
    ) throws(HarnessError) -> Outcome? {
      try server.performKilled(
        operation, environment, delayMicroseconds: UInt32(draw % Self.delayMicrosecondsMax))
      return nil
    }

    /// Most requests take less.
    private static let delayMicrosecondsMax: UInt64 = 6_000
  }
#endif
