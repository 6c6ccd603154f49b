public import JSON
public import Scenarios
public import Simulation

extension World.Participants {
  /// The same participants, with objects and contexts on top of their stores.
  public func withContexts() -> World.Participants { running(ContextApplications()) }
}

extension ScenarioGenerator {
  /// The same generator, with applications that edit objects in contexts instead of clients.
  public func withContexts() -> ScenarioGenerator {
    var generator = self
    generator.applications = ContextApplications()
    return generator
  }
}

extension ScenarioPromotion {
  /// The vector of a scenario of clients or of applications on contexts; the expectations are the
  /// outcomes of the model.
  public static func vector(
    of scenario: Scenario, id: VectorID, clauses: [ClauseID], note: JSONString
  ) throws(Obstacles) -> Vector {
    try vector(
      of: scenario, id: id, clauses: clauses, note: note, applications: ContextApplications())
  }
}
