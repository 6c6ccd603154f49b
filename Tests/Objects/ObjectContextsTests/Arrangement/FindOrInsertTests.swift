import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// Find-or-insert.
struct FindOrInsertTests {
  @Test func valuesAreNoPartsOfAPredicate() throws {
    let values: [JSONString] = [
      "O\"Brien", "O'Brien", "\" OR TRUEPREDICATE", "a\\", "%@", "", "e\u{301}", "\u{e9}",
      "a\u{0}b",
    ]
    for stack in try Fixtures.stacks() {
      for _ in 1...2 {
        for value in values {
          try stack.performClosureWaitAndSave { context in
            let found = try context.findOrInsertEntities(
              entityName: "Person", whereKey: "firstName", equalsValue: .text(value))
            #expect(found.count == 1)
            #expect(try found.first?.value("firstName") == .attribute(.text(value)))
          }
        }
      }
      #expect(try stack.mainContext.count(ObjectFetchRequest("Person")) == Int64(values.count))
    }
  }

  @Test(arguments: StackOptions.HandledObjects.allCases)
  func whoIsHandled(handled: StackOptions.HandledObjects) throws {
    let stack = try Fixtures.stack(StackOptions(handledObjects: handled))
    var calls = 0
    for _ in 1...2 {
      try stack.performClosureWaitAndSave { context in
        try context.findOrInsertEntities(
          entityName: "Person", whereKey: "firstName", equalsValue: .text("Jad")
        ) { person in
          calls += 1
          try DSTPerson(person).setName("Jad", "Osseiran")
        }
      }
    }
    try stack.run()
    #expect(calls == (handled == .inserted ? 1 : 2))
    let id = try #require(stack.mainContext.registeredIDs.first)
    // A found object that was handled is saved again, but not duplicated.
    let version = stack.state.writer.objects[id]?.current?.version
    #expect(version == (handled == .inserted ? 1 : 2))
    #expect(stack.mainContext.registeredIDs.count == 1)
  }

  @Test func allThatMatch() throws {
    let stack = try Fixtures.stack(StackOptions(handledObjects: .everyResult))
    try stack.performClosureWaitAndSave { context in
      for last: JSONString in ["One", "Two"] { try context.insertPerson("Ann", last) }
      try context.insertPerson("Bob", "B")
    }
    var handled: [JSONString?] = []
    try stack.performBackgroundClosureAndWait { context in
      let found = try context.findOrInsertEntities(
        entityName: "Person", whereKey: "firstName", equalsValue: .text("Ann")
      ) { handled.append(try DSTPerson($0).lastName()) }
      #expect(found.count == 2)
    }
    #expect(Set(handled) == ["One", "Two"])
  }

  /// The context's own insertions are found, saved or not; those of the sibling only after they
  /// have reached the writer.
  @Test func whatCanBeSeen() throws {
    let stack = try Fixtures.stack()
    func find(_ context: QueuedContext) throws {
      try context.findOrInsertEntities(
        entityName: "Person", whereKey: "firstName", equalsValue: .text("Jad"))
    }
    try stack.performClosureAndWait(find)
    try stack.performClosureAndWait(find)
    #expect(stack.mainContext.insertedIDs.count == 1)
    try stack.performClosureAndWait { try $0.save() }
    try stack.performBackgroundClosureAndWait(find)
    #expect(stack.backgroundContext.insertedIDs.isEmpty && stack.hasChanges)
    try stack.saveAndWait()
    #expect(!stack.hasChanges)
  }

  @Test func valuesOfOtherTypes() throws {
    let types: [(AttributeType, [PredicateValue])] = [
      (.date1970, [.date(12.5), .none]), (.int16, [.integer(3), .none]),
      (.double, [.integer(3), .double(0.1)]), (.float, [.integer(3), .double(0.5)]),
      (.bool, [.bool(true), .integer(0)]),
    ]
    for (type, values) in types {
      let model = try ManagedObjectModel([
        EntityDescription("Thing", attributes: [AttributeDescription("value", type)])
      ])
      let stack = ThreeContextStack(over: Fixtures.memory(model), RunEnvironment(seed: 1))
      for value in values + values {
        try stack.performClosureWaitAndSave { context in
          let found = try context.findOrInsertEntities(
            entityName: "Thing", whereKey: "value", equalsValue: value)
          #expect(found.count == 1)
        }
      }
      #expect(stack.mainContext.registeredIDs.count == values.count, "\(type)")
    }
  }

  @Test func finding() throws {
    for stack in try Fixtures.stacks() {
      try stack.performClosureWaitAndSave { context in
        for place in 0...9 { try context.insertPerson(JSONString("\(place)"), "Ordered") }
      }
      for insertion in [1, 2] {
        try stack.performBackgroundClosureAndWait { context in
          let found = try context.findEntities(
            entityName: "Person",
            sortDescriptors: [FetchSortDescriptor("firstName", ascending: false)])
          let names = try found.map { try DSTPerson($0).firstName()?.string ?? "" }
          #expect(names.joined() == (insertion == 1 ? "9876543210" : "X9876543210"))
          #expect(
            stack.failure {
              try stack.performClosureAndWait { _ = try $0.findAll(entityName: "Missing") }
            } != nil)
          if insertion == 1 { try context.insertPerson("X", "Not saved") }
        }
      }
    }
  }
}
