#if HTTP
  internal import CouchDBDatastore
  internal import Datastore
  internal import JSON
  internal import ReferenceDatastore
  internal import Simulation

  /// A replica of a simulation on a server that can be killed.
  final class ServerReplica: SimulatedStore {
    private let server: CouchDBDatastore
    let implementation: any ImplementationUnderTest
    let deviations: [Deviation]
    /// The number of kills before the last time that all copies were equal.
    private var settledCount = 0
    /// The draw of the latest kill during an operation.
    private var lastDraw: UInt64?

    init(_ server: CouchDBDatastore, deviations: [Deviation]) {
      (self.server, self.deviations) = (server, deviations)
      implementation = StaleAnswerLayer.over(server, deviations: deviations)
      (implementation as? StaleAnswerLayer)?.isDisturbed = { [unowned self] in isDisturbed }
    }

    var isDisturbed: Bool {
      server.copies > 1 && implementation is StaleAnswerLayer && server.killCount > settledCount
    }

    func settle() throws(HarnessError) {
      guard implementation is StaleAnswerLayer else { return }
      try server.settle()
      settledCount = server.killCount
    }

    func beginRun(_ label: JSONString) throws(HarnessError) {
      // A node may still be away since the last run.
      try settle()
      try implementation.begin(.run(label))
    }

    /// Kills the server while it performs the operation, at a moment of the first milliseconds.
    func performCrashing(
      _ operation: StoreOperation, _ environment: RunEnvironment, kind: CrashKind, draw: UInt64
    ) throws(HarnessError) -> Outcome? {
      // A kill that the store survived is over.
      guard draw != lastDraw else { return try implementation.perform(operation, environment) }
      lastDraw = draw
      let outcome = try server.performKilled(
        operation, environment, delayMicroseconds: UInt32(draw % Self.delayMicrosecondsMax))
      guard let layer = implementation as? StaleAnswerLayer else { return outcome }
      guard let outcome else {
        layer.crashed(during: operation)
        return nil
      }
      return try layer.settled(outcome, of: operation, environment)
    }

    /// Most requests take less.
    private static let delayMicrosecondsMax: UInt64 = 6_000
  }
#endif
