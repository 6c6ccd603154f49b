import Collections
import Datastore
import JSON
import Selectors
import Testing

/// Queries, their JSON, and their meaning.
struct QueryTests {
  static func built(
    _ build: (inout QueryBuilder) throws -> Void
  ) rethrows -> CollectionQuery {
    var builder = QueryBuilder()
    try build(&builder)
    return builder.query
  }

  private static func json(_ build: (inout QueryBuilder) throws -> Void) rethrows -> String {
    try built(build).filter.json.serialized()
  }

  /// The JSON that the product generates.
  @Test func golden() throws {
    #expect(Self.json { _ in } == "{}")
    #expect(try Self.json { try $0.add("f", exactly: "v") } == #"{"f":"v"}"#)
    #expect(try Self.json { try $0.add("f", exactly: .null) } == #"{"f":{"$type":10}}"#)
    #expect(
      try Self.json {
        try $0.add("a", exactly: 1)
        try $0.add("f", exactly: .null)
      } == #"{"a":1,"f":null}"#)
    #expect(
      try Self.json {
        try $0.add("units", exactly: "cup")
        try $0.add("quantity", .greater, value: 1)
      } == #"{"units":"cup","quantity":{"$gt":1}}"#)
    #expect(
      try Self.json { try $0.add("age", [(.greater, 18), (.less, 65)]) }
        == #"{"age":{"$gt":18,"$lt":65}}"#)
    #expect(
      try Self.json {
        try $0.add("f", .isIn, value: [[1, 2, 1, 1.0]])
        try $0.negate()
      } == #"{"f":{"$not":{"$in":[1,2]}}}"#)
    #expect(try Self.json { try $0.add(withoutValue: "f") } == #"{"f":{"$exists":false}}"#)
    #expect(try Self.json { try $0.add(withoutValueOrNull: "f") } == #"{"f":null}"#)
    #expect(try Self.json { try $0.add("f", .matches, value: "^a") } == #"{"f":{"$regex":"^a"}}"#)
  }

  static let conditionals: [(Conditional, JSONValue, String)] = [
    (.less, 1, #"{"$lt":1}"#), (.lessOrEqual, "a", #"{"$lte":"a"}"#),
    (.greater, 1.5, #"{"$gt":1.5}"#), (.greaterOrEqual, true, #"{"$gte":true}"#),
    (.notEqual, .null, #"{"$ne":null}"#), (.isIn, [], #"{"$in":[]}"#),
    (.notIn, ["a", ["b"]], #"{"$nin":["a",["b"]]}"#),
  ]

  @Test(arguments: conditionals)
  func operators(conditional: Conditional, value: JSONValue, expected: String) throws {
    #expect(try Self.json { try $0.add("f", conditional, value: value) } == "{\"f\":\(expected)}")
  }

  static let locations: [([(Conditional, JSONValue)], String)] = [
    ([(.near, [10.5, 20.0])], #"{"$nearSphere":[10.5,20.0]}"#),
    (
      [(.near, [10, 20]), (.maxDistance, 500)],
      #"{"$nearSphere":[10.0,20.0],"$maxDistance":500.0}"#
    ),
    (
      [(.near, [10, 20]), (.maxDistance, 0.5)],
      #"{"$nearSphere":[10.0,20.0],"$maxDistance":0.5}"#
    ),
    ([(.near, [10, 20]), (.maxDistance, 0)], #"{"$nearSphere":[10.0,20.0],"$maxDistance":0.0}"#),
    ([(.withinBox, [[0, 0], [1, 2]])], #"{"$within":{"$box":[[0.0,0.0],[1.0,2.0]]}}"#),
    ([(.withinCircle, [[0, 0], 5])], #"{"$within":{"$centerSphere":[[0.0,0.0],5.0]}}"#),
    (
      [(.withinPolygon, [[0, 0], [0, 1], [1, 1]])],
      #"{"$within":{"$polygon":[[0.0,0.0],[0.0,1.0],[1.0,1.0]]}}"#
    ),
  ]

  @Test(arguments: locations)
  func places(conditions: [(Conditional, JSONValue)], expected: String) throws {
    #expect(
      try Self.json { try $0.add(EntityField.location, conditions) } == "{\"_geoloc\":\(expected)}")
  }

  /// Both conditions on a field count; the product's behavior is available as a quirk.
  @Test func twoConditionsOnOneField() throws {
    #expect(
      try Self.json {
        try $0.add("name", exactly: "x")
        try $0.add("age", .greater, value: 18)
        try $0.add("age", .less, value: 65)
      } == #"{"$and":[{"name":"x","age":{"$gt":18}},{"age":{"$lt":65}}]}"#)
    #expect(
      try Self.json { try $0.add("age", [(.greater, 18), (.greater, 21)]) }
        == #"{"$and":[{"age":{"$gt":18}},{"age":{"$gt":21}}]}"#)
    var product = QueryBuilder(quirks: .product)
    try product.add("age", .greater, value: 18)
    try product.add("age", .less, value: 65)
    #expect(product.query.filter.json == ["age": ["$lt": 65]])
    try product.add("tags", .all, value: ["a"])
    #expect(product.query.filter.json == [:])
    try product.limit(to: 40)
    #expect(product.copied().skip == 40)
  }

  @Test func combinations() throws {
    let first = try Self.built { try $0.add("a", exactly: 1) }
    let second = try Self.built { try $0.add("b", .less, value: 2) }
    #expect(
      try Self.json {
        $0.add(any: [first, second])
        try $0.add("c", exactly: 3)
      } == #"{"$or":[{"a":1},{"b":{"$lt":2}}],"c":3}"#)
    #expect(Self.json { $0.add(all: [first, second]) } == #"{"$and":[{"a":1},{"b":{"$lt":2}}]}"#)
  }

  @Test func parameters() throws {
    let query = try Self.built {
      try $0.sort(by: "name")
      try $0.sort(by: "age", descending: true)
      try $0.limit(to: 40)
      try $0.skip(40)
    }
    #expect(query.parameterText == #"sort={"name":1,"age":-1}&limit=40&skip=40"#)
    #expect(try CollectionQuery(parameters: query.parameters) == query)
    #expect(CollectionQuery().parameterText == "")
  }

  static let refused:
    [(QueryError.Reason, @Sendable (inout QueryBuilder) throws(QueryError) -> Void)] = [
      (.unsupported, { (b) throws(QueryError) in try b.add("f", .all, value: ["a"]) }),
      (.unsupported, { (b) throws(QueryError) in try b.add("f", .size, value: 1) }),
      (.badPlace, { (b) throws(QueryError) in try b.add("home", .near, value: [1, 2]) }),
      (.badPlace, { (b) throws(QueryError) in try b.add("_geoloc", .near, value: [181, 2]) }),
      (.badPlace, { (b) throws(QueryError) in try b.add("_geoloc", .near, value: [2, -90.5]) }),
      (.badPlace, { (b) throws(QueryError) in try b.add("_geoloc", .maxDistance, value: 1) }),
      (
        .badPlace,
        { (b) throws(QueryError) in try b.add("_geoloc", .withinPolygon, value: [[0, 0], [1, 1]]) }
      ),
      (.badExpression, { (b) throws(QueryError) in try b.add("f", .matches, value: "a") }),
      (.badExpression, { (b) throws(QueryError) in try b.add("f", .matches, value: "^(") }),
      (.badValue, { (b) throws(QueryError) in try b.add("f", .less, value: .null) }),
      (.badValue, { (b) throws(QueryError) in try b.add("f", .isIn, value: 1) }),
      (.badValue, { (b) throws(QueryError) in try b.add("f", exactly: ["$gt": 1]) }),
      (.badValue, { (b) throws(QueryError) in try b.skip(-1) }),
      (.badField, { (b) throws(QueryError) in try b.add("$or", exactly: 1) }),
      (.badField, { (b) throws(QueryError) in try b.add("", exactly: 1) }),
      (.badField, { (b) throws(QueryError) in try b.add(withoutValue: "$f") }),
      (.badField, { (b) throws(QueryError) in try b.add(withoutValueOrNull: "$f") }),
      (.cannotNegate, { (b) throws(QueryError) in try b.negate() }),
    ]

  @Test(arguments: refused.indices)
  func refuses(index: Int) {
    let (reason, build) = Self.refused[index]
    var builder = QueryBuilder()
    #expect { try build(&builder) } throws: { ($0 as? QueryError)?.reason == reason }
    #expect(builder.query == CollectionQuery())
  }

  @Test func exactMatchesAreNotNegated() throws {
    var builder = QueryBuilder()
    try builder.add("f", exactly: 1)
    #expect(throws: QueryError.self) { try builder.negate() }
    #expect(builder.query.filter.json == ["f": 1])
  }

  // MARK: Reading and meaning

  static let entities = """
    [{}, {"f": null}, {"f": 1}, {"f": 2.0}, {"f": "2"}, {"f": [1, "x"]}, {"f": {"g": 2}}, {"f": true}]
    """

  static let meanings: [(String, String)] = [
    ("{}", "01234567"), (#"{"f": 2}"#, "3"), (#"{"f": null}"#, "01"),
    (#"{"f": {"$type": 10}}"#, "1"), (#"{"f": {"$ne": null}}"#, "234567"),
    (#"{"f": {"$ne": 1}}"#, "013467"), (#"{"f": {"$gt": 0}}"#, "235"),
    (#"{"f": {"$lt": "x"}}"#, "4"), (#"{"f": {"$lte": "x"}}"#, "45"),
    (#"{"f": {"$gte": false}}"#, "7"), (#"{"f": {"$not": {"$gt": 1}}}"#, "0124567"),
    (#"{"f": {"$in": [null, "x"]}}"#, "015"), (#"{"f": {"$nin": [null, "x"]}}"#, "23467"),
    (#"{"f": {"$exists": false}}"#, "0"), (#"{"f": {"$regex": "^x"}}"#, "5"),
    (#"{"f.g": 2}"#, "6"), (#"{"f": {"g": 2}}"#, "6"),
    (#"{"$or": [{"f": 1}, {"f": true}]}"#, "257"),
    (#"{"$and": [{"f": {"$gt": 0}}, {"f": {"$lt": 2}}]}"#, "25"),
    (#"{"_id": {"$in": ["3", "0"]}}"#, "03"),
  ]

  @Test(arguments: meanings)
  func means(text: String, expected: String) throws {
    let json = try JSONValue.parse(text)
    let query = try CollectionQuery(parameters: ["query": json])
    #expect(query.filter.json == json)
    let selector = try query.filter.selector(below: FieldPath(names: ["entity"]))
    #expect(try FindSelector(selector.json).json == selector.json)
    let bodies = try JSONValue.parse(Self.entities).arrayValue ?? []
    let found = bodies.enumerated().filter { index, entity in
      var entity = entity.objectValue ?? JSONObject()
      entity["_id"] = .text("\(index)")
      return Subject(["entity": .object(entity)], id: "any", rev: "1-a").matches(selector)
    }
    #expect(found.map { "\($0.offset)" }.joined() == expected)
  }

  static let malformed = [
    #"{"query": []}"#, #"{"query": {"$or": {}}}"#, #"{"query": {"$nor": []}}"#,
    #"{"query": {"f": {"$all": []}}}"#, #"{"query": {"f": {"$gt": 1, "g": 2}}}"#,
    #"{"query": {"f": {"$not": {}}}}"#, #"{"query": {"_geoloc": {"$maxDistance": 1}}}"#,
    #"{"query": {"_geoloc": {"$within": {}}}}"#, #"{"query": {"_geoloc": {"$box": []}}}"#,
    #"{"sort": {"f": 2}}"#, #"{"sort": ["f"]}"#, #"{"limit": -1}"#, #"{"skip": "1"}"#, #"{"x": 1}"#,
  ]

  @Test(arguments: malformed)
  func refusesMalformed(text: String) throws {
    let object = try #require(try JSONValue.parse(text).objectValue)
    #expect(throws: QueryError.self) { try CollectionQuery(parameters: object) }
  }

  @Test func placesAreReadBack() throws {
    for (conditions, _) in Self.locations {
      let query = try Self.built { try $0.add("_geoloc", conditions) }
      #expect(try CollectionQuery(parameters: query.parameters) == query)
    }
  }
}
