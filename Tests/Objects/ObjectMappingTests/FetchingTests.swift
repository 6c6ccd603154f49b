import Datastore
import JSON
import ObjectMapping
import ReferenceDatastore
import SQLiteDatastore
import Storage
import Testing

/// Fetches over both bundled datastores.
struct FetchingTests {
  typealias Kind = IncrementalStoreTests.Kind

  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel([
      EntityDescription(
        "Employee",
        attributes: [
          AttributeDescription("name", .utf8), AttributeDescription("age", .int16),
          AttributeDescription("score", .double), AttributeDescription("pay", .decimal),
          AttributeDescription("isHere", .bool), AttributeDescription("since", .date1970),
        ],
        relationships: [
          RelationshipDescription("boss", to: "Employee", inverse: "staff"),
          RelationshipDescription("staff", to: "Employee", inverse: "boss", isToMany: true),
        ])
    ])
  }

  static func store(_ kind: Kind) throws -> IncrementalStore {
    let host = ObjectHost(kind.make(), RunEnvironment(seed: 1))
    let store = try IncrementalStoreTests.open(host, try model(), "file:///people")
    func decimal(_ text: String) -> PropertyValue {
      .attribute(.decimal(DecimalNumber(text: text.utf8) ?? .nan))
    }
    func person(
      _ id: ObjectID, _ name: JSONString, _ age: Int64?, _ score: Double?, _ pay: String,
      _ boss: ObjectID?,
      _ staff: [ObjectID] = []
    ) -> ManagedObject {
      ManagedObject(
        id, of: "Employee",
        [
          "name": .attribute(.text(name)), "age": age.map { .attribute(.integer($0)) } ?? .none,
          "score": score.map { .attribute(.double($0)) } ?? .none, "pay": decimal(pay),
          "isHere": .attribute(.bool((age ?? 0) > 30)),
          "since": .attribute(.date(Double(age ?? 0) * 1000)),
          "boss": boss.map { .toOne($0) } ?? .none, "staff": .toMany(staff),
        ])
    }
    try store.save(
      SaveRequest(inserted: [
        person("ada", "Ada", 36, 1.5, "10", nil, ["bob", "cy", "dee"]),
        person("bob", "Bob", 25, -.infinity, "9.50", "ada"),
        person("cy", "cy\n", nil, .nan, "10000000000000000000000000000000000001", "ada", ["ed"]),
        person("dee", "Dée", 41, nil, "10000000000000000000000000000000000002", "ada"),
        person("ed", "O\"Ed*", 30, .infinity, "-1", "cy"),
      ]))
    return store
  }

  static let cases: [(String, [ObjectID])] = [
    ("TRUEPREDICATE", ["ada", "bob", "cy", "dee", "ed"]), ("FALSEPREDICATE", []),
    ("age > 30", ["ada", "dee"]), ("30 < age", ["ada", "dee"]),
    ("age != 30", ["ada", "bob", "cy", "dee"]),
    ("age == nil", ["cy"]), ("age != nil", ["ada", "bob", "dee", "ed"]),
    ("age BETWEEN {25, 36}", ["ada", "bob", "ed"]), ("age IN {25, 41, 99}", ["bob", "dee"]),
    ("NOT age IN {25, 41}", ["ada", "cy", "ed"]),
    ("FALSEPREDICATE OR age < 31", ["bob", "ed"]), ("age > 20 AND age < 40", ["ada", "bob", "ed"]),
    ("age > 20 && !(age < 40)", ["dee"]),
    ("score > 1", ["ada", "ed"]), ("score < 0", ["bob"]), ("score != 1.5", ["bob", "dee", "ed"]),
    ("score == nil", ["dee"]), ("score <= 1.5", ["ada", "bob"]),
    ("pay > 10", ["cy", "dee"]), ("pay == 9.5", ["bob"]), ("pay < 10", ["bob", "ed"]),
    ("isHere == YES", ["ada", "dee"]), ("isHere == NO", ["bob", "cy", "ed"]),
    ("since > CAST(-978271201, \"NSDate\")", ["ada", "dee"]),
    ("name == 'Ada'", ["ada"]), ("name ==[c] 'ADA'", ["ada"]), ("name BEGINSWITH 'D'", ["dee"]),
    ("name ENDSWITH 'd*'", ["ed"]), ("name CONTAINS 'é'", ["dee"]),
    ("name CONTAINS[c] 'O'", ["bob", "ed"]),
    ("name LIKE '?d*'", ["ada"]), ("name LIKE '*\\\\**'", ["ed"]), ("name LIKE 'cy?'", ["cy"]),
    ("name MATCHES '[A-C].*'", ["ada", "bob"]), ("name == \"O\\\"Ed*\"", ["ed"]),
    ("name > 'Bob'", ["cy", "dee", "ed"]),
    ("boss == nil", ["ada"]), ("boss != nil", ["bob", "cy", "dee", "ed"]),
    ("boss.name == 'Ada'", ["bob", "cy", "dee"]), ("boss.boss.name == 'Ada'", ["ed"]),
    ("boss.age == nil", ["ada", "ed"]), ("boss.age != 36", ["ada", "ed"]),
    ("ANY staff.age > 30", ["ada"]), ("NONE staff.age > 30", ["bob", "cy", "dee", "ed"]),
    ("ALL staff.age > 20", ["bob", "cy", "dee", "ed"]), ("ANY staff.staff.name LIKE 'O*'", ["ada"]),
    ("staff.@count == 0", ["bob", "dee", "ed"]), ("staff.@count > 1", ["ada"]),
    ("staff.@count <= 1", ["bob", "cy", "dee", "ed"]),
  ]

  @Test(arguments: Kind.allCases) func predicatesSelect(kind: Kind) throws {
    let store = try Self.store(kind)
    for (format, expected) in Self.cases {
      let found = try store.fetchIDs(
        ObjectFetchRequest("Employee", where: try FetchPredicate(JSONString(format))))
      #expect(found == expected, "\(format)")
    }
    for (format, operand, expected) in [
      ("SELF IN %@", .list([.object("bob"), .object("gone")]), ["bob"]),
      ("SELF != %@", .value(.object("bob")), ["ada", "cy", "dee", "ed"]),
      ("boss == %@", .value(.object("cy")), ["ed"]),
      ("staff CONTAINS %@", .value(.object("ed")), ["cy"]),
      ("ANY staff IN %@", .list([.object("ed"), .object("bob")]), ["ada", "cy"]),
      ("score == %@", .value(.double(.infinity)), ["ed"]),
      ("score < %@", .value(.double(.infinity)), ["ada", "bob"]),
      ("score != %@", .value(.double(.nan)), []),
      ("boss.score != %@", .value(.double(.nan)), []),
      ("pay == %@", .value(.decimal(try #require(DecimalNumber(text: "9.5".utf8)))), ["bob"]),
    ] as [(JSONString, PredicateArgument, [ObjectID])] {
      let found = try store.fetchIDs(
        ObjectFetchRequest("Employee", where: try FetchPredicate(format, [operand])))
      #expect(found == expected, "\(format)")
    }
  }

  @Test(arguments: Kind.allCases) func objectsAreSortedPagedAndCounted(kind: Kind) throws {
    let store = try Self.store(kind)
    func ids(_ sort: [FetchSortDescriptor], _ offset: Int64 = 0, _ limit: Int64? = nil) throws
      -> [ObjectID]
    {
      try store.fetch(ObjectFetchRequest("Employee", sort: sort, offset: offset, limit: limit)).map
      {
        $0.id
      }
    }
    #expect(try ids([FetchSortDescriptor("age")]) == ["cy", "bob", "ed", "ada", "dee"])
    #expect(
      try ids([FetchSortDescriptor("age", ascending: false)]) == ["dee", "ada", "ed", "bob", "cy"])
    #expect(try ids([FetchSortDescriptor("score")]) == ["dee", "cy", "bob", "ada", "ed"])
    #expect(
      try ids([FetchSortDescriptor("pay", ascending: false)]) == ["dee", "cy", "ada", "bob", "ed"])
    #expect(
      try ids([FetchSortDescriptor("isHere"), FetchSortDescriptor("age")], 1, 3) == [
        "bob", "ed", "ada",
      ])
    #expect(try ids([FetchSortDescriptor("age")], 4, 9) == ["dee"])
    #expect(try ids([], 1, 2) == ["bob", "cy"])
    let request = ObjectFetchRequest("Employee", where: try FetchPredicate("age > 25"))
    #expect(try store.count(request) == 3)
    #expect(try store.fetch(request).map { $0.id } == ["ada", "dee", "ed"])
  }

  @Test(arguments: Kind.allCases) func groupsAreReckoned(kind: Kind) throws {
    let store = try Self.store(kind)
    let groups = try store.fetchGroups(
      ObjectFetchRequest("Employee", sort: [FetchSortDescriptor("isHere")]),
      GroupRequest(
        [
          .attribute("isHere"), .reckoned(.count, of: "age", as: "n"),
          .reckoned(.max, of: "age", as: "oldest"), .reckoned(.sum, of: "pay", as: "pay"),
          .reckoned(.average, of: "age", as: "mean"),
        ], groupBy: ["isHere"]))
    func decimal(_ text: String) -> PropertyValue {
      .attribute(.decimal(DecimalNumber(text: text.utf8) ?? .nan))
    }
    #expect(
      groups == [
        [
          "isHere": .attribute(.bool(false)), "n": .attribute(.integer(2)),
          "oldest": .attribute(.integer(30)), "mean": .attribute(.double(27.5)),
          "pay": decimal("10000000000000000000000000000000000009.5"),
        ],
        [
          "isHere": .attribute(.bool(true)), "n": .attribute(.integer(2)),
          "oldest": .attribute(.integer(41)), "mean": .attribute(.double(38.5)),
          "pay": decimal("10000000000000000000000000000000000012"),
        ],
      ])
    #expect(throws: StoreError.self) {
      try store.fetchGroups(ObjectFetchRequest("Employee"), GroupRequest([.attribute("missing")]))
    }
  }

  @Test(arguments: Kind.allCases) func manyAreUpdatedAtOnce(kind: Kind) throws {
    let store = try Self.store(kind)
    let request = ObjectFetchRequest("Employee", where: try FetchPredicate("age < 35"))
    #expect(try store.updateAll(request, to: ["age": .attribute(.integer(35))]) == ["bob", "ed"])
    #expect(try store.fetch(request).isEmpty)
    let bob = try store.object("bob")
    #expect(bob.version == 2 && bob.properties["age"] == .attribute(.integer(35)))
  }

  /// An unsupported predicate is rejected with its name, and never returns an empty result.
  @Test func whatCannotBeAskedIsRefused() throws {
    let store = try Self.store(.model)
    for (format, kind, name) in [
      ("missing == 1", .unknownKey, "missing"), ("age == 'x'", .wrongType, "age"),
      ("age BEGINSWITH 'x'", .wrongType, "age"), ("staff.age > 1", .needsQuantifier, "staff"),
      ("name ==[d] 'e'", .unsupported, "[d]"), ("name IN 'abc'", .unsupported, "IN"),
      ("ANY age > 1", .unsupported, "ANY"), ("name MATCHES '(?=x)'", .unsupported, "MATCHES"),
      ("name MATCHES 'a)(b'", .unsupported, "MATCHES"), ("ANY boss.age > 1", .unsupported, "ANY"),
      ("boss.missing == 1", .unknownKey, "missing"), ("isHere > YES", .wrongType, "isHere"),
    ] as [(JSONString, FetchPredicateError.Kind, JSONString)] {
      let predicate = try FetchPredicate(format)
      do {
        _ = try store.fetch(ObjectFetchRequest("Employee", where: predicate))
        Issue.record("\(format) was answered")
      } catch {
        guard case .predicate(let fault) = error.reason else {
          Issue.record("\(format): \(error)")
          continue
        }
        #expect(fault.kind == kind && fault.name == name, "\(format): \(fault)")
      }
    }
    for format in [
      "", "age", "age >", "age > 1 AND", "(age > 1", "age > 1)", "age === 1", "'a' == 'b'",
      "age == boss",
      "age > %@", "age ==[x] 1", "age IN {1, 2", "name == 'x",
      "SUBQUERY(staff, $x, $x.age > 1).@count > 0",
      "FUNCTION(1) == 2", "age > 1e", "staff.@sum.age > 1", "a..b == 1", "%K == 1",
    ] as [JSONString] {
      #expect(throws: FetchPredicateError.self, "\(format)") { try FetchPredicate(format) }
    }
    #expect(throws: FetchPredicateError.self) {
      try FetchPredicate("age > 1", [.value(.integer(1))])
    }
    let deep = JSONString(String(repeating: "(", count: 100_000) + "age > 1")
    #expect(throws: FetchPredicateError.self) { try FetchPredicate(deep) }
  }

  /// Comparing doubles for equality is warned about, except with nil, because digits may be lost.
  @Test func equalityOfDoublesIsWarnedOf() throws {
    let model = try Self.model()
    for (format, paths) in [
      ("score == 1.5 AND age == 3", ["Employee.score"]), ("score > 1", []), ("score == nil", []),
      ("NOT (ANY staff.score IN {1, 2})", ["Employee.score"]),
      ("boss.score != 2", ["Employee.score"]),
    ] as [(JSONString, [String])] {
      let warnings = model.portabilityWarnings(try FetchPredicate(format), of: "Employee")
      #expect(warnings.map { $0.path } == paths, "\(format)")
      #expect(warnings.allSatisfy { $0.reason == .floatingPointCompared })
    }
  }

  @Test func keyPathsMayBeArguments() throws {
    let predicate = try FetchPredicate(
      "%K == %@ OR #in == 1", [.value(.text("boss.name")), .value(.text("Ada"))])
    #expect(
      predicate
        == .or([
          .comparison(
            PredicateComparison(.path(["boss", "name"]), .equal, operand: .value(.text("Ada")))),
          .comparison(PredicateComparison(.path(["in"]), .equal, operand: .value(.integer(1)))),
        ]))
  }

  /// `MATCHES` and `LIKE` use `$regex` of `find`, with its limit: the anchors around the pattern
  /// are two further parts.
  @Test(arguments: Kind.allCases) func expressionsAreBounded(kind: Kind) throws {
    let store = try Self.store(kind)
    let long: [JSONString: PropertyValue] = [
      "name": .attribute(.text(JSONString(String(repeating: "b", count: 67_109))))
    ]
    try store.save(SaveRequest(inserted: [ManagedObject("long", of: "Employee", long)]))
    let wildcards = String(repeating: "?", count: 499)
    for predicate in [#"name MATCHES "(a{249}){4}a{2}""#, "name LIKE \"\(wildcards)\""] {
      let request = ObjectFetchRequest("Employee", where: try FetchPredicate(JSONString(predicate)))
      let failure = #expect(throws: StoreError.self) { try store.fetch(request) }
      #expect(failure?.asDatastoreError.kind == .tooLarge(limit: 1 << 26))
    }
    let short = ObjectFetchRequest(
      "Employee", where: try FetchPredicate(#"name MATCHES "(a{249}){4}a""#))
    #expect(try store.fetch(short).isEmpty)
  }
}
