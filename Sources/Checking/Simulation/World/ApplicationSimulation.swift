package import Datastore
package import Oracles
package import Scenarios

/// What applications do above the stores of a simulation, such as editing objects in contexts.
///
/// The simulation carries out their operations without knowing them.
package protocol ApplicationSimulation: Sendable {
  /// Makes what performs the operations of an application over the store of its replica.
  func makeLayer(over store: any ImplementationUnderTest) -> any ImplementationUnderTest

  /// Whether an operation is one of an application.
  func handles(_ action: StoreAction) -> Bool

  /// Whether a program that begins again performs the operation before any other.
  func isOpening(_ action: StoreAction) -> Bool

  /// The operation as a sensible application performs it; nil when it performs none.
  func sensible(
    _ action: StoreAction, at place: Int, for step: StepID, in world: inout World
  ) throws(HarnessError) -> StoreAction?

  /// Makes what counts the rare events of applications in a run.
  func makeObserver(replicas: Int) -> any EventObserver

  /// Lets the applications settle what is open when all faults are over.
  func converge(_ world: inout World) throws(HarnessError)

  /// The objects that the applications find in the end; empty where they keep none.
  func graphs(_ world: inout World) throws(HarnessError) -> [FinalGraph]

  /// Adds what the applications of a scenario do.
  func addSteps(to draft: inout SeedDraft)
}
