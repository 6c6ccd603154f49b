import Collections
import Datastore
import JSON
import Testing

/// Related objects: loaded immediately, or in the background.
struct RelationTests {
  private static func kitchen(
    isComputed: Bool = true, _ options: CollectionOptions = CollectionOptions()
  ) throws -> Kitchen {
    var kitchen = try Kitchen(isComputed: isComputed, options)
    for id in ["a", "b", "c"] {
      try kitchen.store("Ingredient", JSONString(id), ["name": .text("\(id)!")])
    }
    try kitchen.store("Recipe", "1", ["name": "Stew", "ingredients": ["c", "a", "c", "b"]])
    return kitchen
  }

  /// The setter of the guide: the objects are loaded later, in the order of the ids, each once.
  @Test func backgroundLoads() throws {
    var kitchen = try Self.kitchen()
    #expect(
      try kitchen.perform("Recipe", .load(["1"])) == [
        "GET Recipe/1", #"GET Ingredient?query={"_id":{"$in":["c","a","b"]}}"#,
      ])
    #expect(try kitchen.objects().first?.related == ["ingredients": []])
    let fill = try #require(kitchen.report.fills.first)
    #expect(fill.id == "1")
    #expect(fill.relation == "ingredients")
    #expect(fill.objects.map { $0.name } == ["c!", "a!", "b!"])
    #expect(kitchen.report.callbacks.count == 1)
  }

  /// Saving a parent before its children were loaded, or after that failed, erases their ids.
  @Test func savingTooEarlyErases() throws {
    for keepsStoredIDs in [false, true] {
      var kitchen = try Self.kitchen(CollectionOptions(keepsStoredIDs: keepsStoredIDs))
      kitchen.session.next = [.answered, .failed(.timedOut)]
      try kitchen.perform("Recipe", .load(["1"]))
      let fill = try #require(kitchen.report.fills.first)
      #expect(fill.objects == [])
      #expect(fill.error?.reason == .network(.timedOut))
      let stew = try #require(try kitchen.objects().first)
      let ids = keepsStoredIDs ? #"["c","a","b"]"# : "[]"
      #expect(
        try kitchen.perform("Recipe", .save([stew]))
          == [#"PUT Recipe/1 {"_id":"1","name":"Stew","ingredients":\#(ids)}"#])
    }
  }

  @Test func emptyAndUnknownRelations() throws {
    var kitchen = try Self.kitchen()
    try kitchen.store("Recipe", "2", ["name": "Air"])
    #expect(try kitchen.perform("Recipe", .load(["2"])) == ["GET Recipe/2"])
    #expect(kitchen.report.fills.map { $0.objects } == [[]])
    try kitchen.store("Recipe", "3", ["name": "Gone", "ingredients": ["x", "a"]])
    try kitchen.perform("Recipe", .load(["3"]))
    #expect(kitchen.report.fills.map { $0.objects.map { $0.name } } == [["a!"]])
  }

  /// Network first, then the cache.
  @Test func rememberedChildren() throws {
    var kitchen = try Self.kitchen()
    try kitchen.perform("Ingredient", .query(CollectionQuery(), policy: .networkFirst))
    kitchen.session.next = [.answered, .failed(.connectionLost)]
    try kitchen.perform("Recipe", .load(["1"]))
    #expect(kitchen.report.fills.first?.objects.map { $0.name } == ["c!", "a!", "b!"])
    #expect(kitchen.report.fills.first?.error == nil)
  }

  // MARK: Graphs

  /// Menus refer to recipes, recipes to ingredients.
  private static func menus() throws -> Kitchen {
    var kitchen = try Self.kitchen(isComputed: false)
    kitchen.session.client.open(
      try CollectionDescription(
        "Menu",
        properties: [
          MappedProperty("name"),
          MappedProperty("courses", to: "Recipe", isToMany: true, cascades: true),
          MappedProperty("drink", to: "Ingredient", isToMany: false),
        ]))
    try kitchen.store("Recipe", "2", ["name": "Soup", "ingredients": ["b", "gone"]])
    try kitchen.store("Menu", "m", ["courses": ["2", "1"], "drink": "a"])
    try kitchen.store("Menu", "n", ["courses": ["1"]])
    return kitchen
  }

  static let depths: [(Int64, [String])] = [
    (0, ["GET Menu"]),
    (
      1,
      [
        "GET Menu", #"GET Recipe?query={"_id":{"$in":["2","1"]}}"#,
        #"GET Ingredient?query={"_id":{"$in":["a"]}}"#,
      ]
    ),
    (
      2,
      [
        "GET Menu", #"GET Recipe?query={"_id":{"$in":["2","1"]}}"#,
        #"GET Ingredient?query={"_id":{"$in":["a"]}}"#,
        #"GET Ingredient?query={"_id":{"$in":["b","gone","c"]}}"#,
      ]
    ),
  ]

  /// One query for each collection and level, whatever the number of objects.
  @Test(arguments: depths)
  func graphs(depth: Int64, requests: [String]) throws {
    var kitchen = try Self.menus()
    #expect(try kitchen.perform("Menu", .query(CollectionQuery(), depth: depth)) == requests)
    #expect(kitchen.report.progress.map { $0.done } == Array(1...(depth + 1)))
    let menu = try #require(try kitchen.objects().first)
    guard depth > 0 else {
      #expect(menu.related["courses"] == [.id("2"), .id("1")])
      return
    }
    guard case .object(let soup)? = menu.related["courses"]?.first else {
      Issue.record("no soup")
      return
    }
    #expect(soup.name == "Soup")
    let parts = soup.related["parts"]?.map { part in
      switch part {
      case .id(let id): id.string
      case .object(let object): object.name
      case .tag: "?"
      }
    }
    #expect(parts == (depth == 1 ? ["b", "gone"] : ["b!", "gone"]))
  }

  @Test func graphsInCircles() throws {
    var kitchen = try Kitchen()
    kitchen.session.client.open(
      try CollectionDescription(
        "Person", properties: [MappedProperty("friend", to: "Person", isToMany: false)]))
    try kitchen.store("Person", "a", ["friend": "b"])
    try kitchen.store("Person", "b", ["friend": "a"])
    #expect(
      try kitchen.perform("Person", .load(["a"], depth: 5))
        == ["GET Person/a", #"GET Person?query={"_id":{"$in":["b"]}}"#])
    var object = try kitchen.objects().first
    for expected in ["a", "b", "a", "b", "a", "b"] {
      #expect(object?.id?.string == expected)
      if case .object(let next)? = object?.related["friend"]?.first { object = next } else { break }
    }
    #expect(object?.related["friend"] == [.id("a")])
  }

  @Test func aFailureOfALevelIsOneOfTheCall() throws {
    var kitchen = try Self.menus()
    kitchen.session.next = [.answered, .failed(.timedOut)]
    #expect(try kitchen.perform("Menu", .query(CollectionQuery(), depth: 2)).count == 3)
    #expect(kitchen.report.callbacks.count == 1)
    #expect(try kitchen.error().reason == .network(.timedOut))
    // If all objects of a level are cached, the cache replaces the response.
    try kitchen.perform("Menu", .query(CollectionQuery(), policy: .networkFirst, depth: 1))
    kitchen.session.next = [.answered, .failed(.timedOut), .failed(.timedOut)]
    try kitchen.perform("Menu", .query(CollectionQuery(), policy: .networkFirst, depth: 1))
    #expect(try kitchen.objects().count == 2)
    // A cached object is returned with its cached related objects.
    #expect(
      try kitchen.perform("Menu", .query(CollectionQuery(), policy: .localOnly, depth: 1)) == [])
    guard case .object? = try kitchen.objects().first?.related["drink"]?.first else {
      Issue.record("no drink")
      return
    }
  }

  // MARK: Removal around objects

  private static func book() throws -> Kitchen {
    var kitchen = try Kitchen(cascades: true)
    for id in ["a", "b", "c"] { try kitchen.store("Ingredient", JSONString(id), ["name": "x"]) }
    try kitchen.store("Recipe", "1", ["name": "Stew", "ingredients": ["a", "b"]])
    try kitchen.store("Recipe", "2", ["name": "Soup", "ingredients": ["b", "c"]])
    return kitchen
  }

  /// The children are removed first, and then the parent.
  @Test func cascading() throws {
    var kitchen = try Self.book()
    try kitchen.perform("Recipe", .load(["1"]))
    let stew = try kitchen.objects()
    #expect(
      try kitchen.perform("Recipe", .remove(.objects(stew), .cascading)) == [
        #"DELETE Ingredient?query={"_id":{"$in":["a","b"]}}"#, "DELETE Recipe/1",
      ])
    #expect(try kitchen.objects().map { $0.isDeleted } == [true])
    #expect(kitchen.report.progress.map { $0.done } == [1, 2, 3])
    #expect(try kitchen.stored("Ingredient").count == 1)
    // References of other objects are not checked.
    #expect(
      try kitchen.stored("Recipe") == [#"{"_id":"2","ingredients":["b","c"],"name":"Soup"}"#])
    // For a removal by ids, the references of the objects are loaded first.
    #expect(
      try kitchen.perform("Recipe", .remove(.ids(["2"]), .cascading)) == [
        #"GET Recipe?query={"_id":{"$in":["2"]}}"#,
        #"DELETE Ingredient?query={"_id":{"$in":["b","c"]}}"#, "DELETE Recipe/2",
      ])
    #expect(kitchen.count() == 1)
  }

  /// The points where a cascade can fail: before the children, and between them and the parent.
  @Test(arguments: [0, 1])
  func cascadesFail(place: Int) throws {
    var kitchen = try Self.book()
    try kitchen.perform("Recipe", .load(["1"]))
    let stew = try kitchen.objects()
    kitchen.session.next =
      Array(repeating: .answered, count: place) + [.failed(.connectionLost)]
    #expect(
      try kitchen.perform("Recipe", .remove(.objects(stew), .cascading)).count == place + 1)
    #expect(try kitchen.error().code == -1005)
    #expect(kitchen.report.progress.last == CollectionProgress(done: 3, total: 3))
    // The parent still exists in both cases; its references are dangling in the second.
    #expect(try kitchen.stored("Recipe").count == 2)
    #expect(try kitchen.stored("Ingredient").count == (place == 0 ? 3 : 1))
    // A repetition completes the removal.
    try kitchen.perform("Recipe", .remove(.objects(stew), .cascading))
    #expect(try kitchen.objects().map { $0.isDeleted } == [true])
    #expect(try kitchen.stored("Recipe").count == 1)
  }

  /// From the farthest objects to the nearest, including cycles.
  @Test func deepCascades() throws {
    var kitchen = try Kitchen()
    kitchen.session.client.open(
      try CollectionDescription(
        "Person",
        properties: [MappedProperty("children", to: "Person", isToMany: true, cascades: true)]))
    try kitchen.store("Person", "a", ["children": ["b", "c"]])
    try kitchen.store("Person", "b", ["children": ["d"]])
    try kitchen.store("Person", "c", ["children": ["d", "a"]])
    try kitchen.store("Person", "d", [:])
    #expect(
      try kitchen.perform("Person", .remove(.ids(["a"]), .cascading)) == [
        #"GET Person?query={"_id":{"$in":["a"]}}"#, #"GET Person?query={"_id":{"$in":["b","c"]}}"#,
        #"GET Person?query={"_id":{"$in":["d"]}}"#, "DELETE Person/d",
        #"DELETE Person?query={"_id":{"$in":["b","c"]}}"#, "DELETE Person/a",
      ])
    #expect(try kitchen.stored("Person") == [])
  }

  /// The referring objects are saved without the removed id, and remain.
  @Test func nilling() throws {
    var kitchen = try Self.book()
    #expect(
      try kitchen.perform("Ingredient", .remove(.ids(["b"]), .nilling)) == [
        #"GET Recipe?query={"ingredients":{"$in":["b"]}}"#,
        #"PUT Recipe/1 {"_id":"1","ingredients":["a"],"name":"Stew"}"#,
        #"PUT Recipe/2 {"_id":"2","ingredients":["c"],"name":"Soup"}"#, "DELETE Ingredient/b",
      ])
    #expect(kitchen.count() == 1)
    // After a failure before the removal, the object still exists.
    kitchen.session.next = [.answered, .failed(.connectionLost)]
    try kitchen.perform("Ingredient", .remove(.ids(["a"]), .nilling))
    #expect(try kitchen.error().code == -1005)
    #expect(try kitchen.stored("Ingredient").count == 2)
    let query = try QueryTests.built { try $0.add("name", exactly: "x") }
    #expect(
      try kitchen.perform("Ingredient", .remove(.query(query), .nilling)).first
        == #"GET Ingredient?query={"name":"x"}"#)
    #expect(try kitchen.stored("Ingredient") == [])
    #expect(try kitchen.stored("Recipe").allSatisfy { $0.contains(#""ingredients":[]"#) })
  }

  /// The guide's nil-ing delete: the list is saved empty, and the children remain.
  @Test func emptyingARelation() throws {
    var kitchen = try Self.book()
    try kitchen.perform("Recipe", .load(["1"]))
    var stew = try #require(try kitchen.objects().first)
    stew.related["parts"] = []
    try kitchen.perform("Recipe", .save([stew]))
    #expect(try kitchen.stored("Recipe")[0] == #"{"_id":"1","ingredients":[],"name":"Stew"}"#)
    #expect(try kitchen.stored("Ingredient").count == 3)
  }
}
