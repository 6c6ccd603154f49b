internal import Datastore
internal import Oracles
internal import Scenarios
internal import Simulation

/// Applications with a mutant in the layer over their store.
struct DefectiveApplications: ApplicationSimulation {
  private let honest: any ApplicationSimulation
  private let name: String
  private let make: @Sendable () -> any Misbehaviour

  init(
    _ honest: any ApplicationSimulation, name: String,
    _ make: @escaping @Sendable () -> any Misbehaviour
  ) {
    self.honest = honest
    self.name = name
    self.make = make
  }

  func makeLayer(over store: any ImplementationUnderTest) -> any ImplementationUnderTest {
    DefectiveDatastore(honest.makeLayer(over: store), name: name, make)
  }

  func handles(_ action: StoreAction) -> Bool { honest.handles(action) }

  func isOpening(_ action: StoreAction) -> Bool { honest.isOpening(action) }

  func sensible(
    _ action: StoreAction, at place: Int, for step: StepID, in world: inout World
  ) throws(HarnessError) -> StoreAction? {
    try honest.sensible(action, at: place, for: step, in: &world)
  }

  func makeObserver(replicas: Int) -> any EventObserver { honest.makeObserver(replicas: replicas) }

  func converge(_ world: inout World) throws(HarnessError) { try honest.converge(&world) }

  func graphs(_ world: inout World) throws(HarnessError) -> [FinalGraph] {
    try honest.graphs(&world)
  }

  func addSteps(to draft: inout SeedDraft) { honest.addSteps(to: &draft) }
}
