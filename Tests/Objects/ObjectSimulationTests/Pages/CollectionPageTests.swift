import Collections
import Datastore
import JSON
import Oracles
import ReferenceDatastore
import Rendering
import TestSeeds
import Testing

@testable import ObjectSimulation

struct CollectionPageTests {
  private static func recording(
    _ workload: CollectionWorkload, _ store: any ImplementationUnderTest = ReferenceDatastore()
  ) throws -> CollectionPage.Recording {
    CollectionPage.Recording(workload, try workload.run(over: store, records: true))
  }

  private static func page(
    _ recording: CollectionPage.Recording, _ examples: [CollectionPage.Example] = []
  ) -> String {
    CollectionPage(
      of: "<store>", sum: recording.run, runs: 1, recording: recording, examples: examples,
      command: "touchstone collections --seeds <1>", program: "touchstone 1"
    ).html
  }

  /// A recorded run has the same requests, responses, losses and findings.
  @Test func recordingChangesNothing() throws {
    for seed in RotatingSeeds.next(6) {
      let workload = CollectionWorkload(seed: seed)
      let unseen = try workload.run(over: ReferenceDatastore())
      #expect(unseen.trace == nil)
      var seen = try workload.run(over: ReferenceDatastore(), records: true)
      let trace = try #require(seen.trace)
      #expect(trace.entries.count > 100)
      let counts = CollectionLoss.Kind.allCases.map { kind in
        trace.losses.count { $0.kind == kind }
      }
      #expect(
        counts == CollectionLoss.Kind.allCases.map { $0.count(in: unseen.losses) },
        "seed \(seed)")
      seen.trace = nil
      #expect(seen == unseen, "seed \(seed)")
    }
  }

  /// The page has each loss at the request that caused it.
  @Test func everyLossIsDrawn() throws {
    var kinds: Set<CollectionLoss.Kind> = []
    for seed: UInt64 in 1...12 {
      let recording = try Self.recording(CollectionWorkload(seed: seed))
      let trace = try #require(recording.run.trace)
      kinds.formUnion(trace.losses.map(\.kind))
      let reader = PageReader(Self.page(recording))
      #expect(reader.problems == [], "seed \(seed)")
      #expect(reader.texts["lossy"]?.count ?? 0 == trace.losses.count, "seed \(seed)")
      #expect(reader.links.count { $0.hasPrefix("#event-") } == trace.losses.count)
      let picture = CollectionPicture(trace, devices: 3, prefix: "event")
      let rows = picture.drawing().rows
      for (loss, row) in zip(trace.losses, picture.lossRows) {
        #expect(rows[row].words.contains(loss.stamp.string))
        // The row before it, or a loss of the same request, is the request of the device.
        let request = rows[..<row].last { !$0.isLoss }
        #expect(request?.words.contains("of device \(loss.client): status 2") == true)
      }
    }
    #expect(kinds.count == CollectionLoss.Kind.allCases.count)
  }

  /// The page has the figures of the run and the faults of its network.
  @Test func thePageHasTheFigures() throws {
    let recording = try Self.recording(CollectionWorkload(seed: 1))
    let run = recording.run
    let html = Self.page(recording)
    let reader = PageReader(html)
    let numbers = reader.texts["number"] ?? []
    for count in [run.calls, run.requests, run.lostAnswers, run.acknowledged, run.replicated] {
      #expect(numbers.contains("\(count)"), "\(count)")
    }
    #expect(html.ranges(of: "class=\"stub\"").count >= run.lostRequests)
    #expect(html.contains("<title>device") && html.contains("class=\"outage\""))
    #expect(html.contains("is offline") && html.contains("offline queue"))
    #expect(html.contains("a crash") && html.contains("a result from the cache"))
    #expect(html.contains("touchstone collections --seeds &lt;1&gt;"))
    #expect(html == Self.page(recording))
  }

  @Test func anExampleHasOnlyWhatItNeeds() throws {
    let experiment = CollectionExperiment(
      ReferenceDatastore(), clients: 2, steps: 25, hasFaults: true)
    var found: Set<CollectionLoss.Kind> = []
    for seed: UInt64 in 1...40 where found.count < 3 {
      for kind in try experiment.lossKinds(ofSeed: seed) where found.insert(kind).inserted {
        let example = try experiment.example(of: kind, seed: seed)
        let steps = example.recording.workload.steps.count
        #expect((1...12).contains(steps), "\(kind): \(steps) steps")
        #expect(example.recording.run.trace?.losses.contains { $0.kind == kind } == true)
        let reader = PageReader(Self.page(example.recording, [example]))
        #expect(reader.problems == [])
        #expect(reader.texts["stuck"]?.contains { $0.hasPrefix(kind.rawValue) } == true)
      }
    }
    #expect(found.count == 3)
  }

  /// A broken guarantee is the heading and the last line.
  @Test func aFindingIsTheEnd() throws {
    let store = ForgetfulStore()
    let recording = try Self.recording(CollectionWorkload(seed: 1), store)
    let finding = try #require(recording.run.findings.first)
    let reader = PageReader(Self.page(recording))
    #expect(reader.problems == [])
    #expect(reader.texts["h1"]?.first?.hasPrefix("A guarantee is broken: ") == true)
    let trace = try #require(recording.run.trace)
    let rows = CollectionPicture(trace, devices: 3, prefix: "e", finding: finding).drawing().rows
    #expect(rows.last?.words == finding.sentence.string && rows.last?.isLoss == true)
  }

  /// The drawing of a long run has all of its losses.
  @Test func aLongRunIsCut() throws {
    let recording = try Self.recording(CollectionWorkload(seed: 1))
    let trace = try #require(recording.run.trace)
    let picture = CollectionPicture(trace, devices: 3, prefix: "e")
    let short = picture.drawing(limit: 120)
    #expect(short.rows.count < 160 && picture.drawing().rows.count > 300)
    #expect(short.rows.count { $0.isLoss } == trace.losses.count)
    #expect(short.rows.contains { $0.words.hasSuffix("events not shown") })
  }

  /// Texts of a backend are no markup.
  @Test func hostileTexts() {
    let hostile: JSONString = "<script>alert(1)</script>\u{202E}\u{1B}[2J\"'&"
    let key = CollectionLedger.Key("Recipe", hostile)
    var trace = CollectionTrace()
    trace.entries = [
      CollectionTrace.Entry(
        time: 1, device: 0, event: .sent(1, "PUT Recipe/\(hostile)", isRepeat: false)),
      CollectionTrace.Entry(
        time: 2, device: 0,
        event: .performed(
          CollectionTrace.Performed(
            request: 1, arrival: 1, status: 200, isLost: true,
            changes: [CollectionTrace.Change(key: key, before: nil, after: hostile)]))),
    ]
    trace.losses = [
      CollectionLoss(kind: .duplicate, key: key, stamp: hostile, client: 0, arrival: 1)
    ]
    var run = CollectionRun()
    run.trace = trace
    let html = Self.page(CollectionPage.Recording(CollectionWorkload(seed: 1, clients: 1), run))
    let reader = PageReader(html)
    #expect(reader.problems == [])
    #expect(!html.contains("<script>alert") && !html.contains("\u{202E}"))
    #expect(!html.contains("\u{1B}"))
    #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
  }
}
