import Datastore
import Defects
import JSON
import ReferenceDatastore
import Scenarios
import Testing

@testable import Simulation

/// Mutants whose replication runs end too early, too late or in a needless error, in scenarios
/// without faults; the model has no finding there.
struct SessionCompletionMutantTests {
  private static func create(_ id: DocumentID, _ value: Int64 = 0) -> Directive {
    .perform(at: "a", ClientOperation(.create(id: id, body: ["v": .integer(value)])))
  }

  private static func pull(filter: Filter? = nil, batch: Int64? = nil) -> Directive {
    .replicate(Replicate(source: "a", target: "b", by: "b", filter: filter, batch: batch))
  }

  private static let refuse: Directive = .perform(
    at: "b", ClientOperation(.setValidation(refuse: .bodyFieldEquals(field: "v", value: 2))))

  private static func eight() -> [Directive] {
    (1...8).map { create(DocumentID(JSONString("d\($0)"))) }
  }

  private static let cases: [(mutant: String, directives: [Directive], kind: String)] = [
    (
      "empty-page-ends-feed",
      [create("d1"), create("d2"), pull(filter: .documentIDs(["d2"]), batch: 1)],
      "completion/feed"
    ),
    ("refused-record-ends-session", [refuse, create("d1", 2), pull()], "completion/error"),
    ("ids-without-escapes", [create("d%2F1"), pull()], "checkpoint/ahead"),
    ("stop-ignored", eight() + [pull(batch: 1), .stop("s9")], "completion/stop"),
    ("stop-forgets", eight() + [pull(batch: 1), .stop("s9")], "waste/stop"),
  ]

  private func findings(
    _ directives: [Directive], _ participants: World.Participants
  ) throws -> [String] {
    // A stop arrives while pages are copied.
    let steps = directives.enumerated().map { place, directive in
      var time = Int64(place + 1) * 1000
      if case .stop = directive { time -= 850 }
      return ScenarioStep(StepID(JSONString("s\(place + 1)")), when: time, directive)
    }
    let scenario = Scenario(
      seed: 3, replicas: ["a", "b"], conditions: Conditions(latencyMin: 10, latencyMax: 10),
      steps: steps)
    var world = try World(scenario, participants)
    return try world.run().findings.map { "\($0.oracle)/\($0.shape)" }
  }

  @Test(arguments: cases.map(\.mutant))
  func aMutantIsFound(mutant: String) throws {
    let (_, directives, kind) = try #require(Self.cases.first { $0.mutant == mutant })
    #expect(try findings(directives, .model) == [])
    let defect = try #require(ReplicationDefect.all.first { $0.name == mutant })
    #expect(try findings(directives, defect.applied(to: .model)).first == kind)
  }
}
