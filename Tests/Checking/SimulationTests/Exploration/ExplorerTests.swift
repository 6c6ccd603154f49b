import Datastore
import JSON
import ReferenceDatastore
import Replication
import Scenarios
import Testing

@testable import Simulation

struct ExplorerTests {
  /// A change of these numbers is a change of the moves, of what counts as one state, or of the
  /// protocol; each of them wants a reason.
  @Test(arguments: [
    (ExplorationScope(operations: 2, sessions: 1, faults: 0), 110, 5),
    (ExplorationScope(operations: 2, sessions: 1, faults: 1), 664, 5),
    (ExplorationScope(replicas: 3, operations: 2, sessions: 1, faults: 0), 164, 5),
    (ExplorationScope(documents: 2, operations: 2, sessions: 1, faults: 0), 177, 6),
  ])
  func smallScopesAreWithoutFault(scope: ExplorationScope, states: Int, ends: Int) throws {
    var explorer = Explorer(scope)
    #expect(try explorer.explore() == nil)
    #expect(explorer.report.states == states)
    #expect(explorer.report.ends == ends)
    #expect(explorer.report.transitions > explorer.report.states)
  }

  /// Replicas can be exchanged: what one of them alone writes is there once.
  @Test func namesDoNotCount() throws {
    let scope = ExplorationScope(operations: 1, sessions: 0, faults: 0)
    let rules = ExplorerRules(scope) { Replicator($0) }
    let start = ExplorerState(scope, names: ["a", "b"])
    var prints: Set<Fingerprint> = []
    for move in rules.moves(in: start) {
      var state = start
      #expect(state.make(move, rules) == nil)
      prints.insert(CanonicalForm(state, rules).fingerprints().whole)
    }
    #expect(rules.moves(in: start).count == 2)
    #expect(prints.count == 1)
  }

  /// A second writer meets the first below, above and in the same edit.
  @Test func allPlacesOfANameAreTried() throws {
    let scope = ExplorationScope(operations: 2, sessions: 0, faults: 0)
    let rules = ExplorerRules(scope) { Replicator($0) }
    var state = ExplorerState(scope, names: ["a", "b"])
    let first = try #require(rules.moves(in: state).first)
    #expect(state.make(first, rules) == nil)
    let names = rules.moves(in: state).compactMap { move -> RevisionID? in
      guard case .write(1, let action) = move else { return nil }
      var after = state
      guard case .ok(.written(_, let rev)) = after.perform(action, at: 1) else { return nil }
      return rev
    }
    let held = try #require(state.contents[0].documents.first?.revisions.first?.rev)
    #expect(names.count == 3)
    #expect(names.filter { $0 == held }.count == 1)
    let others = names.filter { $0 != held }
    #expect(
      Set(others.map { $0.text.utf8.lexicographicallyPrecedes(held.text.utf8) }) == [true, false])
  }

  /// Looking for the same twice comes to the same.
  @Test func twoExplorationsAgree() throws {
    let scope = ExplorationScope(operations: 1, sessions: 1, faults: 1)
    var (one, other) = (Explorer(scope), Explorer(scope))
    #expect(try one.explore() == nil)
    #expect(try other.explore() == nil)
    #expect(one.report == other.report)
  }
}
