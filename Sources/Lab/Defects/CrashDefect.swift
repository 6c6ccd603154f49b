public import Datastore
public import Storage

/// A mutant that shows only when the power goes, a process dies or a disk fails.
///
/// It lies between a store and its files, which then do less than they say, or between a store and
/// its callers, to whom it says more than is done.
public struct CrashDefect: Sendable {
  public let name: String
  /// What is wrong with such a store.
  public let sentence: String
  /// What its files do not do.
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

  /// A store that is like the given one but for the mutant, if its files have `faults`.
  public func applied(to store: any ImplementationUnderTest) -> any ImplementationUnderTest {
    guard let makeMisbehaviour else { return store }
    return DefectiveDatastore(store, name: name, makeMisbehaviour)
  }

  /// All of them, in the order of their names.
  public static let all: [CrashDefect] = [
    CrashDefect(
      "acknowledged-early", "Records and local documents are acknowledged before they are written."
    ) { Hasty() },
    CrashDefect(
      "content-not-synced", "The content of an attachment is not synced before its revision.",
      kind: .sync,
      role: .blob),
    CrashDefect(
      "database-not-synced", "The log is dropped before what it had is safe in the database.",
      kind: .sync,
      role: .database),
    CrashDefect(
      "failure-hidden", "What the disk refused is acknowledged."
    ) { Hiding() },
    CrashDefect(
      "log-not-synced", "A write is acknowledged before the log is synced.", kind: .sync, role: .wal
    ),
    CrashDefect(
      "names-not-synced", "New files are used before their names are safe.", kind: .syncDirectory,
      role: .folder
    ),
  ]
}

/// Acknowledges at once, and does it when it is asked for the next thing.
private struct Hasty: Misbehaviour {
  private var waiting: StoreOperation?

  mutating func perform(
    _ operation: StoreOperation, _ environment: inout RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    if let due = waiting {
      waiting = nil
      _ = try store.perform(due, &environment)
    }
    guard let result = operation.action.foreseen else {
      return try store.perform(operation, &environment)
    }
    waiting = operation
    return .ok(result)
  }
}

/// Says that it is done when the disk has refused it.
private struct Hiding: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: inout RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, &environment)
    guard case .storage? = outcome.errorKind, let result = operation.action.foreseen else {
      return outcome
    }
    return .ok(result)
  }
}

extension StoreAction {
  /// What an operation answers when nothing is wrong, where nobody needs to do it to know.
  fileprivate var foreseen: OperationResult? {
    switch self {
    case .writeLocal: .done
    case .insertRevisions(let records): .inserted(records.map { _ in nil })
    default: nil
    }
  }
}
