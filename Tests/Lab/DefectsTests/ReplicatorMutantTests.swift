import Defects
import Simulation
import Testing

/// Every known mutant of a replicator is killed by exploring its requests.
struct ReplicatorMutantTests {
  /// Mutants that no single event kills, with two events that do, at one request.
  private static let pairs: [String: (setting: String, first: String, second: String)] = [
    // The revision must be replaced and its body removed between two requests.
    "newest-descendants-not-asked": ("plain-1", "source:update:a:0", "source:compact")
  ]

  /// Mutants that vectors kill, but no exploration: the document with attachments is the last one that
  /// a run copies, so that it does not change between two transfers.
  private static let unreached: Set<String> = ["replaced-content-not-sent"]

  @Test func thereAreManyMutants() {
    let names = ReplicationDefect.ofReplicators.map(\.name)
    #expect(names.count >= 60)
    #expect(Set(names).count == names.count)
    for defect in ReplicationDefect.explored {
      #expect(defect.isOfReplicator)
      #expect(defect.clause != nil)
      #expect(defect.sentence.hasSuffix("."))
    }
    let all = Set(ReplicationDefect.all.filter { $0.isOfReplicator }.map(\.name))
    #expect(all.isSubset(of: names))
  }

  @Test(
    arguments: ReplicationDefect.ofReplicators.map(\.name).filter {
      pairs[$0] == nil && !unreached.contains($0)
    })
  func aMutantIsFound(name: String) throws {
    let defect = try #require(ReplicationDefect.ofReplicators.first { $0.name == name })
    var explorer = ReplicatorExplorer(ReplicatorScope(events: 1), defect.applied(to: .model))
    let found = try #require(try explorer.explore())
    // The same events show the failure again. Without the mutant they show none, if they are
    // possible at all: a mutant can make other requests.
    let plan = try #require(ReplicatorPlan(found.plan))
    #expect(try explorer.replay(plan)?.shape == found.shape)
    var healthy = ReplicatorExplorer(ReplicatorScope())
    let honest = try? healthy.replay(plan)
    #expect(honest == .some(nil) || honest == nil)
  }

  @Test(arguments: pairs.keys.sorted())
  func aMutantIsFoundByTwoEvents(name: String) throws {
    let defect = try #require(ReplicationDefect.ofReplicators.first { $0.name == name })
    let (setting, first, second) = try #require(Self.pairs[name])
    var mutant = ReplicatorExplorer(ReplicatorScope(), defect.applied(to: .model))
    var healthy = ReplicatorExplorer(ReplicatorScope())
    var shapes: Set<String> = []
    for request in 1...30 {
      let text = "\(setting) \(request):\(first) \(request):\(second)"
      let plan = try #require(ReplicatorPlan(text))
      // Not every event is possible at every request.
      if let found = try? mutant.replay(plan) { shapes.insert(found.shape) }
      if let found = try? healthy.replay(plan) { Issue.record("\(found.shape) after \(text)") }
    }
    #expect(shapes == ["claim/needless-error"])
  }
}
