import Datastore
import JSON
import Testing

struct SelectorTests {
  private static func selector(_ json: String) throws -> FindSelector {
    try FindSelector(JSONValue.parse(json))
  }

  /// Pairs of selectors with the same meaning.
  static let synonyms: [(String, String)] = [
    (#"{"a": 1}"#, #"{"a": {"$eq": 1}}"#),
    (#"{"a": {"b": 1}}"#, #"{"a.b": 1}"#),
    (#"{"a": {"b": {"$gt": 1}, "c": 2}}"#, #"{"$and": [{"a.b": {"$gt": 1}}, {"a.c": 2}]}"#),
    (#"{"a": {}}"#, #"{"a": {"$eq": {}}}"#),
    (#"{"a": 1, "b": 2}"#, #"{"$and": [{"a": 1}, {"b": 2}]}"#),
    (#"{}"#, #"{"$and": []}"#),
    (#"{"a": {"$size": 2.0}}"#, #"{"a": {"$size": 2}}"#),
    (#"{"a": {"$mod": [3.0, 1]}}"#, #"{"a": {"$mod": [3, 1.0]}}"#),
  ]

  @Test(arguments: synonyms)
  func meansTheSame(one: String, other: String) throws {
    #expect(try Self.selector(one) == Self.selector(other))
  }

  @Test func differentPathsAreTold() throws {
    #expect(try Self.selector(#"{"a.b": 1}"#) != Self.selector(#"{"a\\.b": 1}"#))
    #expect(
      try Self.selector(#"{"a\\.b": 1}"#) == .field(FieldPath(names: ["a.b"]), [.equals(.value(1))])
    )
    #expect(FieldPath(#"\$a\\.."#)?.names == ["$a\\", "", ""])
    #expect(FieldPath(#"\$a\\.."#)?.text == #"\$a\\.."#)
    #expect(FieldPath(#"a\b"#) == nil)
    #expect(FieldPath(#"a\"#) == nil)
  }

  /// Invalid selectors with their errors.
  static let faults: [(String, DatastoreError.Kind)] = [
    (#"[]"#, .badRequest(path: "selector")),
    (#"{"$eq": 1}"#, .badSelector(operator: "$eq", path: "selector.$eq")),
    (#"{"$foo": 1}"#, .unsupported(what: "$foo")),
    (#"{"a": {"$where": 1}}"#, .unsupported(what: "$where")),
    (#"{"a": {"$or": []}}"#, .badSelector(operator: "$or", path: "selector.a.$or")),
    (#"{"a": {"$gt": 1, "b": 2}}"#, .badSelector(operator: "b", path: "selector.a.b")),
    (#"{"$or": {}}"#, .badSelector(operator: "$or", path: "selector.$or")),
    (#"{"$or": [{}, 1]}"#, .badSelector(operator: "$or", path: "selector.$or[1]")),
    (
      #"{"$nor": [{"a": {"$mod": [0, 1]}}]}"#,
      .badSelector(operator: "$mod", path: "selector.$nor[0].a.$mod")
    ),
    (#"{"a": {"$mod": [1.5, 1]}}"#, .badSelector(operator: "$mod", path: "selector.a.$mod")),
    (#"{"a": {"$gt": null}}"#, .badSelector(operator: "$gt", path: "selector.a.$gt")),
    (#"{"a": {"$lte": [1]}}"#, .badSelector(operator: "$lte", path: "selector.a.$lte")),
    (#"{"a": {"$exists": 1}}"#, .badSelector(operator: "$exists", path: "selector.a.$exists")),
    (#"{"a": {"$type": "int"}}"#, .badSelector(operator: "$type", path: "selector.a.$type")),
    (#"{"a": {"$size": -1}}"#, .badSelector(operator: "$size", path: "selector.a.$size")),
    (#"{"a": {"$in": 1}}"#, .badSelector(operator: "$in", path: "selector.a.$in")),
    (#"{"a": {"$not": 1}}"#, .badSelector(operator: "$not", path: "selector.a.$not")),
    (#"{"a": {"$not": {}}}"#, .badSelector(operator: "$not", path: "selector.a.$not")),
    (#"{"a": {"$all": 1}}"#, .badSelector(operator: "$all", path: "selector.a.$all")),
    (
      #"{"a": {"$elemMatch": 1}}"#,
      .badSelector(operator: "$elemMatch", path: "selector.a.$elemMatch")
    ),
    (
      #"{"a": {"$elemMatch": {"$text": {}}}}"#,
      .badSelector(operator: "$text", path: "selector.a.$elemMatch.$text")
    ),
    (#"{"$text": {"$search": "a"}}"#, .badSelector(operator: "$text", path: "selector.$text")),
    (
      #"{"$text": {"$search": "a", "$fields": []}}"#,
      .badSelector(operator: "$text", path: "selector.$text")
    ),
    (
      #"{"a": {"$in": [1, {"$decimal": "x"}]}}"#,
      .badSelector(operator: "$decimal", path: "selector.a.$in[1].$decimal")
    ),
    (#"{"a": {"$decimal": "1"}}"#, .badSelector(operator: "$decimal", path: "selector.a.$decimal")),
    (#"{"a\\b": 1}"#, .badSelector(operator: #"a\b"#, path: #"selector.a\b"#)),
    (#"{"a": {"$regex": "("}}"#, .badSelector(operator: "$regex", path: "selector.a.$regex")),
  ]

  @Test(arguments: faults)
  func namesOperatorAndPlace(json: String, kind: DatastoreError.Kind) throws {
    let value = try JSONValue.parse(json)
    #expect { try FindSelector(value) } throws: { ($0 as? DatastoreError)?.kind == kind }
  }

  /// The nesting depth is limited for every kind of nesting.
  @Test(arguments: [#"{"$not":"#, #"{"a":"#, #"{"a":{"$elemMatch":"#])
  func nestingIsBounded(opening: String) throws {
    func nested(_ count: Int) throws -> JSONValue {
      let braces = opening.filter { $0 == "{" }.count
      return try JSONValue.parse(
        String(repeating: opening, count: count) + "{}"
          + String(repeating: String(repeating: "}", count: braces), count: count))
    }
    _ = try FindSelector(nested(30))
    let deep = try nested(150)
    #expect { try FindSelector(deep) } throws: {
      ($0 as? DatastoreError)?.kind == .tooLarge(limit: 64)
    }
  }

  /// Selectors that keep their meaning when they are written and read again.
  static let wholes =
    synonyms.map { $0.0 } + [
      #"{"a": {"$in": [1, {"$decimal": "1.50"}], "$nin": []}, "$not": {"b": {"$ne": null}}}"#,
      #"{"a": {"$elemMatch": {"$gt": 1, "$not": {"$mod": [2, -1]}}}}"#,
      #"{"a": {"$elemMatch": {"b": {"$type": "array"}, "$or": [{"c": {"$size": 2}}]}}}"#,
      #"{"$nor": [{"a": {"$all": [1]}}, {"$text": {"$search": "x y", "$fields": ["a.b"]}}]}"#,
      #"{"\\$a\\.b": {"$regex": "^a{2,3}[^x-z]|\\d$"}, "c": {"$exists": false, "$lt": "x"}}"#,
      #"{"a": {"$elemMatch": {"$not": {"b": 1}}}}"#,
      #"{"a": {"$elemMatch": {"$not": {"b": 1}, "c": 2}}}"#,
      #"{"a": {"$regex": "(^)*a|($)?"}}"#,
    ]

  @Test(arguments: wholes)
  func isWrittenAndReadAgain(json: String) throws {
    let selector = try Self.selector(json)
    #expect(try FindSelector(selector.json) == selector)
  }

  @Test(arguments: [
    "", "1 ", "1.2.3", ".", "+", "1e", "1e1234567", "0x1", "١", "--1", "1e+-1", "NaN",
    String(repeating: "1", count: 1001),
  ])
  func decimalsAreStrict(text: String) {
    let value: JSONValue = ["a": ["$eq": ["$decimal": .text(text)]]]
    #expect(throws: DatastoreError.self) { try FindSelector(value) }
  }

  @Test(arguments: ["1", "-1.50", "+.5", "5.", "1e-3", "1.E+999999", "000"])
  func decimalsAreRead(text: String) throws {
    let selector = try FindSelector(["a": ["$eq": ["$decimal": .text(text)]]])
    #expect(selector == .field(FieldPath(names: ["a"]), [.equals(.decimal(JSONString(text)))]))
  }

  @Test(arguments: [
    "a**", "*", "a{2,1}", "a{256}", "a{", "a{1", "(", ")", "[", "[]", "[z-a]", "[a", #"\"#,
    #"\b"#, #"(a)\1"#, "(?=a)", "a*?", "a++", "^*", "(a{100}){100}", "}", "]", "[[]", #"[\d-z]"#,
    String(repeating: "(", count: 40) + String(repeating: ")", count: 40),
    String(repeating: "a", count: 1001),
  ])
  func expressionsAreStrict(pattern: String) {
    let value: JSONValue = ["a": ["$regex": .text(pattern)]]
    #expect { try FindSelector(value) } throws: {
      ($0 as? DatastoreError)?.kind
        == .badSelector(operator: "$regex", path: "selector.a.$regex")
    }
  }
}
