import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import TestSeeds
import Testing

/// Random operations in random schedules: completed operations are stored, and all contexts agree.
struct RandomStackTests {
  private struct Run {
    let stack: ThreeContextStack
    let rows: MemoryRows
    var random: RunEnvironment
    var inserted: Set<ObjectID> = []

    init(seed: UInt64, takesTurns: Bool) throws {
      rows = MemoryRows(try Fixtures.people())
      stack = ThreeContextStack(
        over: StoreCoordinatorCache(rows), options: StackOptions(takesTurns: takesTurns),
        RunEnvironment(seed: seed))
      random = RunEnvironment(seed: seed &* 31)
    }

    mutating func below(_ count: Int) -> Int { Int(random.nextRandom() % UInt64(count)) }

    /// An operation that inserts a new person, and edits existing ones.
    mutating func operate(_ number: Int) throws {
      let id = ObjectID(JSONString("p\(number)"))
      inserted.insert(id)
      let edits = below(2) == 0
      let closure = { (context: QueuedContext) throws in
        if edits {
          for person in try context.findAll(entityName: "Person") {
            try person.set(["lastName": .attribute(.text(JSONString("by \(number)")))])
          }
        }
        try context.insertPerson(JSONString("\(number)"), "New", id: id)
      }
      switch below(8) {
      case 0: stack.performClosure(closure)
      case 1: stack.performBackgroundClosure(closure)
      case 2, 3: stack.performClosureAndSave(closure)
      case 4, 5: stack.performBackgroundClosureAndSave(closure)
      case 6: try stack.performClosureWaitAndSave(closure)
      default: try stack.performBackgroundClosureWaitAndSave(closure)
      }
    }

    mutating func step() {
      let ready = stack.readyQueues
      if !ready.isEmpty { stack.step(ready[below(ready.count)]) }
    }
  }

  @Test(arguments: [false, true])
  func inTheEndAllAgree(takesTurns: Bool) throws {
    for seed in RotatingSeeds.next(40) {
      var run = try Run(seed: seed, takesTurns: takesTurns)
      for number in 1...8 {
        try run.operate(number)
        for _ in 0..<run.below(6) { run.step() }
      }
      while !run.stack.readyQueues.isEmpty { run.step() }
      run.stack.save()
      try run.stack.run()
      let stack = run.stack
      #expect(!stack.hasChanges && stack.waits.isEmpty, "seed \(seed)")
      #expect(Set(run.rows.rows.keys) == run.inserted, "seed \(seed)")
      for event in stack.events {
        if case .failed(_, let error) = event { Issue.record("seed \(seed): \(error)") }
      }
      for context in [stack.mainContext, stack.backgroundContext] {
        let seen = try context.fetch(ObjectFetchRequest("Person"))
        #expect(seen.map { $0.id } == run.rows.rows(of: "Person").map { $0.id }, "seed \(seed)")
        for person in seen {
          let row = try #require(run.rows.row(person.id))
          #expect(RowSnapshot(person).values == RowSnapshot(row).values, "seed \(seed)")
        }
      }
    }
  }
}
