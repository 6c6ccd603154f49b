import Datastore
import JSON
import ObjectMapping
import ObjectOperations
import ReferenceDatastore
import Simulation
import TestSeeds
import Testing

@testable import ObjectSimulation

struct ObjectPageTests {
  private static func page(_ record: JourneyRecord) -> String {
    ObjectPage(
      of: "store", record, journeys: 3, objects: 60, command: "touchstone objects --seeds 1",
      program: "touchstone 1"
    ).html
  }

  /// A store that lists the operations it received.
  private final class Listening: ImplementationUnderTest {
    let inner: any ImplementationUnderTest
    private(set) var operations: [StoreOperation] = []

    init(_ inner: any ImplementationUnderTest) { self.inner = inner }

    var description: ImplementationDescription { inner.description }
    func reset() throws(HarnessError) { try inner.reset() }
    func crash(_ kind: CrashKind) throws(HarnessError) { try inner.crash(kind) }
    func shutdown() throws(HarnessError) { try inner.shutdown() }

    func perform(
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) throws(HarnessError) -> Outcome {
      operations.append(operation)
      return try inner.perform(operation, environment)
    }
  }

  /// A recorded journey sends the store the same operations.
  @Test func recordingChangesNothing() throws {
    for seed in RotatingSeeds.next(4) {
      let (first, second) = (Listening(ReferenceDatastore()), Listening(ReferenceDatastore()))
      let loss = try ObjectJourney(ObjectDatastore(first), objectCount: 6).run(seed: seed)
      let record = try ObjectJourney(ObjectDatastore(second), objectCount: 6).record(ofSeed: seed)
      #expect(loss == record.loss)
      #expect(first.operations == second.operations && first.operations.count > 50)
      #expect(record.tracks.count == 6)
    }
  }

  /// The page has the model, each object with both forms, and all stages.
  @Test func aJourneyWithoutLoss() throws {
    let journey = ObjectJourney(ObjectDatastore(ReferenceDatastore()), objectCount: 6)
    let record = try journey.record(ofSeed: 3)
    let html = Self.page(record)
    let reader = PageReader(html)
    #expect(reader.problems == [])
    #expect(reader.texts["h1"] == ["store: 0 lost values in 3 journeys, 60 objects"])
    #expect(reader.texts["bad"] == nil && reader.texts["lossy"] == nil)
    let names = reader.texts["h3"] ?? []
    #expect(names == record.model.entities.map { $0.name.string })
    for stage in ["decoded, fixed form", "decoded, released form", "reopened", "by URI"] {
      #expect(reader.texts["th"]?.contains { $0.hasSuffix(stage) } == true, "\(stage)")
    }
    let summaries = reader.texts["summary"] ?? []
    for track in record.tracks {
      let title = "\(track.object.id.text) (\(track.object.entity))"
      #expect(summaries.contains(title), "\(title)")
      #expect(Set(track.documents.filter { $0.store == nil }.map(\.form)) == [nil, "released"])
    }
    #expect(summaries.contains { $0.hasPrefix("Document, released form") })
    #expect(html == Self.page(record))
  }

  /// A value that a store loses when it reads a document is red in the column of that stage.
  @Test func aLostValue() throws {
    let store = ObjectJourneyTests.Forgetful { body in
      // Empty texts are treated as missing.
      JSONObject(body.members.filter { $0.value != "" }.map { ($0.name, $0.value) })
    }
    let journey = ObjectJourney(ObjectDatastore(store), objectCount: 8)
    let seed = try #require(
      try (UInt64(1)...12).first { seed in try journey.run(seed: seed) != nil })
    let loss = try #require(try journey.run(seed: seed))
    let record = try journey.record(ofSeed: seed)
    #expect(record.loss == loss)
    let place = try #require(record.lostTrack)
    #expect(record.tracks[place].object.id.json == loss.expected.objectValue?["id"])
    let differences = JourneyDifference.all(of: loss, record.model)
    #expect(!differences.isEmpty)
    for difference in differences {
      #expect(difference.before == "" && difference.after != "")
    }
    let name = try #require(differences.first?.name)
    let reader = PageReader(Self.page(record))
    #expect(reader.problems == [])
    let heading = reader.texts["h1"]?.first ?? ""
    #expect(heading.contains(name.string) || !name.string.isASCII(), "\(heading)")
    #expect(heading.hasSuffix("after it was \(loss.stage)"))
    #expect(reader.texts["bad"]?.contains { $0.hasPrefix("lost: ") } == true)
    #expect(reader.texts["lossy"]?.count == differences.count)
    #expect(reader.texts["words"]?.contains { $0.hasPrefix("not reached: ") } == true)
  }

  @Test func differencesOfDocuments() throws {
    let model = try ManagedObjectModel([EntityDescription("E")])
    func differences(_ expected: JSONValue, _ found: JSONValue) -> [JourneyDifference] {
      JourneyDifference.all(
        of: ObjectJourney.Loss(
          seed: 1, stage: "saved", expected: expected, found: found,
          operation: StoreOperation("home", .close)), model)
    }
    #expect(
      differences(["a": 1, "b": [1, 2]], ["a": 1, "b": [2, 1], "c": true])
        == [
          JourneyDifference(name: "b", before: [1, 2], after: [2, 1]),
          JourneyDifference(name: "c", before: nil, after: true),
        ])
    #expect(
      differences(["a": 1], ["error": "notFound"])
        == [JourneyDifference(name: "", before: ["a": 1], after: ["error": "notFound"])])
    #expect(differences("a", "b") == [JourneyDifference(name: "", before: "a", after: "b")])
  }

  /// Names and values of a store are no markup.
  @Test func hostileTexts() throws {
    let hostile: JSONString = "<script>alert(1)</script>\u{202E}\"'&"
    let model = try ManagedObjectModel([
      EntityDescription(hostile, attributes: [AttributeDescription(hostile, .utf8)])
    ])
    let object = ManagedObject(
      ObjectID(hostile), of: hostile, [hostile: .attribute(.text(hostile))])
    var record = JourneyRecord(seed: 1, model: model)
    var track = JourneyRecord.Track(object: object)
    track.documents = [
      JourneyRecord.Document(
        stage: "saved", store: "home", body: [hostile: .string(hostile)], attachments: [])
    ]
    record.tracks = [track]
    record.lostTrack = 0
    record.loss = ObjectJourney.Loss(
      seed: 1, stage: "saved", expected: object.json, found: .string(hostile),
      operation: StoreOperation("home", .read(id: DocumentID(hostile))))
    let html = Self.page(record)
    #expect(PageReader(html).problems == [])
    #expect(!html.contains("<script>alert") && !html.contains("\u{202E}"))
    #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
  }
}

extension String {
  fileprivate func isASCII() -> Bool { utf8.allSatisfy { $0 < 0x80 } }
}
