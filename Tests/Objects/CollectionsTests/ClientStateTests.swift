import Datastore
import JSON
import ReferenceDatastore
import Testing

@testable import Collections

/// Units of a client and of a backend: cache, queue, references, rejections and limits.
struct ClientStateTests {
  @Test func aLastingIDReplacesATemporaryOneInAllResults() {
    var cache = CollectionCache()
    let query = CollectionQuery()
    for collection in ["A", "B"] as [JSONString] {
      for id in ["x", "y"] as [JSONString] {
        cache[EntityKey(collection, id)] = ["_id": .string(id)]
      }
      cache.remember([["_id": "x"], ["_id": "y"]], of: query, in: collection)
    }
    cache.rename(EntityKey("A", "x"), to: "1")
    #expect(cache.result(of: query, in: "A") == [["_id": "1"], ["_id": "y"]])
    #expect(cache.result(of: query, in: "B") == [["_id": "x"], ["_id": "y"]])
  }

  @Test func anEarlierCallDoesNotReplaceALaterOneInTheQueue() {
    var queue = OfflineQueue()
    let key = EntityKey("A", "x")
    for (call, expected) in [(2, 2), (1, 2), (2, 2), (3, 3)] as [(CallNumber, CallNumber)] {
      queue.put(OfflineQueue.Entry(key: key, operation: .save(["n": .integer(call)]), call: call))
      #expect(queue.entries.map { $0.call } == [expected])
    }
  }

  /// An object is a reference only if it has the type and the collection of one.
  @Test func aReferenceNamesItsTypeAndItsCollection() {
    let reference = CollectionReference(
      relation: "parts", collection: "A", isToMany: false, isComputed: false, cascades: false,
      form: .kinveyRef)
    let whole: JSONObject = ["_type": "KinveyRef", "_collection": "A", "_id": "x"]
    #expect(reference.id(of: .object(whole)) == "x")
    for (name, value) in [("_type", "KinveyFile"), ("_collection", "B"), ("_id", 7)]
      as [(JSONString, JSONValue)]
    {
      var other = whole
      other[name] = value
      #expect(reference.id(of: .object(other)) == nil, "\(name)")
      other[name] = nil
      #expect(reference.id(of: .object(other)) == nil, "\(name)")
    }
  }

  /// Client errors map to status 400, a busy store to 503, and all other errors to 500.
  @Test(
    arguments: [
      (.tooLarge(limit: 1), 400), (.badBody, 400), (.badID, 400), (.busy, 503),
      (.storage(.full), 500), (.storage(.io), 500), (.conflict, 500),
    ] as [(DatastoreError.Kind, Int64)])
  func aFaultOfTheStoreHasAStatus(kind: DatastoreError.Kind, status: Int64) {
    #expect(BackendError(DatastoreError(kind)).response.status == status)
  }

  @Test func filtersLieInEachOtherUpTo32() throws {
    func query(_ depth: Int) throws -> CollectionQuery {
      var filter: JSONValue = ["a": 1]
      for _ in 1..<depth { filter = ["$and": [filter]] }
      return try CollectionQuery(parameters: ["query": filter])
    }
    #expect(throws: Never.self) { try query(32) }
    #expect(throws: QueryError.self) { try query(33) }
  }

  @Test func onlyEntitiesThatMeetTheConditionAreGrouped() throws {
    var kitchen = try Kitchen()
    for (id, quantity) in [("a", 1), ("b", 2), ("c", 3)] as [(JSONString, JSONValue)] {
      try kitchen.store("Ingredient", id, ["units": "cup", "qty": quantity])
    }
    let atLeastTwo = try QueryTests.built { try $0.add("qty", .greaterOrEqual, value: 2) }
    try kitchen.perform(
      "Ingredient", .group(CollectionGrouping(by: ["units"], .sum, of: "qty", where: atLeastTwo)))
    guard case .groups(let groups)? = kitchen.report.callbacks.last?.result else {
      Issue.record("no groups")
      return
    }
    #expect(groups.map { $0["result"] } == [5])
  }

  /// A relation to a collection that is not open yields an error without a request.
  @Test func aRelationToAClosedCollectionIsAnError() throws {
    var kitchen = try Kitchen(isComputed: true)
    try kitchen.store("Recipe", "1", ["name": "Stew", "ingredients": ["a"]])
    kitchen.session.client = CollectionClient()
    kitchen.session.client.open(try Kitchen.recipes(isComputed: true))
    #expect(try kitchen.perform("Recipe", .load(["1"])) == ["GET Recipe/1"])
    #expect(
      kitchen.report.fills.map { $0.error?.reason } == [
        CollectionError.notOpen("Ingredient").reason
      ])
  }
}
