import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// The example of the guide of DataStore: the table of C1, C2 and C0, step by step.
///
/// C1 is the main context with the edit A, C2 the background context with the edit B, C0 the
/// writer. A context is "saved" if its last change was a save of its own, and not a merge; so C1
/// ends neither saved nor changed, as in the table.
struct StateTableTests {
  /// One column of the table.
  struct Column: Equatable {
    var state: String
    var isSaved: Bool
    var hasChanges: Bool

    init(_ state: String, saved isSaved: Bool, changes hasChanges: Bool) {
      (self.state, self.isSaved, self.hasChanges) = (state, isSaved, hasChanges)
    }
  }

  static func column(_ stack: ThreeContextStack, _ queue: StackQueue) -> Column {
    let state = stack.state
    let context =
      switch queue {
      case .background: state.background
      case .writer: state.writer
      case .caller, .main: state.main
      }
    let edits = [("A", ObjectID("a")), ("B", ObjectID("b"))].filter { _, id in
      context.objects[id] != nil
    }
    let last = stack.events.last { event in
      switch event {
      case .saved(queue, let notification), .merged(queue, from: _, let notification):
        !notification.isEmpty
      default: false
      }
    }
    var isSaved = false
    if case .saved? = last { isSaved = true }
    let isChanged = context.objects.values.contains { $0.change != .unchanged }
    return Column(
      edits.map { $0.0 }.joined(), saved: isSaved && !isChanged, changes: isChanged)
  }

  @Test func stepByStep() throws {
    let stack = try Fixtures.stack()
    try stack.performClosureAndWait { try $0.insertPerson("Ann", "A", id: "a") }
    try stack.performBackgroundClosureAndWait { try $0.insertPerson("Bob", "B", id: "b") }
    var table: [[Column]] = []
    func note() { table.append([.main, .background, .writer].map { Self.column(stack, $0) }) }
    note()
    stack.save()
    let steps: [StackQueue] = [.main, .background, .background, .main, .writer]
    #expect(stack.count(of: .main) == 1)
    for queue in steps {
      #expect(stack.step(queue))
      note()
    }
    #expect(stack.readyQueues.isEmpty)
    let expected: [[Column]] = [
      [
        Column("A", saved: false, changes: true), Column("B", saved: false, changes: true),
        Column("", saved: false, changes: false),
      ],
      // C1 saves: C0 has A as a change.
      [
        Column("A", saved: true, changes: false), Column("B", saved: false, changes: true),
        Column("A", saved: false, changes: true),
      ],
      // C2 merges: AB, not saved yet.
      [
        Column("A", saved: true, changes: false), Column("AB", saved: false, changes: true),
        Column("A", saved: false, changes: true),
      ],
      // C2 saves.
      [
        Column("A", saved: true, changes: false), Column("AB", saved: true, changes: false),
        Column("AB", saved: false, changes: true),
      ],
      // C1 merges: AB, not saved since.
      [
        Column("AB", saved: false, changes: false), Column("AB", saved: true, changes: false),
        Column("AB", saved: false, changes: true),
      ],
      // C0 saves to the disk: the table of the guide.
      [
        Column("AB", saved: false, changes: false), Column("AB", saved: true, changes: false),
        Column("AB", saved: true, changes: false),
      ],
    ]
    #expect(table == expected)
  }

  /// `saveAndWait` has the same final state, but may return before C1 has merged.
  @Test func withSaveAndWait() throws {
    let stack = try Fixtures.stack()
    try stack.performClosureAndWait { try $0.insertPerson("Ann", "A", id: "a") }
    try stack.performBackgroundClosureAndWait { try $0.insertPerson("Bob", "B", id: "b") }
    try stack.saveAndWait()
    #expect(!stack.hasChanges)
    #expect(Self.column(stack, .main) == Column("A", saved: true, changes: false))
    #expect(stack.count(of: .main) == 1)
    try stack.run()
    #expect(
      [.main, .background, .writer].map { Self.column(stack, $0) }
        == [
          Column("AB", saved: false, changes: false), Column("AB", saved: true, changes: false),
          Column("AB", saved: true, changes: false),
        ])
    #expect(try stack.names() == (["Ann", "Bob"], ["Ann", "Bob"]))
  }

  /// A and B change the same property of the same object: the local change of C2 survives the
  /// merge.
  @Test func theSameProperty() throws {
    for stack in try Fixtures.stacks() {
      try stack.performClosureWaitAndSave { try $0.insertPerson("Ann", "One", id: "a") }
      try stack.run()
      for (queue, name) in [(StackQueue.main, "Two"), (.background, "Three")] {
        let edit = { (context: QueuedContext) throws in
          for person in try context.findAll(entityName: "Person") {
            try DSTPerson(person).setName("Ann", JSONString(name))
          }
        }
        if queue == .main {
          try stack.performClosureAndWait(edit)
        } else {
          try stack.performBackgroundClosureAndWait(edit)
        }
      }
      stack.save()
      try stack.run()
      #expect(!stack.hasChanges)
      for context in [stack.mainContext, stack.backgroundContext] {
        #expect(try context.object("a").properties["lastName"] == .attribute(.text("Three")))
      }
    }
  }

  /// C1 deletes an object that C2 has edited: an option determines the result, on which all agree.
  @Test(arguments: ContextOptions.DeletedInParent.allCases)
  func deletedAndEdited(rule: ContextOptions.DeletedInParent) throws {
    let stack = ThreeContextStack(
      over: Fixtures.memory(try Fixtures.people()),
      contextOptions: ContextOptions(deletedInParent: rule), RunEnvironment(seed: 1))
    try stack.performClosureWaitAndSave { try $0.insertPerson("Ann", "One", id: "a") }
    try stack.run()
    try stack.performClosureAndWait { context in
      for person in try context.findAll(entityName: "Person") { try person.delete() }
    }
    try stack.performBackgroundClosureAndWait { context in
      for person in try context.findAll(entityName: "Person") {
        try person.set(["lastName": .attribute(.text("Two"))])
      }
    }
    try stack.saveAndWait()
    try stack.run()
    #expect(!stack.hasChanges)
    let expected: [JSONString?] = rule == .comesBack ? ["Ann"] : []
    #expect(try stack.names() == (expected, expected))
  }
}
