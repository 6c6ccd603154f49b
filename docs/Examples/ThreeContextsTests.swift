import Testing
import TouchstoneKit

/// Find-or-insert on the main and on the background context of one store.
struct ThreeContextsTests {
  static func stack(_ options: StackOptions = StackOptions()) throws -> ThreeContextStack {
    let model = try ManagedObjectModel([
      EntityDescription("Person", attributes: [AttributeDescription("firstName", .utf8)])
    ])
    return try ThreeContextStack(
      model: model, storePath: "file:///documents/people",
      host: ObjectHost(ReferenceDatastore(), RunEnvironment(seed: 1)), options: options)
  }

  static func findOrInsert(_ context: QueuedContext) throws {
    try context.findOrInsertEntities(
      entityName: "Person", whereKey: "firstName", equalsValue: .text("Jad"))
  }

  static func personCount(_ stack: ThreeContextStack) throws -> Int {
    var count = 0
    try stack.performClosureAndWait { count = try $0.findAll(entityName: "Person").count }
    return count
  }

  @Test func oneOperationAfterTheOther() throws {
    let stack = try Self.stack()
    try stack.performClosureWaitAndSave(Self.findOrInsert)
    try stack.performBackgroundClosureWaitAndSave(Self.findOrInsert)
    #expect(try Self.personCount(stack) == 1)
    #expect(stack.warnings.isEmpty)
  }

  @Test func bothSearchBeforeEitherSaves() throws {
    let stack = try Self.stack()
    stack.performClosureAndSave(Self.findOrInsert)
    stack.performBackgroundClosureAndSave(Self.findOrInsert)
    // Each step runs one closure: it finds no person and inserts one.
    stack.step(.main)
    stack.step(.background)
    // Runs the saves and merges that are left.
    try stack.run()
    #expect(try Self.personCount(stack) == 2)
    #expect(
      stack.warnings == [
        .sameData(.value(entity: "Person", key: "firstName", .text("Jad")))
      ])
  }

  @Test func operationsThatTakeTurns() throws {
    let stack = try Self.stack(StackOptions(takesTurns: true))
    stack.performClosureAndSave(Self.findOrInsert)
    stack.performBackgroundClosureAndSave(Self.findOrInsert)
    stack.step(.main)
    // The background operation starts after the save of the main operation.
    #expect(!stack.step(.background))
    try stack.run()
    #expect(try Self.personCount(stack) == 1)
  }

  @Test func queuesThatWaitForEachOther() throws {
    let stack = try Self.stack()
    var failure: ContextError?
    try stack.performBackgroundClosureAndWait { _ in
      try stack.performClosureAndWait { _ in
        do throws(ContextError) {
          try stack.performBackgroundClosureAndWait { _ in }
        } catch {
          failure = error
        }
      }
    }
    guard case .deadlock(let waits)? = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(waits.map { $0.waitsFor } == [.background, .main])
  }
}
