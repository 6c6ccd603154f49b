import Datastore
import JSON
import ReferenceDatastore
import Replication
import Scenarios
import Testing

@testable import Simulation

struct ExplorerTests {
  /// These numbers change only with the moves, the equality of states, or the protocol; document
  /// the reason for each change.
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

  /// Replicas are symmetric: a write at one replica is one state, whichever replica it is.
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

  /// The revision id of a second client's write sorts before, after, or equals that of the first.
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

  /// Two explorations of one scope have equal reports.
  @Test func twoExplorationsAgree() throws {
    let scope = ExplorationScope(operations: 1, sessions: 1, faults: 1)
    var (one, other) = (Explorer(scope), Explorer(scope))
    #expect(try one.explore() == nil)
    #expect(try other.explore() == nil)
    #expect(one.report == other.report)
  }
}
