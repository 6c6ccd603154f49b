internal import Datastore
internal import JSON
internal import ObjectContexts
internal import ObjectMapping

/// The arrangement over rows in memory, with an application that uses it.
///
/// All mutable state is in `snapshot`, so every schedule can be continued from every point.
final class RaceWorld {
  let stack: ThreeContextStack
  private let rows: MemoryRows
  /// The number of completed operations among those that the group waits for.
  private var completed = 0
  /// The results of the notified group, by inserter.
  private var found: [JSONString]?
  /// Whether the scenario is about rows, as opposed to waiting.
  private let isRace: Bool
  /// Whether only closures run until none is left, as in the abstract scenario of the guide.
  private var isAbstract = false

  static let lookedFor: JSONString = "Jad"

  private static let model = try? ManagedObjectModel([
    EntityDescription(
      "Person",
      attributes: [
        AttributeDescription("firstName", .utf8), AttributeDescription("lastName", .utf8),
      ])
  ])

  private static let uniqueModel = try? ManagedObjectModel([
    EntityDescription(
      "Person",
      attributes: [
        AttributeDescription("firstName", .utf8), AttributeDescription("lastName", .utf8),
      ],
      uniquenessConstraints: [["firstName"]])
  ])

  private init(
    _ model: ManagedObjectModel?, _ policy: MergePolicy = .error,
    options: StackOptions = StackOptions(), postsOnEmptySave: Bool = true, isRace: Bool
  ) throws(ContextError) {
    self.isRace = isRace
    guard let model else { throw ContextError(.application("the model is not valid")) }
    rows = MemoryRows(model)
    stack = ThreeContextStack(
      over: StoreCoordinatorCache(rows), policy: policy, options: options,
      contextOptions: ContextOptions(postsOnEmptySave: postsOnEmptySave), RunEnvironment(seed: 1))
  }

  // MARK: Scenarios

  convenience init(_ scenario: RaceScenario) throws(ContextError) {
    let isUnique = scenario.variant == .constraint
    try self.init(
      isUnique ? Self.uniqueModel : Self.model, isUnique ? .objectTrump : .error,
      options: StackOptions(takesTurns: scenario.variant == .turns),
      postsOnEmptySave: scenario.postsOnEmptySave, isRace: true)
    switch scenario.reading {
    case .guide, .guideAtOnce:
      isAbstract = true
      for queue: StackQueue in [.main, .background] {
        let request = Self.request(Self.label(queue))
        let look =
          scenario.reading == .guide
          ? StackWork.findOrInsert(request) : .findOrInsertAtOnce(request)
        let save = StackWork("save") { context in
          try context.save()
          return []
        }
        stack.perform([look, save], on: queue, named: Self.label(queue))
      }
    case .arrangement(let first, let callerIsMain):
      let order = [first, first == .main ? .background : .main]
      let isOneByOne = scenario.variant == .oneAfterTheOther
      let calls = (isOneByOne ? [first] : order).map { queue in
        call(queue, scenario.variant, then: isOneByOne ? order[1] : nil)
      }
      stack.enqueue("application", on: callerIsMain ? .main : .caller, calls)
    }
  }

  /// A call of the application for one of the two operations.
  ///
  /// - Parameter next: the queue of the operation that follows the completion of this one.
  private func call(
    _ queue: StackQueue, _ variant: RaceScenario.Variant, then next: StackQueue?
  ) -> QueuePiece {
    let label = Self.label(queue)
    return QueuePiece(JSONString("call \(label)")) { [unowned self] stack in
      stack.performAndSave(
        [.findOrInsert(Self.request(label))], on: variant == .sameContext ? .main : queue,
        named: label
      ) { [unowned self] _, _ in
        if let next {
          stack.enqueue("application", on: .main, [call(next, variant, then: nil)])
        }
        leave()
      }
    }
  }

  /// Records the completion of one operation; after the second the group is notified on the main
  /// queue.
  private func leave() {
    completed += 1
    guard completed == 2 else { return }
    stack.enqueue(
      "notify", on: .main,
      [
        QueuePiece("notify", needsWriter: { _ in true }) { [unowned self] _ throws(ContextError) in
          found = try Self.people(stack.mainContext, .main)
        }
      ])
  }

  convenience init(_ scenario: WaitingScenario) throws(ContextError) {
    try self.init(Self.model, isRace: false)
    let edit = { (label: JSONString) in
      StackWork(JSONString("\(label) edits")) { context in
        try context.insertObject(entityName: "Person", id: ObjectID(label))
        return []
      }
    }
    let save = QueuePiece("saves and waits") { $0.callSave() }
    func waitFor(_ queue: StackQueue) -> QueuePiece {
      QueuePiece(JSONString("waits for a closure on \(queue.rawValue)")) { stack in
        stack.callAndWait([edit(Self.label(queue))], on: queue)
      }
    }
    func put(_ label: JSONString, on queue: StackQueue, _ piece: QueuePiece) -> QueuePiece {
      QueuePiece(JSONString("call \(label)")) { $0.enqueue(label, on: queue, [piece]) }
    }
    let calls: [QueuePiece] =
      switch scenario {
      case .bothSaveAndWait: [put("M", on: .main, save), put("B", on: .background, save)]
      case .eachWaitsForTheOther:
        [put("M", on: .main, waitFor(.background)), put("B", on: .background, waitFor(.main))]
      case .writerSavesAndWaits:
        [
          QueuePiece("call M") { $0.perform([edit("M")], on: .main, named: "M") },
          put(
            "the stores will change", on: .writer,
            QueuePiece("saves what there is and waits") { if $0.hasChanges { $0.callSave() } }),
        ]
      case .oneSavesAndWaits:
        [
          QueuePiece("call M") { $0.performAndSave([edit("M")], on: .main, named: "M") },
          put("B", on: .background, save),
        ]
      case .callerSavesAndWaits: [put("B", on: .background, save), save]
      }
    stack.enqueue("application", on: .caller, calls)
  }

  static func label(_ queue: StackQueue) -> JSONString { queue == .main ? "M" : "B" }

  private static func request(_ label: JSONString) -> FindOrInsert {
    FindOrInsert(
      "Person", where: "firstName", equals: .text(lookedFor), id: ObjectID(label)
    ) { object in
      try object.set([
        "firstName": .attribute(.text(lookedFor)), "lastName": .attribute(.text("Osseiran")),
      ])
    }
  }

  // MARK: Exploration

  /// The queues of which one can run next; empty at an end.
  var moves: [StackQueue] {
    let ready = stack.readyQueues
    guard isAbstract else { return ready }
    return ready.filter { ["M", "B"].contains(stack.blocks(of: $0).first?.name) }
  }

  /// Runs the remaining blocks, whose order no longer matters: merges, and the save of the writer.
  func finish() throws(ContextError) {
    guard isAbstract else { return }
    stack.save()
    try stack.run()
  }

  /// The end of the schedule, with the violated invariants.
  func conclude() throws(ContextError) -> (end: RaceOutcome.End, violations: [String]) {
    guard stack.waits.isEmpty else { return (.deadlock(stack.waits), []) }
    guard isRace else { return (.completed, []) }
    let stored = rows.rows.keys.map { $0.text }.sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    var violations: [String] = []
    if stack.hasChanges { violations.append("a context has changes at the end") }
    for (queue, context) in [
      (StackQueue.main, stack.mainContext), (.background, stack.backgroundContext),
    ] where try Self.people(context, queue) != stored {
      violations.append("the rows of the \(queue.rawValue) context differ from those of the store")
    }
    if let found, found != stored {
      violations.append("the rows of the notified group differ from those of the store")
    }
    for event in stack.events {
      if case .failed(_, let error) = event { violations.append("\(error)") }
    }
    return (.rows(stored), violations)
  }

  private static func people(
    _ context: ManagedObjectContext, _ queue: StackQueue
  ) throws(ContextError) -> [JSONString] {
    do throws(ContextError) {
      return try context.fetch(ObjectFetchRequest("Person")).map { $0.id.text }
    } catch {
      throw error.on(queue)
    }
  }

  // MARK: Snapshots

  struct Snapshot {
    var stack: StackState
    var rows: [ObjectID: ManagedObject]
    var completed: Int
    var found: [JSONString]?
  }

  struct Fingerprint: Hashable {
    var stack: StackFingerprint
    var rows: [ObjectID: ManagedObject]
    var completed: Int
  }

  var snapshot: Snapshot {
    get { Snapshot(stack: stack.state, rows: rows.rows, completed: completed, found: found) }
    set {
      stack.state = newValue.stack
      rows.rows = newValue.rows
      completed = newValue.completed
      found = newValue.found
    }
  }

  var fingerprint: Fingerprint {
    Fingerprint(stack: stack.fingerprint, rows: rows.rows, completed: completed)
  }
}
