import Collections
import Datastore
import Rendering
import Testing

@testable import ObjectSimulation

struct MigrationPageTests {
  private static func results(
    _ scopes: [MigrationScope]
  ) throws -> [(scope: MigrationScope, report: MigrationReport, finding: MigrationFinding?)] {
    try scopes.map { scope in
      var explorer = MigrationExplorer(scope)
      let finding = try explorer.explore()
      return (scope, explorer.report, finding)
    }
  }

  private static func page(_ atlas: MigrationAtlas, isStopped: Bool = false) -> String {
    MigrationPage(
      atlas, isStopped: isStopped, command: "touchstone migrations", program: "touchstone 1"
    ).html
  }

  private static let scopes = [false, true].flatMap { keepsIDs in
    [
      MigrationScope(flag: .settings, keepsIDs: keepsIDs, interruptions: 1),
      MigrationScope(flag: nil, deletesLocally: true, keepsIDs: keepsIDs, interruptions: 1),
    ]
  }

  /// The points of the page are the paths of an exploration with one interruption.
  @Test func thePointsAreThePaths() throws {
    let results = try Self.results(Self.scopes)
    let atlas = try MigrationAtlas(results)
    for ending in atlas.endings {
      #expect(ending.cells.count == ending.report.ways)
      let repeating = ending.cells.count { cell in
        if case .duplicates = cell.outcome { true } else { false }
      }
      #expect(repeating == ending.report.repeating)
      #expect((repeating > 0) == !ending.scope.keepsIDs)
    }
    let reader = PageReader(Self.page(atlas))
    #expect(reader.problems == [])
    let paths = atlas.endings.reduce(0) { $0 + $1.report.ways }
    #expect(reader.texts["h1"]?.first?.hasPrefix("0 lost objects in \(paths) paths, ") == true)
    let cells = reader.texts["td"] ?? []
    let complete = atlas.endings.flatMap(\.cells).count { $0.outcome == .complete }
    #expect(cells.count { $0 == "complete" } == complete)
    #expect(cells.contains("2 duplicates") && cells.contains("3 duplicates"))
  }

  /// There is a drawing for each kind of interruption and outcome.
  @Test func thePaths() throws {
    let atlas = try MigrationAtlas(try Self.results(Self.scopes))
    let kinds = Set(atlas.examples.map { "\($0.point.kind) \($0.outcome.tone)" })
    #expect(
      kinds == [
        "none good", "crash good", "crash odd", "crashInSave odd", "crashInSave good", "retry odd",
        "retry good",
      ])
    let crash = try #require(
      atlas.examples.first { $0.point.kind == .crashInSave && $0.outcome.isRepeating })
    let words = MigrationPage.picture(crash).rows.map(\.words)
    let at = try #require(words.firstIndex { $0.hasPrefix("crash: ") })
    #expect(words[at - 1].hasSuffix("the request never arrives") || words[at - 2].hasPrefix("POST"))
    #expect(words[at + 1] == "the application starts the migration")
    #expect(words.last?.contains("2× part 0.") == true)
  }

  @Test func recordingChangesNothing() throws {
    let scope = MigrationScope(deletesLocally: true)
    let ways: [[MigrationInterruption]] = [
      [], [MigrationInterruption(steps: 4)],
      [
        MigrationInterruption(steps: 3, outcomes: [.answered, .lost], dies: false),
        MigrationInterruption(steps: 2),
      ],
    ]
    for way in ways {
      let (unseen, recorder) = (try MigrationTrial(scope), MigrationRecorder())
      let seen = try MigrationTrial(scope, recorder: recorder)
      #expect(try unseen.run(way) == (try seen.run(way)))
      #expect(unseen.stepCount == seen.stepCount && unseen.extra == seen.extra)
      #expect(unseen.deaths == seen.deaths)
      #expect(recorder.path.steps.count == seen.stepCount)
      #expect(recorder.path.events.count { $0 == .crash } == seen.deaths)
    }
  }

  /// A finding is the heading, and its path is drawn with its interruptions.
  @Test func aFinding() throws {
    let way = [MigrationInterruption(steps: 4), MigrationInterruption(steps: 2)]
    let finding = MigrationFinding(way: way, sentence: "<b>recipe 0</b> is lost")
    var report = MigrationReport()
    report.ways = 7
    let atlas = try MigrationAtlas([(Self.scopes[0], report, finding)])
    let html = Self.page(atlas, isStopped: true)
    let reader = PageReader(html)
    #expect(reader.problems == [])
    #expect(
      reader.texts["h1"] == ["&lt;b&gt;recipe 0&lt;/b&gt; is lost (stopped before the end)"])
    #expect(reader.texts["bad"]?.contains("&lt;b&gt;recipe 0&lt;/b&gt; is lost") == true)
    #expect(
      reader.texts["summary"]?.contains { $0.contains("after 4 steps, crash, then after 2 steps") }
        == true)
    #expect(reader.texts["p"]?.contains("Not explored.") == true)
  }

  @Test func aStoppedExplorationIsIncomplete() throws {
    var explorer = MigrationExplorer(MigrationScope())
    var looks = 0
    let finding = try explorer.explore {
      looks += 1
      return looks > 5
    }
    #expect(finding == nil && !explorer.isComplete && explorer.report.ways == 5)
    var sampled = MigrationExplorer(MigrationScope())
    #expect(try sampled.sample(10, seed: 1) { true } == nil)
    #expect(!sampled.isComplete)
  }
}
