import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// Fetches that include unsaved changes.
struct OverlayTests {
  private func context() throws -> [ManagedObjectContext] {
    try Fixtures.both(try Fixtures.model()).map { cache in
      let context = cache.context()
      for number in 1...4 as ClosedRange<Int64> {
        try context.insert(
          "Thing", id: ObjectID(JSONString("t\(number)")), Fixtures.numbers(number, 0))
      }
      try context.save()
      try context.set("a", 10, of: "t1")
      try context.set("a", 0, of: "t3")
      try context.delete("t4")
      try context.insert("Thing", id: "t5", Fixtures.numbers(3, 0))
      return context
    }
  }

  private func ids(
    _ context: ManagedObjectContext, _ predicate: JSONString?, sort: [FetchSortDescriptor] = [],
    offset: Int64 = 0, limit: Int64? = nil, pending: Bool = true
  ) throws -> [ObjectID] {
    let request = ObjectFetchRequest(
      "Thing", where: try predicate.map { try FetchPredicate($0) }, sort: sort, offset: offset,
      limit: limit)
    return try context.fetch(request, includesPendingChanges: pending).map { $0.id }
  }

  @Test func changesAreAskedAgain() throws {
    for context in try context() {
      #expect(try ids(context, nil) == ["t1", "t2", "t3", "t5"])
      #expect(try ids(context, "a >= 2") == ["t1", "t2", "t5"])
      #expect(
        try ids(context, nil, sort: [FetchSortDescriptor("a", ascending: false)])
          == ["t1", "t5", "t2", "t3"])
      #expect(
        try ids(context, nil, sort: [FetchSortDescriptor("a")], offset: 1, limit: 2) == [
          "t2", "t5",
        ])
      #expect(try context.count(ObjectFetchRequest("Thing")) == 4)
    }
  }

  @Test func withoutChangesTheStoreDecides() throws {
    for context in try context() {
      #expect(try ids(context, "a >= 2", pending: false) == ["t2", "t3", "t4"])
      #expect(
        try ids(
          context, nil, sort: [FetchSortDescriptor("a", ascending: false)], limit: 2, pending: false
        )
          == ["t4", "t3"])
      // A result has its local values.
      let request = ObjectFetchRequest("Thing", where: try FetchPredicate("a == 1"))
      #expect(
        try context.fetch(request, includesPendingChanges: false).map { $0.properties["a"] }
          == [.attribute(.integer(10))])
    }
  }

  @Test func aChildFetchesOverItsParent() throws {
    for parent in try context() {
      let child = parent.child()
      #expect(try ids(child, "a >= 2") == ["t1", "t2", "t5"])
      try child.delete("t5")
      try child.set("a", 7, of: "t3")
      #expect(try ids(child, "a >= 2") == ["t1", "t2", "t3"])
      #expect(try ids(parent, "a >= 2") == ["t1", "t2", "t5"])
    }
  }

  @Test func cascadesAreFollowedFirst() throws {
    for cache in try Fixtures.both(try Fixtures.model(employees: .cascade)) {
      let context = cache.context()
      try context.insert("Dept", id: "d")
      try context.insert("Emp", id: "e", ["dept": .toOne("d")])
      try context.save()
      try context.delete("d")
      #expect(try context.fetch(ObjectFetchRequest("Emp")).isEmpty)
      #expect(context.deletedIDs == ["d", "e"])
    }
  }

  @Test func keyPathsSeeTheChanges() throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let context = cache.context()
      try context.insert("Dept", id: "d", ["name": .attribute(.text("sales"))])
      try context.insert("Emp", id: "e", ["dept": .toOne("d")])
      let request = ObjectFetchRequest("Emp", where: try FetchPredicate("dept.name == 'sales'"))
      #expect(try context.fetch(request).map { $0.id } == ["e"])
      let many = ObjectFetchRequest(
        "Dept", where: try FetchPredicate("emps.@count == 1 AND ANY emps.age == nil"))
      #expect(try context.fetch(many).map { $0.id } == ["d"])
    }
  }

  /// Unsaved objects have the expression limit of `find`.
  @Test func expressionsAreBounded() throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let context = cache.context()
      let request = ObjectFetchRequest(
        "Thing", where: try FetchPredicate(#"name MATCHES "(a{249}){4}a{2}""#))
      func name(_ count: Int) -> [JSONString: PropertyValue] {
        ["name": .attribute(.text(JSONString(String(repeating: "b", count: count))))]
      }
      try context.insert("Thing", id: "t", name(67_108))
      #expect(try context.fetch(request).isEmpty)
      try context.set(name(67_109), of: "t")
      for _ in ["pending", "saved"] {
        let failure = context.failure { _ = try context.fetch(request) }
        guard case .store(let error)? = failure?.reason else {
          Issue.record("\(String(describing: failure))")
          return
        }
        #expect(error.asDatastoreError.kind == .tooLarge(limit: 1 << 26))
        try context.save()
      }
    }
  }

  /// A save fails with an error of the operation if a text is too long for the pattern.
  @Test func patternsAreBounded() throws {
    let attribute = AttributeDescription(
      "t", .utf8, validation: AttributeValidation(pattern: "(a{250}){4}"))
    let model = try ManagedObjectModel([EntityDescription("E", attributes: [attribute])])
    let long = JSONString(String(repeating: "b", count: 67_109))
    for cache in try Fixtures.both(model) {
      let context = cache.context()
      try context.insert("E", id: "e", ["t": .attribute(.text(long))])
      guard case .store(let error)? = context.failure({ try context.save() })?.reason else {
        Issue.record("expected tooLarge")
        return
      }
      #expect(error.asDatastoreError.kind == .tooLarge(limit: 1 << 26))
    }
  }
}
