import Datastore
import Defects
import Scenarios
import Simulation
import Testing

/// Wrong replicators are found in the smallest scopes in which they can fail.
struct ExplorerDefectTests {
  @Test(arguments: [
    ("deleted-leaves-not-sent", ExplorationScope(operations: 2, sessions: 0, faults: 0), 2),
    ("losing-leaves-not-sent", ExplorationScope(operations: 2, sessions: 0, faults: 0), 2),
    ("final-checkpoint-not-saved", ExplorationScope(operations: 1, sessions: 0, faults: 0), 1),
    ("shared-checkpoint", ExplorationScope(operations: 1, sessions: 0, faults: 0), 1),
    ("missing-item-ignored", ExplorationScope(operations: 1, sessions: 1, faults: 1), 7),
    ("repeated-as-new-edit", ExplorationScope(operations: 1, sessions: 1, faults: 1), 7),
    ("server-error-as-success", ExplorationScope(operations: 1, sessions: 1, faults: 1), 4),
  ])
  func aWrongReplicatorIsFound(name: String, scope: ExplorationScope, length: Int) throws {
    let defect = try #require(ReplicationDefect.all.first { $0.name == name })
    #expect(defect.isOfReplicator)
    var explorer = Explorer(scope, defect.applied(to: .model))
    let found = try #require(try explorer.explore())
    #expect(found.path.count == length)
    var honest = Explorer(scope)
    #expect(try honest.explore() == nil)
    // The path as a run of the simulator, with the same failure.
    let scenario = try #require(try explorer.scenario(of: found))
    var world = try World(Scenario(scenario.json), defect.applied(to: .model))
    #expect(try world.run().findings.contains { $0.oracle == found.oracle })
    var right = try World(scenario, .model)
    #expect(try right.run().findings.isEmpty)
  }
}
