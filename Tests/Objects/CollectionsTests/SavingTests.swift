import Collections
import Datastore
import JSON
import Testing

/// Saves, loads, queries and removals with a reachable backend.
struct SavingTests {
  @Test func idsAreWrittenBack() throws {
    var kitchen = try Kitchen()
    let requests = try kitchen.perform("Recipe", .save([CollectionObject(["name": "Pancakes"])]))
    #expect(requests == [#"POST Recipe {"name":"Pancakes","ingredients":[]}"#])
    var recipe = try #require(try kitchen.objects().first)
    let id = try #require(recipe.id)
    #expect(id.utf8.count == 24)
    #expect(
      try kitchen.stored("Recipe") == [#"{"_id":"\#(id)","ingredients":[],"name":"Pancakes"}"#])
    // A local change sends nothing; the next save replaces the complete entity.
    recipe.values["name"] = "Crêpes"
    #expect(
      try kitchen.perform("Recipe", .save([recipe]))
        == [#"PUT Recipe/\#(id) {"_id":"\#(id)","name":"Crêpes","ingredients":[]}"#])
    #expect(try kitchen.objects() == [recipe])
  }

  @Test func nothingIsSavedWithoutARequest() throws {
    var kitchen = try Kitchen()
    #expect(try kitchen.perform("Recipe", .save([])) == [])
    #expect(try kitchen.objects() == [])
    #expect(kitchen.report.progress == [CollectionProgress(done: 1, total: 1)])
    #expect(try kitchen.perform("Recipe", .load([])) == [])
    #expect(try kitchen.perform("Recipe", .remove(.objects([]))) == [])
    #expect(try kitchen.perform("Dish", .query(CollectionQuery())) == [])
    #expect(try kitchen.error().reason == .noSuchCollection("Dish"))
  }

  @Test func childrenComeFirst() throws {
    var kitchen = try Kitchen()
    let beef = CollectionObject(tag: "beef", ["name": "beef"])
    let first = CollectionObject(
      ["name": "Stew"],
      related: ["parts": [.object(beef), .object(CollectionObject(["name": "water"]))]])
    let second = CollectionObject(["name": "Burger"], related: ["parts": [.tag("beef")]])
    let requests = try kitchen.perform("Recipe", .save([first, second]))
    #expect(
      requests.map { $0.split(separator: " ")[1] } == [
        "Ingredient", "Ingredient", "Recipe", "Recipe",
      ])
    let objects = try kitchen.objects()
    guard case .object(let savedBeef)? = objects[0].related["parts"]?.first else {
      Issue.record("no beef")
      return
    }
    #expect(objects[1].related["parts"] == [.tag("beef")])
    let id = try #require(savedBeef.id)
    // An object whose references are complete is not delayed by others.
    #expect(requests[2] == #"POST Recipe {"name":"Burger","ingredients":["\#(id)"]}"#)
    #expect(kitchen.report.progress.map { $0.done } == [1, 2, 3, 4])
    #expect(Set(kitchen.report.progress.map { $0.total }) == [4])
  }

  /// A related object with an id is not saved implicitly.
  @Test func knownChildrenAreOnlyMeant() throws {
    var kitchen = try Kitchen()
    let salt = CollectionObject(id: "salt", ["name": "changed"])
    let stew = CollectionObject(["name": "Stew"], related: ["parts": [.object(salt), .id("salt")]])
    #expect(
      try kitchen.perform("Recipe", .save([stew]))
        == [#"POST Recipe {"name":"Stew","ingredients":["salt"]}"#])
  }

  @Test func aMissingTagStopsTheCall() throws {
    var kitchen = try Kitchen()
    let stew = CollectionObject(["name": "Stew"], related: ["parts": [.tag("beef")]])
    #expect(try kitchen.perform("Recipe", .save([stew])) == [])
    #expect(try kitchen.error().reason == .noSuchTag("beef"))
  }

  @Test func failuresAreOfSingleObjects() throws {
    var kitchen = try Kitchen()
    kitchen.session.next = [.answered, .failed(.connectionLost), .answered]
    let objects = ["a", "b", "c"].map { CollectionObject(["name": .text($0)]) }
    try kitchen.perform("Ingredient", .save(objects))
    let error = try kitchen.error()
    #expect(error.code == -1005)
    #expect(error.failures.map { $0.index } == [1])
    #expect(error.succeeded.map { $0.name } == ["a", "c"])
    #expect(error.succeeded.allSatisfy { $0.id != nil })
    #expect(try kitchen.stored("Ingredient").count == 2)
    // The product reports only one error.
    var product = try Kitchen(CollectionOptions(quirks: .product))
    product.session.next = [.answered, .failed(.connectionLost), .answered]
    try product.perform("Ingredient", .save(objects))
    #expect(try product.error().failures.isEmpty)
    #expect(try product.error().succeeded.isEmpty)
    #expect(try product.stored("Ingredient").count == 2)
  }

  @Test func aParentIsNotSavedWithoutItsChild() throws {
    var kitchen = try Kitchen()
    kitchen.session.next = [.refused(BackendResponse(500, ["error": "Down", "description": "no"]))]
    let beef = CollectionObject(["name": "beef"])
    let stew = CollectionObject(["name": "Stew"], related: ["parts": [.object(beef)]])
    #expect(try kitchen.perform("Recipe", .save([stew])).count == 1)
    let error = try kitchen.error()
    #expect(error.reason == .relatedFailed)
    #expect(
      error.failures.map { $0.reason } == [
        .relatedFailed, .backend(status: 500, name: "Down", field: nil),
      ])
    #expect(error.failures.map { $0.index } == [0, nil])
    #expect(try kitchen.stored("Recipe") == [])
  }

  /// In a cycle one object is saved twice, unless ids are known beforehand.
  @Test(arguments: CollectionOptions.IDAssignment.allCases)
  func circles(ids: CollectionOptions.IDAssignment) throws {
    var kitchen = try Kitchen()
    let description = try CollectionDescription(
      "Person",
      properties: [MappedProperty("name"), MappedProperty("friend", to: "Person", isToMany: false)])
    kitchen.session.client.open(description, CollectionOptions(ids: ids))
    let bob = CollectionObject(["name": "Bob"], related: ["friend": [.tag("anna")]])
    let anna = CollectionObject(tag: "anna", ["name": "Anna"], related: ["friend": [.object(bob)]])
    let requests = try kitchen.perform("Person", .save([anna]))
    #expect(
      requests.map { $0.prefix(4) }
        == (ids == .client ? ["PUT ", "PUT "] : ["POST", "POST", "PUT "]))
    let saved = try #require(try kitchen.objects().first)
    guard case .object(let friend)? = saved.related["friend"]?.first else {
      Issue.record("no friend")
      return
    }
    let stored = try kitchen.stored("Person")
    #expect(stored.contains { $0.contains(#""friend":"\#(friend.id ?? "")""#) })
    #expect(stored.contains { $0.contains(#""friend":"\#(saved.id ?? "")""#) })
    #expect(kitchen.report.progress.last == CollectionProgress(done: 2, total: 2))
  }

  @Test func mapping() throws {
    var kitchen = try Kitchen()
    try kitchen.store("Ingredient", "1", ["name": "salt", "color": "white", "qty": 3])
    try kitchen.store("Ingredient", "2", ["name": .null])
    try kitchen.perform("Ingredient", .query(CollectionQuery()))
    let objects = try kitchen.objects()
    #expect(objects[0].values == ["name": "salt", "quantity": 3])
    #expect(objects[0].unknownFields == ["color": "white"])
    #expect(objects[1].values == ["name": .null, "quantity": 1])
    var salt = objects[0]
    salt.values["mood"] = "good"
    #expect(
      try kitchen.perform("Ingredient", .save([salt]))
        == [#"PUT Ingredient/1 {"_id":"1","name":"salt","qty":3,"color":"white"}"#])
    #expect(objects[0].changedProperties(to: salt, of: try Kitchen.ingredients()) == ["mood"])
  }

  /// A reference field without ids is kept unchanged.
  @Test func fieldsOfNoIDsAreKept() throws {
    var kitchen = try Kitchen()
    try kitchen.store("Recipe", "1", ["name": "Stew", "ingredients": ["beef", 7]])
    try kitchen.perform("Recipe", .load(["1"]))
    let stew = try #require(try kitchen.objects().first)
    #expect(
      try kitchen.perform("Recipe", .save([stew]))
        == [#"PUT Recipe/1 {"_id":"1","name":"Stew","ingredients":["beef",7]}"#])
  }

  @Test func loadsByID() throws {
    var kitchen = try Kitchen()
    for id in ["a", "b", "c"] {
      try kitchen.store("Ingredient", JSONString(id), ["name": .text(id)])
    }
    #expect(try kitchen.perform("Ingredient", .load(["b"])) == ["GET Ingredient/b"])
    #expect(try kitchen.objects().map { $0.name } == ["b"])
    #expect(
      try kitchen.perform("Ingredient", .load(["c", "x", "a", "c"]))
        == [#"GET Ingredient?query={"_id":{"$in":["c","x","a"]}}"#])
    #expect(try kitchen.objects().map { $0.name } == ["c", "a"])
    try kitchen.perform("Ingredient", .load(["x"]))
    #expect(
      try kitchen.error().reason == .backend(status: 404, name: "EntityNotFound", field: nil))
  }

  @Test func queriesCountsAndGroups() throws {
    var kitchen = try Kitchen()
    let rows: [(JSONString, JSONString, JSONValue)] = [
      ("a", "cup", 2), ("b", "spoon", 1), ("c", "cup", 5), ("d", "cup", 1),
    ]
    for (id, units, quantity) in rows {
      try kitchen.store(
        "Ingredient", id, ["name": .string(id), "units": .string(units), "qty": quantity])
    }
    try kitchen.store("Ingredient", "e", ["name": "e"])
    let query = try QueryTests.built { builder in
      try builder.add("units", exactly: "cup")
      try builder.add("qty", .greater, value: 1)
      try builder.sort(by: "qty", descending: true)
    }
    #expect(
      try kitchen.perform("Ingredient", .query(query)) == [
        #"GET Ingredient?query={"units":"cup","qty":{"$gt":1}}&sort={"qty":-1}"#
      ])
    #expect(try kitchen.objects().map { $0.name } == ["c", "a"])
    #expect(
      try kitchen.perform("Ingredient", .count(query))
        == [#"GET Ingredient/_count?query={"units":"cup","qty":{"$gt":1}}"#])
    #expect(kitchen.count() == 2)
    let functions: [(CollectionGrouping.Function, [JSONValue])] = [
      (.count, [3, 1, 1]), (.sum, [8, 1, 0]), (.minimum, [1, 1, .null]), (.maximum, [5, 1, .null]),
      (.average, [.double(8.0 / 3), 1.0, .null]),
    ]
    for (function, expected) in functions {
      try kitchen.perform(
        "Ingredient",
        .group(CollectionGrouping(by: ["units"], function, of: function == .count ? nil : "qty")))
      guard case .groups(let groups)? = kitchen.report.callbacks.last?.result else {
        Issue.record("no groups")
        continue
      }
      #expect(groups.map { $0["units"] } == ["cup", "spoon", .null])
      #expect(groups.map { $0["result"] } == expected.map { $0 })
    }
  }

  /// Batches: the last is short, and those beyond the end are empty.
  @Test func batches() throws {
    var kitchen = try Kitchen()
    for number in 10..<15 {
      try kitchen.store("Ingredient", JSONString("\(number)"), ["name": "x"])
    }
    var sizes: [Int] = []
    for skip in stride(from: Int64(0), through: 6, by: 2) {
      let query = CollectionQuery(sort: [SortKey("_id")], limit: 2, skip: skip)
      try kitchen.perform("Ingredient", .query(query))
      sizes.append(try kitchen.objects().count)
    }
    #expect(sizes == [2, 2, 1, 0])
  }

  @Test func fieldsBehindReferencesAreNotAsked() throws {
    var kitchen = try Kitchen()
    let query = try QueryTests.built { try $0.add("ingredients.name", exactly: "beef") }
    for call in [CollectionCall.query(query), .count(query), .remove(.query(query))] {
      #expect(try kitchen.perform("Recipe", call) == [])
      guard case .badQuery(let error) = try kitchen.error().reason else {
        Issue.record("expected an error of a query")
        continue
      }
      #expect(error.reason == .relatedField)
      #expect(error.field == "ingredients.name")
    }
    let byID = try QueryTests.built { try $0.add("ingredients", exactly: "beef") }
    try kitchen.store("Recipe", "1", ["ingredients": ["water", "beef"]])
    try kitchen.perform("Recipe", .query(byID))
    #expect(try kitchen.objects().count == 1)
  }

  // MARK: Removal

  @Test func removal() throws {
    var kitchen = try Kitchen(CollectionOptions(removalBatch: 2))
    for id in ["a", "b", "c", "d", "e"] {
      try kitchen.store("Ingredient", JSONString(id), ["name": "x"])
    }
    #expect(try kitchen.perform("Ingredient", .remove(.ids(["a"]))) == ["DELETE Ingredient/a"])
    #expect(kitchen.count() == 1)
    try kitchen.perform("Ingredient", .query(CollectionQuery(limit: 3)))
    let objects = try kitchen.objects()
    #expect(
      try kitchen.perform("Ingredient", .remove(.objects(objects))) == [
        #"DELETE Ingredient?query={"_id":{"$in":["b","c"]}}"#, "DELETE Ingredient/d",
      ])
    #expect(try kitchen.objects().allSatisfy { $0.isDeleted })
    #expect(kitchen.report.progress.map { $0.done } == [1, 2])
    let query = try QueryTests.built { try $0.add("name", exactly: "x") }
    #expect(
      try kitchen.perform("Ingredient", .remove(.query(query)))
        == [#"DELETE Ingredient?query={"name":"x"}"#])
    #expect(kitchen.count() == 1)
    #expect(try kitchen.stored("Ingredient") == [])
    try kitchen.perform("Ingredient", .remove(.ids(["a"])))
    #expect(try kitchen.error().code == 404)
    try kitchen.perform("Ingredient", .remove(.objects([CollectionObject()])))
    #expect(try kitchen.error().reason == .withoutID)
  }

  // MARK: Requests to the backend

  static let refused: [(BackendRequest, Int64, JSONString)] = [
    (BackendRequest(1, .delete, collection: "Recipe"), 400, "BadRequest"),
    (BackendRequest(1, .get, collection: "no/name"), 400, "BadRequest"),
    (BackendRequest(1, .get, collection: "Recipe", path: "_other"), 400, "BadRequest"),
    (BackendRequest(1, .get, collection: "Recipe", path: "none"), 404, "EntityNotFound"),
    (BackendRequest(1, .put, collection: "Recipe"), 404, "ResourceNotFound"),
    (BackendRequest(1, .post, collection: "Recipe", body: [1]), 400, "JSONParseError"),
    (BackendRequest(1, .post, collection: "Recipe", body: ["$a": 1]), 400, "JSONParseError"),
    (
      BackendRequest(1, .get, collection: "Recipe", parameters: ["query": ["f": ["$all": []]]]),
      400,
      "FeatureUnavailable"
    ),
    (
      BackendRequest(1, .get, collection: "Recipe", parameters: ["query": [1]]), 400,
      "InvalidQuerySyntax"
    ),
    (BackendRequest(1, .post, collection: "Recipe", path: "_group", body: [:]), 400, "BadRequest"),
  ]

  @Test(arguments: refused)
  func backendRefuses(request: BackendRequest, status: Int64, name: JSONString) throws {
    let kitchen = try Kitchen()
    let response = try kitchen.backend.answer(request, kitchen.environment)
    #expect(response?.status == status)
    #expect(response?.body.objectValue?["error"] == .string(name))
  }

  @Test func entitiesKeepAnything() throws {
    var kitchen = try Kitchen()
    let fields: JSONObject = [
      "_geoloc": [1.5, 2], "n": 9_223_372_036_854_775_807, "deep": ["_a": [.null, true]],
    ]
    try kitchen.store("Recipe", "1", fields)
    #expect(
      try kitchen.stored("Recipe") == [
        #"{"_id":"1","_geoloc":[1.5,2],"deep":{"_a":[null,true]},"n":9223372036854775807}"#
      ])
  }
}
