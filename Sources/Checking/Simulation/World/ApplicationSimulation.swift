package import Datastore
package import Oracles
package import Scenarios

/// The operations of applications above the stores of a simulation, such as edits of objects in
/// contexts.
///
/// The simulation performs these operations without interpreting them.
package protocol ApplicationSimulation: Sendable {
  /// Makes the layer that performs the operations of an application on the store of its replica.
  func makeLayer(over store: any ImplementationUnderTest) -> any ImplementationUnderTest

  /// Whether an operation belongs to the application layer.
  func handles(_ action: StoreAction) -> Bool

  /// Whether a restarted program performs the operation before any other.
  func isOpening(_ action: StoreAction) -> Bool

  /// The operation as a sensible application performs it; nil if it performs none.
  func sensible(
    _ action: StoreAction, at place: Int, for step: StepID, in world: inout World
  ) throws(HarnessError) -> StoreAction?

  /// Makes the counter of the rare events of applications in a run.
  func makeObserver(replicas: Int) -> any EventObserver

  /// Lets the applications resolve open conflicts after all faults.
  func converge(_ world: inout World) throws(HarnessError)

  /// The final objects of the applications; empty for applications without objects.
  func graphs(_ world: inout World) throws(HarnessError) -> [FinalGraph]

  /// Adds the steps of the applications of a scenario.
  func addSteps(to draft: inout SeedDraft)
}
