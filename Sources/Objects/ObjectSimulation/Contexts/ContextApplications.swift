package import Datastore
internal import ObjectContexts
internal import ObjectOperations
package import Oracles
package import Scenarios
package import Simulation

/// Applications that store objects as documents, and edit them in contexts.
package struct ContextApplications: ApplicationSimulation {
  private let makeContexts: @Sendable (any ImplementationUnderTest) -> any ImplementationUnderTest

  /// Creates the participants.
  ///
  /// - Parameter makeContexts: adds objects and contexts to the store of a replica.
  package init(
    makeContexts: @escaping @Sendable (any ImplementationUnderTest) -> any ImplementationUnderTest =
      { ContextDatastore($0) }
  ) {
    OperationFamily.registerObjects()
    self.makeContexts = makeContexts
  }

  package func makeLayer(
    over store: any ImplementationUnderTest
  ) -> any ImplementationUnderTest {
    makeContexts(store)
  }

  package func handles(_ action: StoreAction) -> Bool {
    action.objects != nil || action.contexts != nil
  }

  package func isOpening(_ action: StoreAction) -> Bool {
    if case .open? = action.objects { return true }
    if case .open? = action.contexts?.call { return true }
    return false
  }

  package func sensible(
    _ action: StoreAction, at place: Int, for step: StepID, in world: inout World
  ) throws(HarnessError) -> StoreAction? {
    guard let context = action.contexts else { return action }
    return try world.sensible(context, at: place, step).map { .contexts($0) }
  }

  package func makeObserver(replicas: Int) -> any EventObserver {
    ContextProbes(replicas: replicas)
  }

  package func converge(_ world: inout World) throws(HarnessError) { try world.settleContexts() }

  package func graphs(_ world: inout World) throws(HarnessError) -> [FinalGraph] {
    try world.graphs()
  }

  package func addSteps(to draft: inout SeedDraft) { draft.addApplications() }
}
