import Collections
import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// Both columns of the tables of the guide: the fetch request over a local store, and the query of
/// the migrated objects.
struct TableTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let predicate: String?
    let request: @Sendable (inout ObjectFetchRequest) -> Void
    let query: @Sendable (inout QueryBuilder) throws -> Void

    init(
      _ description: String, _ predicate: String? = nil,
      request: @escaping @Sendable (inout ObjectFetchRequest) -> Void = { _ in },
      query: @escaping @Sendable (inout QueryBuilder) throws -> Void
    ) {
      testDescription = description
      self.predicate = predicate
      self.request = request
      self.query = query
    }
  }

  static let rows = [
    Row("Get everything", "TRUEPREDICATE") { _ in },
    Row("Get Ingredients named hamburger", #"name LIKE "hamburger""#) { query in
      try query.add("name", exactly: "hamburger")
    },
    Row("More than 1 cup", #"(units LIKE "cup") AND (quantity > 1)"#) { query in
      try query.add("units", exactly: "cup")
      try query.add("quantity", .greater, value: 1)
    },
    Row("Sort by name", request: { $0.sort = [FetchSortDescriptor("name")] }) { query in
      try query.sort(by: "name")
    },
    Row(
      "Batches of 40, the second",
      request: {
        $0.sort = [FetchSortDescriptor("name")]
        $0.offset = 40
        $0.limit = 40
      }
    ) { query in
      try query.sort(by: "name")
      try query.limit(to: 40)
      try query.skip(40)
    },
    Row("Two conditions on one attribute", "quantity > 1 AND quantity < 4") { query in
      try query.add("quantity", .greater, value: 1)
      try query.add("quantity", .less, value: 4)
    },
    Row("One of some", #"units IN {"cup", "spoon"}"#) { query in
      try query.add("units", .isIn, value: ["cup", "spoon"])
    },
    Row("Either of two", #"units == "spoon" OR quantity == 3"#) { query in
      let units = try QueryTests.built { try $0.add("units", exactly: "spoon") }
      let quantity = try QueryTests.built { try $0.add("quantity", exactly: 3) }
      query.add(any: [units, quantity])
    },
  ]

  private static func world() throws -> MigrationTests.World {
    let model = try ManagedObjectModel([
      EntityDescription(
        "Ingredient",
        attributes: [
          AttributeDescription("name", .utf8), AttributeDescription("units", .utf8),
          AttributeDescription("quantity", .int64),
        ])
    ])
    let world = try MigrationTests.World(model: model) { $0.keepsIDs = true }
    let context = world.context()
    for number in 0..<100 {
      let name = number % 10 == 3 ? "hamburger" : "ingredient \(number * 37 % 100)"
      try context.insert(
        "Ingredient", id: ObjectID(JSONString("i\(100 + number)")),
        [
          "name": .attribute(.text(JSONString(name))),
          "units": .attribute(.text(["cup", "spoon", "pinch"][number % 3])),
          "quantity": .attribute(.integer(Int64(number % 7))),
        ])
    }
    try context.save()
    #expect(try world.migrate() == .done)
    return world
  }

  @Test func bothColumns() throws {
    let world = try Self.world()
    for row in Self.rows {
      var request = ObjectFetchRequest(
        "Ingredient", where: try row.predicate.map { try FetchPredicate(JSONString($0)) })
      row.request(&request)
      let fetched = try world.store.fetch(request).map { $0.id.text }
      let report = try world.device.session.perform(
        .query(try QueryTests.built(row.query)), on: "Ingredient", world.backend,
        environment: world.environment)
      guard case .objects(let objects)? = report.callbacks.last?.result else {
        Issue.record("\(row.testDescription): no objects")
        continue
      }
      #expect(objects.map { $0.id } == fetched, "\(row.testDescription)")
      #expect(!fetched.isEmpty, "\(row.testDescription)")
    }
  }
}
