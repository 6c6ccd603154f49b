import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// Fetches return the same results for unsaved objects as for documents.
struct PendingFetchTests {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel([
      EntityDescription(
        "E",
        attributes: [
          AttributeDescription("i", .int64), AttributeDescription("d", .double),
          AttributeDescription("f", .float), AttributeDescription("m", .decimal),
          AttributeDescription("s", .utf8), AttributeDescription("b", .bool),
          AttributeDescription("t", .date1970), AttributeDescription("id", .id),
        ],
        relationships: [
          RelationshipDescription("up", to: "E", inverse: "down"),
          RelationshipDescription("down", to: "E", inverse: "up", isToMany: true),
        ])
    ])
  }

  private func fill(_ context: ManagedObjectContext) throws {
    let decimal = try #require(DecimalNumber(text: "2.50".utf8))
    let rows: [(ObjectID, [JSONString: PropertyValue])] = [
      ("nothing", [:]),
      (
        "one",
        [
          "i": .attribute(.integer(1)), "d": .attribute(.double(1.5)), "f": .attribute(.float(0.1)),
          "m": .attribute(.decimal(decimal)), "s": .attribute(.text("Apple")),
          "b": .attribute(.bool(true)), "t": .attribute(.date(0)),
        ]
      ),
      (
        "two",
        [
          "i": .attribute(.integer(-3)), "d": .attribute(.double(.nan)),
          "f": .attribute(.float(.infinity)), "m": .attribute(.decimal(.nan)),
          "s": .attribute(.text("a\nb*c")), "b": .attribute(.bool(false)),
          "t": .attribute(.date(978_307_201.5)), "up": .toOne("one"),
        ]
      ),
      (
        "three",
        [
          "i": .attribute(.integer(.max)), "d": .attribute(.double(-.infinity)),
          "f": .attribute(.float(-2)), "s": .attribute(.text("")), "up": .toOne("one"),
        ]
      ),
      ("four", ["i": .attribute(.integer(1)), "d": .attribute(.double(1)), "up": .toOne("two")]),
    ]
    for (id, values) in rows { try context.insert("E", id: id, values) }
    try context.save()
  }

  static let predicates: [JSONString] = [
    "TRUEPREDICATE", "FALSEPREDICATE", "i == nil", "i != nil", "i == 1", "i != 1", "i < 2",
    "i >= -3",
    "i > 9223372036854775806", "i BETWEEN {-3, 1}", "i IN {1, 5}", "i < 1.5", "i == 1.0",
    "NOT i == 1",
    "i == 1 AND d > 1", "i == 1 OR b == NO", "d == nil", "d != nil", "d < 1.25", "d >= 1",
    "d != 1.5",
    "d == 1", "d > -1000000", "f == 0.1", "f > 0", "f < -1", "f != -2", "m == 2.5", "m != 2.5",
    "m > 2", "m == nil", "s == 'Apple'", "s != 'Apple'", "s ==[c] 'aPPLE'", "s BEGINSWITH 'A'",
    "s BEGINSWITH[c] 'a'", "s ENDSWITH 'le'", "s CONTAINS 'pp'", "s CONTAINS[c] 'B'",
    "s LIKE 'A*e'",
    "s LIKE[c] '?PPL?'", "s LIKE 'a*c'", "s LIKE '*\\\\**'", "s MATCHES '[A-Z].*'", "s == ''",
    "s == nil", "s > 'B'", "s <= 'a'", "s IN {'Apple', ''}", "b == YES", "b != YES", "b == nil",
    "b == 1", "t == CAST(0, 'NSDate')", "t > CAST(0, 'NSDate')", "t != nil", "up == nil",
    "up != nil", "up.i == 1", "up.i == nil", "up.up.s == 'Apple'", "up.up == nil",
    "ANY down.i == 1",
    "ALL down.i > 0", "NONE down.b == NO", "ANY down.down.i == 1", "down.@count == 2",
    "down.@count < 1", "ANY up.down.i == 1", "i == 1.50", "i > 9223372036854775806.5",
    "i >= -9223372036854775808.5", "m < 1e100", "m > -3", "i == YES", "b == 2", "d IN {nil, 1}",
    "i IN {nil}", "up.up.i == nil", "ANY SELF.down.s != nil", "NONE down.i == 1",
    "SELF IN {nil}", "id == nil", "id != nil",
  ]

  @Test(arguments: predicates)
  func bothFindTheSame(_ text: JSONString) throws {
    let caches = try Fixtures.both(try Self.model())
    let predicate = try FetchPredicate(text)
    var found: [[ObjectID]] = []
    for cache in caches {
      let context = cache.context()
      try fill(context)
      found.append(try cache.store.fetch(ObjectFetchRequest("E", where: predicate)).map { $0.id })
      // Changed to equal values, all objects are evaluated in memory.
      for row in try cache.store.rows(of: "E") { try context.set([:], of: row.id) }
      found.append(try context.fetch(ObjectFetchRequest("E", where: predicate)).map { $0.id })
    }
    #expect(Set(found).count == 1, "\(found)")
  }

  @Test("PRED-014: a decimal as long as an integer can be is compared with integers")
  func theSmallestInteger() throws {
    let least = try #require(DecimalNumber(text: "-9223372036854775808".utf8))
    for cache in try Fixtures.both(try Self.model()) {
      let context = cache.context()
      try context.insert("E", id: "least", ["i": .attribute(.integer(.min))])
      let request = ObjectFetchRequest(
        "E",
        where: .comparison(
          PredicateComparison(.path(["i"]), .equal, operand: .value(.decimal(least)))))
      #expect(try context.fetch(request).map { $0.id } == ["least"])
      try context.save()
      #expect(try cache.store.fetch(request).map { $0.id } == ["least"])
    }
  }

  @Test(arguments: [
    ObjectFetchRequest("E", offset: -1), ObjectFetchRequest("E", limit: -1),
    ObjectFetchRequest("E", sort: [FetchSortDescriptor("no")]), ObjectFetchRequest("No"),
  ])
  func requestsThatCannotBeMet(_ request: ObjectFetchRequest) throws {
    for cache in try Fixtures.both(try Self.model()) {
      let context = cache.context()
      try fill(context)
      for includesPendingChanges in [true, false] {
        let error = context.failure {
          _ = try context.fetch(request, includesPendingChanges: includesPendingChanges)
        }
        guard case .store? = error?.reason else {
          Issue.record("\(request) was accepted")
          return
        }
      }
    }
  }

  @Test(
    arguments: [
      "up.no == 1", "down.i == 1", "s ==[d] 'a'", "i == 'x'", "ANY SELF == nil", "ANY i == 1",
      "i CONTAINS 1", "i IN 1", "i == {1}", "s CONTAINS nil", "b < YES",
    ] as [JSONString])
  func whatCannotBeAsked(_ text: JSONString) throws {
    for cache in try Fixtures.both(try Self.model()) {
      let context = cache.context()
      try fill(context)
      let request = ObjectFetchRequest("E", where: try FetchPredicate(text))
      let error = context.failure { _ = try context.fetch(request) }
      guard case .store(let failure)? = error?.reason, case .predicate = failure.reason else {
        Issue.record("\(text) was accepted")
        return
      }
    }
  }

  /// Order, offset and limit apply to values that are not saved, unless the fetch excludes them.
  @Test func theWindowIsTakenAfterPendingChanges() throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let context = cache.context()
      for (place, id) in (["t", "u", "v"] as [ObjectID]).enumerated() {
        try context.insert("Thing", id: id, Fixtures.numbers(Int64(place + 1), 0))
      }
      try context.save()
      try context.set("a", 9, of: "t")
      let sort = [FetchSortDescriptor("a")]
      let first = ObjectFetchRequest("Thing", sort: sort, limit: 2)
      let last = ObjectFetchRequest("Thing", sort: sort, offset: 1)
      #expect(try context.fetchIDs(first) == ["u", "v"])
      #expect(try context.fetchIDs(last) == ["v", "t"])
      #expect(try context.fetchIDs(first, includesPendingChanges: false) == ["t", "u"])
      #expect(try context.fetchIDs(last, includesPendingChanges: false) == ["u", "v"])
    }
  }
}
