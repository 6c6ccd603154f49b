import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import ReferenceDatastore
import Testing

/// Closures on the two queues, and saves of all contexts.
struct StackOperationsTests {
  struct OwnError: Error, CustomStringConvertible {
    let description = "not today"
  }

  @Test func withoutAPath() throws {
    let host = ObjectHost(ReferenceDatastore(), RunEnvironment(seed: 1))
    let model = try Fixtures.people()
    for path: JSONString? in [nil, ""] {
      let error = #expect(throws: ContextError.self) {
        try ThreeContextStack(model: model, storePath: path, host: host)
      }
      #expect(error?.reason == .missingStorePath)
      #expect(error?.description == "a store on disk needs a path")
    }
  }

  @Test func aPathThatNamesNothing() throws {
    let host = ObjectHost(ReferenceDatastore(), RunEnvironment(seed: 1))
    let model = try Fixtures.people()
    let error = #expect(throws: ContextError.self) {
      try ThreeContextStack(model: model, storePath: "/", host: host)
    }
    guard case .store(let cause)? = error?.reason else { throw Fixtures.Missing() }
    #expect(cause.reason == .badURL)
  }

  @Test func openedAgain() throws {
    let host = ObjectHost(ReferenceDatastore(), RunEnvironment(seed: 1))
    let first = try ThreeContextStack(
      model: try Fixtures.people(), storePath: "file:///people", host: host)
    try first.performClosureWaitAndSave { try $0.insertPerson("Ann", "One") }
    let second = try ThreeContextStack(
      model: try Fixtures.people(), storePath: "file:///people", host: host)
    #expect(try second.names() == (["Ann"], ["Ann"]))
    #expect(first.persistentStoreURL == "file:///people")
    #expect(try Fixtures.stack().persistentStoreURL == nil)
  }

  @Test func nothingRunsByItself() throws {
    let stack = try Fixtures.stack()
    var order: [String] = []
    stack.performClosure { _ in order.append("main 1") }
    stack.performClosure { _ in order.append("main 2") }
    stack.performBackgroundClosure { _ in order.append("background") }
    #expect(order.isEmpty && stack.count(of: .main) == 2)
    #expect(stack.readyQueues == [.main, .background])
    #expect(stack.step(.background) && !stack.step(.background) && !stack.step(.writer))
    #expect(order == ["background"])
    try stack.run()
    #expect(order == ["background", "main 1", "main 2"])
  }

  @Test func aCallThatWaitsRunsWhatIsBeforeIt() throws {
    let stack = try Fixtures.stack()
    var order: [String] = []
    stack.performBackgroundClosure { _ in order.append("before") }
    stack.performClosure { _ in order.append("elsewhere") }
    try stack.performBackgroundClosureAndWait { _ in order.append("waited for") }
    #expect(order == ["before", "waited for"])
    try stack.run()
    #expect(order.last == "elsewhere")
  }

  @Test func aClosureOnItsOwnQueueIsCalledAtOnce() throws {
    let stack = try Fixtures.stack()
    var order: [String] = []
    stack.performClosure { _ in
      try stack.performClosureAndWait { _ in order.append("inner") }
      try stack.performBackgroundClosureAndWait { _ in order.append("on background") }
      order.append("outer")
    }
    stack.performClosure { _ in order.append("next") }
    try stack.run()
    #expect(order == ["inner", "on background", "outer", "next"])
  }

  @Test func theCompletionIsCalledOnTheMainQueueWhenAllIsSavedAndMerged() throws {
    for stack in try Fixtures.stacks() {
      var seen: [[JSONString?]] = []
      stack.performBackgroundClosureAndSave({ try $0.insertPerson("Bob", "B") }) { context, error in
        #expect(error == nil && context.queue == .background && !stack.hasChanges)
        // The main context has merged the changes saved by the background context.
        #expect(stack.mainContext.registeredIDs.count == 1)
        #expect(throws: Never.self) {
          try stack.performClosureAndWait { seen.append(try $0.names()) }
        }
      }
      #expect(stack.readyQueues == [.background])
      while stack.count(of: .writer) == 0 { stack.step(stack.readyQueues[0]) }
      #expect(seen.isEmpty)
      try stack.run()
      #expect(seen == [["Bob"]] && stack.warnings.isEmpty)
    }
  }

  @Test func aSaveSavesWhatAllContextsHold() throws {
    let stack = try Fixtures.stack()
    try stack.performClosureAndWait { try $0.insertPerson("Half", "Done") }
    #expect(stack.hasChanges)
    try stack.performBackgroundClosureWaitAndSave { try $0.insertPerson("Bob", "B") }
    try stack.run()
    #expect(!stack.hasChanges)
    #expect(try stack.names() == (["Bob", "Half"], ["Bob", "Half"]))
    let saved = stack.events.compactMap { event -> StackQueue? in
      if case .saved(let queue, _) = event { return queue }
      return nil
    }
    #expect(saved == [.main, .background, .writer])
  }

  @Test func eachContextIsToldOf() throws {
    let stack = try Fixtures.stack()
    var told: [StackQueue] = []
    try stack.saveAndWait { queue, _ in told.append(queue) }
    #expect(told == [.main, .background, .writer])
    var ended = false
    stack.save(onContextSave: { queue, _ in told.append(queue) }) { error in
      ended = error == nil
    }
    try stack.run()
    #expect(told.count == 6 && ended)
  }

  @Test func itStopsAtTheFirstError() throws {
    let tooLong: JSONString = "far longer than twenty letters"
    for stack in try Fixtures.stacks() {
      try stack.performClosureAndWait { try $0.insertPerson("Ann", tooLong) }
      var errors: [ContextError?] = []
      stack.performBackgroundClosureAndSave({ try $0.insertPerson("Bob", "B") }) { _, error in
        errors.append(error)
      }
      try stack.run()
      guard let cause = errors.first ?? nil, cause.queue == .main, errors.count == 1 else {
        throw Fixtures.Missing()
      }
      #expect(cause.code == 1660)
      #expect(stack.backgroundContext.hasChanges)
      #expect(stack.failure { try stack.saveAndWait() } == errors[0])
      #expect(stack.backgroundContext.hasChanges)
      try stack.performClosureAndWait { context in
        for person in try context.findAll(entityName: "Person") { try person.delete() }
      }
      try stack.saveAndWait()
      #expect(try stack.names() == (["Bob"], ["Bob"]))
    }
  }

  /// Without a completion, the product continues with the other contexts.
  @Test(arguments: StackOptions.SaveFailure.allCases)
  func withoutACompletion(failure: StackOptions.SaveFailure) throws {
    let stack = try Fixtures.stack(StackOptions(saveFailure: failure))
    try stack.performClosureAndWait { try $0.insertPerson("Ann", "far longer than twenty letters") }
    stack.performBackgroundClosureAndSave({ try $0.insertPerson("Bob", "B") })
    try stack.run()
    #expect(stack.mainContext.hasChanges)
    #expect(stack.backgroundContext.hasChanges == (failure == .stops))
    var heard: ContextError?
    stack.save { heard = $0 }
    try stack.run()
    #expect(heard != nil)
  }

  @Test func aClosureThatThrowsIsNotSaved() throws {
    let stack = try Fixtures.stack()
    #expect(
      stack.failure { try stack.performClosureAndWait { _ in throw OwnError() } }?.reason
        == .application("not today"))
    #expect(
      stack.failure {
        try stack.performBackgroundClosureWaitAndSave {
          try $0.findAll(entityName: "No").first?.delete()
        }
      } != nil)
    var error: ContextError?
    stack.performClosureAndSave({ context in
      try context.insertPerson("Ann", "One")
      throw OwnError()
    }) { error = $1 }
    stack.performClosure { _ in throw OwnError() }
    try stack.run()
    #expect(error?.reason == .application("not today") && stack.hasChanges)
    #expect(
      stack.events.filter { $0 == .failed(.main, ContextError(.application("not today"))) }.count
        == 2
    )
  }

  @Test func forgetting() throws {
    for stack in try Fixtures.stacks() {
      try stack.performClosureWaitAndSave { try $0.insertPerson("Ann", "One", id: "a") }
      try stack.performBackgroundClosureAndWait { try $0.insertPerson("Bob", "B") }
      try stack.resetContexts()
      #expect(!stack.hasChanges && stack.mainContext.registeredIDs.isEmpty)
      #expect(try stack.names() == (["Ann"], ["Ann"]))
      try stack.reset()
      try stack.run()
      #expect(try stack.names() == ([], []))
      try stack.performClosureWaitAndSave { try $0.insertPerson("Ann", "Two") }
      try stack.run()
      #expect(try stack.names() == (["Ann"], ["Ann"]))
    }
  }
}
