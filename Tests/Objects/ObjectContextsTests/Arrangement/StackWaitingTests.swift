import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// Callers that wait for each other, operations that take turns, and warnings.
struct StackWaitingTests {
  @Test func aDeadlockIsAnError() throws {
    let stack = try Fixtures.stack()
    var inner: ContextError?
    try stack.performBackgroundClosureAndWait { _ in
      try stack.performClosureAndWait { _ in
        inner = stack.failure { try stack.performBackgroundClosureAndWait { _ in } }
      }
    }
    guard case .deadlock(let waits)? = inner?.reason else { throw Fixtures.Missing() }
    #expect(waits.map { $0.waitsFor } == [.background, .main])
    #expect("\(try #require(inner))".hasPrefix("deadlock: main ("))
    // Blocks without a waiting caller can still run.
    try stack.run()
    #expect(!stack.isDeadlocked && stack.readyQueues.isEmpty)
  }

  @Test func twoThatSaveAndWait() throws {
    let stack = try Fixtures.stack()
    stack.enqueue("M", on: .main, [QueuePiece("saves and waits") { $0.callSave() }])
    stack.enqueue("B", on: .background, [QueuePiece("saves and waits") { $0.callSave() }])
    stack.step(.main)
    stack.step(.background)
    let error = stack.failure { try stack.run() }
    #expect(stack.isDeadlocked && stack.readyQueues.isEmpty)
    #expect(
      error?.reason
        == .deadlock([
          QueueWait(.main, doing: "saveAndWait", waitsFor: .background),
          QueueWait(.background, doing: "saveAndWait", waitsFor: .main),
        ]))
    #expect(stack.failure { try stack.saveAndWait() } != nil)
  }

  /// A closure may run the other queues, but not its own.
  @Test func runningFromAClosure() throws {
    let stack = try Fixtures.stack()
    var order: [String] = []
    stack.performClosure { _ in
      #expect(!stack.step(.main) && stack.readyQueues == [.background])
      try stack.run()
      order.append("outer")
    }
    stack.performClosure { _ in order.append("next") }
    stack.performBackgroundClosure { _ in order.append("background") }
    try stack.run()
    #expect(order == ["background", "outer", "next"])
  }

  /// An operation nested in one that has the turn can never get its turn, and gives it up.
  @Test func aTurnWithinATurn() throws {
    let stack = try Fixtures.stack(StackOptions(takesTurns: true))
    var inner: ContextError?
    try stack.performClosureWaitAndSave { _ in
      inner = stack.failure {
        try stack.performClosureWaitAndSave { try $0.insertPerson("No", "No") }
      }
    }
    guard case .deadlock? = inner?.reason else { throw Fixtures.Missing() }
    try stack.performBackgroundClosureWaitAndSave { try $0.insertPerson("Bob", "B") }
    try stack.run()
    #expect(try stack.names() == (["Bob"], ["Bob"]))
  }

  @Test func savingFromAClosureOfTheOtherQueue() throws {
    let stack = try Fixtures.stack()
    try stack.performBackgroundClosureAndWait { context in
      try context.insertPerson("Bob", "B")
      try stack.saveAndWait()
    }
    #expect(!stack.hasChanges)
    try stack.run()
    #expect(try stack.names() == (["Bob"], ["Bob"]))
  }

  @Test func turns() throws {
    let stack = try Fixtures.stack(StackOptions(takesTurns: true))
    var order: [String] = []
    func operation(_ name: String, on queue: StackQueue) {
      let closure = { (context: QueuedContext) throws in
        order.append(name)
        try context.findOrInsertEntities(
          entityName: "Person", whereKey: "firstName", equalsValue: .text("Jad"))
      }
      if queue == .main {
        stack.performClosureAndSave(closure) { _, error in order.append("\(name) done") }
      } else {
        stack.performBackgroundClosureAndSave(closure) { _, error in order.append("\(name) done") }
      }
    }
    operation("first", on: .background)
    operation("second", on: .main)
    #expect(stack.readyQueues == [.background])
    // A waiting caller gets its turn after earlier ones.
    try stack.performClosureWaitAndSave { context in
      order.append("third")
      #expect(try context.findAll(entityName: "Person").count == 1)
      try context.insertPerson("Ann", "One")
    }
    operation("fourth", on: .main)
    try stack.run()
    #expect(order.filter { !$0.hasSuffix("done") } == ["first", "second", "third", "fourth"])
    #expect(try stack.names() == (["Ann", "Jad"], ["Ann", "Jad"]))
    #expect(stack.warnings.isEmpty)
  }

  /// A failed operation passes on its turn as well.
  @Test func turnsAfterAnError() throws {
    let stack = try Fixtures.stack(StackOptions(takesTurns: true))
    stack.performClosureAndSave({ _ in throw Fixtures.Missing() })
    stack.performBackgroundClosureAndSave({ try $0.insertPerson("Bob", "B") })
    try stack.run()
    #expect(
      stack.failure { try stack.performClosureWaitAndSave { _ in throw Fixtures.Missing() } } != nil
    )
    try stack.performClosureWaitAndSave { _ in }
    try stack.run()
    #expect(try stack.names() == (["Bob"], ["Bob"]))
  }

  @Test func sameDataOnTwoContexts() throws {
    func edit(_ name: JSONString) -> ThreeContextStack.ContextClosure {
      { context in
        for person in try context.findAll(entityName: "Person") {
          try DSTPerson(person).setName("Ann", name)
        }
      }
    }
    let stack = try Fixtures.stack()
    try stack.performClosureWaitAndSave { try $0.insertPerson("Ann", "One", id: "a") }
    try stack.run()
    // Sequential operations cause no warning, from any thread.
    stack.performClosureAndSave(edit("Two"))
    try stack.run()
    stack.performBackgroundClosureAndSave(edit("Three"))
    try stack.run()
    try stack.performClosureWaitAndSave(edit("Four"))
    #expect(stack.warnings.isEmpty)
    stack.performClosureAndSave(edit("Five"))
    stack.performBackgroundClosureAndSave(edit("Six"))
    try stack.run()
    #expect(stack.warnings == [.sameData(.object("a"))])
    #expect(
      stack.warnings[0].description
        == "'a' is saved on two contexts at the same time: this can duplicate it or lose an edit"
    )
  }

  @Test func differentDataOnTwoContexts() throws {
    let stack = try Fixtures.stack()
    stack.performClosureAndSave({ try $0.insertPerson("Ann", "One") })
    stack.performBackgroundClosureAndSave({ context in
      try context.findOrInsertEntities(
        entityName: "Person", whereKey: "firstName", equalsValue: .text("Bob"))
    })
    stack.performClosureAndSave({ context in
      try context.findOrInsertEntities(
        entityName: "Person", whereKey: "firstName", equalsValue: .text("Cid"))
    })
    try stack.run()
    #expect(stack.warnings.isEmpty)
  }

  @Test func aContextOnAForeignQueue() throws {
    let stack = try Fixtures.stack()
    stack.performBackgroundClosureAndSave({ _ in }) { context, _ in
      _ = try? context.findAll(entityName: "Person")
    }
    try stack.run()
    #expect(stack.warnings == [.foreignQueue(context: .background, on: .main)])
    #expect(
      stack.warnings[0].description == "the background context is used on the main queue")
  }

  /// A stored state can be continued several times.
  @Test func statesAreValues() throws {
    let stack = try Fixtures.stack()
    stack.performClosureAndSave({ try $0.insertPerson("Ann", "One", id: "a") })
    let (kept, print) = (stack.state, stack.fingerprint)
    stack.step(.main)
    #expect(stack.fingerprint != print && stack.mainContext.hasChanges)
    stack.state = kept
    #expect(stack.fingerprint == print && !stack.mainContext.hasChanges)
    stack.step(.main)
    let second = stack.fingerprint
    stack.state = kept
    stack.step(.main)
    #expect(stack.fingerprint == second)
  }
}
