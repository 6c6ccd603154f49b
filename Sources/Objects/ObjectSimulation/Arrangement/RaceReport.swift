public import JSON
public import ObjectContexts

/// All possible results of a scenario.
public struct RaceReport: Sendable {
  /// The number of states.
  public var states = 0
  /// The number of schedules from the start to an end.
  public var schedules: UInt64 = 0
  /// The possible outcomes, each with its number of schedules and an example.
  public var outcomes: [RaceOutcome] = []
  /// Violations of invariants at the end of schedules.
  public var violations: [String] = []
  /// The number of schedules with a warning of the arrangement.
  public var warned: UInt64 = 0

  /// The number of schedules that end with this number of rows.
  public func schedules(withRows count: Int) -> UInt64 {
    outcomes.filter { $0.end.rows?.count == count }.reduce(0) { $0 + $1.schedules }
  }

  /// The number of schedules that end in a deadlock.
  public var deadlocked: UInt64 {
    outcomes.filter { $0.end.isDeadlock }.reduce(0) { $0 + $1.schedules }
  }

  /// The inserters of the only row, in byte order.
  public var singleRows: [JSONString] {
    outcomes.compactMap { outcome in
      guard let rows = outcome.end.rows, rows.count == 1 else { return nil }
      return rows.first
    }
  }
}

/// One possible outcome.
public struct RaceOutcome: Sendable {
  /// The end of a schedule.
  public enum End: Hashable, Sendable {
    /// The rows of the store, by inserter, in byte order.
    case rows([JSONString])
    /// All callers returned; in scenarios about waiting.
    case completed
    /// The queues wait for each other.
    case deadlock([QueueWait])

    /// The rows of the store; nil for an end of another kind.
    public var rows: [JSONString]? {
      if case .rows(let rows) = self { return rows }
      return nil
    }

    /// True for a deadlock.
    public var isDeadlock: Bool {
      if case .deadlock = self { return true }
      return false
    }
  }

  /// The end.
  public var end: End
  /// The number of schedules with this outcome.
  public var schedules: UInt64
  /// An example schedule that changes queues late.
  public var witness: [RaceStep]
}

/// One step of a schedule.
public struct RaceStep: Hashable, Sendable {
  /// The queue of the step.
  public var queue: StackQueue
  /// The step in words.
  public var words: String
  /// The step that enqueued its block; nil for initial blocks, and for the second and later pieces
  /// of a block.
  public var cause: Int?
  /// The kind of the step.
  public var kind: Kind

  /// The kind of the step.
  public enum Kind: String, CaseIterable, Sendable {
    /// A call of an application.
    case call
    /// A search.
    case look
    /// An insertion.
    case insertion
    /// The save of one context.
    case save
    /// A merge into a context.
    case merge
    /// A completion.
    case completion
    /// Any other step.
    case other
  }
}
