import Datastore
import JSON
import ObjectMapping
import Testing

/// Stores with more documents than one page of a list, and values of groups.
struct ManyObjectsTests {
  /// A page contains at most 500 documents, one of which is the metadata.
  @Test func everyObjectIsReadOnce() throws {
    let store = try SavesInPartsTests.open(SavesInPartsTests.Failing(offering: [.atomicBatch]))
    var count = 0
    for next in [498, 499, 500, 501, 999, 1000] {
      try store.save(
        SaveRequest(
          inserted: (count..<next).map {
            SavesInPartsTests.object(ObjectID(JSONString("e\($0)")), Int64($0))
          }))
      count = next
      let ids = try store.objects(of: "E").map { $0.id }
      #expect(ids.count == count && Set(ids).count == count, "\(count)")
    }
  }

  @Test(arguments: IncrementalStoreTests.Kind.allCases)
  func floatsAreSummedAsDoubles(kind: IncrementalStoreTests.Kind) throws {
    let model = try ManagedObjectModel([
      EntityDescription("E", attributes: [AttributeDescription("f", .float)])
    ])
    let store = try IncrementalStoreTests.open(
      ObjectHost(kind.make(), RunEnvironment(seed: 1)), model, "file:///floats")
    try store.save(
      SaveRequest(
        inserted: ([1.5, 2.25, -0.5] as [Float]).enumerated().map { place, value in
          ManagedObject(
            ObjectID(JSONString("e\(place)")), of: "E", ["f": .attribute(.float(value))])
        }))
    let groups = try store.fetchGroups(
      ObjectFetchRequest("E"),
      GroupRequest(
        [.reckoned(.sum, of: "f", as: "sum"), .reckoned(.average, of: "f", as: "mean")],
        groupBy: []))
    #expect(
      groups == [["sum": .attribute(.double(3.25)), "mean": .attribute(.double(3.25 / 3))]])
  }

  /// An image has exactly one member; an extra member is an error.
  @Test func anImageHasOneMember() throws {
    let image: JSONValue = ["image": "7ff8000000000000"]
    #expect(throws: Never.self) { try AttributeValue(image, of: .double, path: "v") }
    #expect(throws: DecodingFailure.self) {
      try AttributeValue(["image": "7ff8000000000000", "more": 1], of: .double, path: "v")
    }
  }
}
