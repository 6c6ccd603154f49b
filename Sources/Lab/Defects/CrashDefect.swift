public import Datastore
public import Storage

/// A mutant that has an effect only in a power loss, a process crash or a disk failure.
///
/// It is between a store and its files, which then do less than they report, or between a store and
/// its clients, to which it acknowledges more than is done.
public struct CrashDefect: Sendable {
  public let name: String
  /// The error of such a store.
  public let sentence: String
  /// The calls that its files do not perform.
  public let faults: [StorageFault]
  private let makeMisbehaviour: (@Sendable () -> any Misbehaviour)?

  private init(_ name: String, _ sentence: String, kind: StorageStep.Kind, role: FileRole) {
    self.name = name
    self.sentence = sentence
    faults = [StorageFault(.lie, kind, role: role, ordinals: 0...Int.max)]
    makeMisbehaviour = nil
  }

  private init(
    _ name: String, _ sentence: String,
    makeMisbehaviour: @escaping @Sendable () -> any Misbehaviour
  ) {
    self.name = name
    self.sentence = sentence
    faults = []
    self.makeMisbehaviour = makeMisbehaviour
  }

  /// A store with the mutant, if its files have `faults`.
  public func applied(to store: any ImplementationUnderTest) -> any ImplementationUnderTest {
    guard let makeMisbehaviour else { return store }
    return DefectiveDatastore(store, name: name, makeMisbehaviour)
  }

  /// All mutants, in the order of their names.
  public static let all: [CrashDefect] = [
    CrashDefect(
      "acknowledged-early", "Records and local documents are acknowledged before they are written."
    ) { Hasty() },
    CrashDefect(
      "batch-in-two-transactions", "The first write of a batch is committed before the others."
    ) { BatchingInTransactions() },
    CrashDefect(
      "content-not-synced", "The content of an attachment is not synced before its revision.",
      kind: .sync,
      role: .blob),
    CrashDefect(
      "database-not-synced", "The log is dropped before its content is safe in the database.",
      kind: .sync,
      role: .database),
    CrashDefect(
      "failure-hidden", "A write that the disk refused is acknowledged."
    ) { Hiding() },
    CrashDefect(
      "log-not-synced", "A write is acknowledged before the log is synced.", kind: .sync, role: .wal
    ),
    CrashDefect(
      "names-not-synced", "New files are used before their names are safe.", kind: .syncDirectory,
      role: .folder
    ),
    CrashDefect(
      "resolve-commits-itself", "A resolution remains although its batch fails."
    ) { CommittingEarly() },
    CrashDefect(
      "resolve-in-two-transactions", "The tombstones of a resolution are committed after its body."
    ) { ResolvingInTransactions() },
    CrashDefect(
      "resolve-stops-halfway",
      "A resolution writes its revisions one by one, and those before a rejected one remain."
    ) { ResolvingInSteps() },
  ]
}

/// Acknowledges an operation at once, and performs it before the next one.
private struct Hasty: Misbehaviour {
  private var waiting: StoreOperation?

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    if let due = waiting {
      waiting = nil
      _ = try store.perform(due, environment)
    }
    guard let result = operation.action.foreseen else {
      return try store.perform(operation, environment)
    }
    waiting = operation
    return .ok(result)
  }
}

/// Acknowledges an operation that the disk has refused.
private struct Hiding: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    guard case .storage? = outcome.errorKind, let result = operation.action.foreseen else {
      return outcome
    }
    return .ok(result)
  }
}

extension StoreAction {
  /// The result of a successful operation, if it is known without performing it.
  fileprivate var foreseen: OperationResult? {
    switch self {
    case .writeLocal: .done
    case .insertRevisions(let records): .inserted(records.map { _ in nil })
    default: nil
    }
  }
}
