public import JSON
public import ObjectContexts

/// All that can become of a scenario.
public struct RaceReport: Sendable {
  /// How many states there are.
  public var states = 0
  /// How many ways from the beginning to an end.
  public var schedules: UInt64 = 0
  /// What can come out, each with how often and how.
  public var outcomes: [RaceOutcome] = []
  /// What must hold at every end, and does not.
  public var violations: [String] = []
  /// In how many schedules the arrangement warned.
  public var warned: UInt64 = 0

  /// How many schedules end with so many rows.
  public func schedules(withRows count: Int) -> UInt64 {
    outcomes.filter { $0.end.rows?.count == count }.reduce(0) { $0 + $1.schedules }
  }

  /// How many schedules end with nobody able to go on.
  public var deadlocked: UInt64 {
    outcomes.filter { $0.end.isDeadlock }.reduce(0) { $0 + $1.schedules }
  }

  /// Who can be the single row, in byte order.
  public var singleRows: [JSONString] {
    outcomes.compactMap { outcome in
      guard let rows = outcome.end.rows, rows.count == 1 else { return nil }
      return rows.first
    }
  }
}

/// One thing that can come out.
public struct RaceOutcome: Sendable {
  public enum End: Hashable, Sendable {
    /// The rows of the store, by who inserted them, in byte order.
    case rows([JSONString])
    /// Everybody came through; of scenarios that are about waiting.
    case through
    case deadlock([QueueWait])

    public var rows: [JSONString]? {
      if case .rows(let rows) = self { return rows }
      return nil
    }

    public var isDeadlock: Bool {
      if case .deadlock = self { return true }
      return false
    }
  }

  public var end: End
  /// How many schedules come to it.
  public var schedules: UInt64
  /// One of them, which changes queues late.
  public var witness: [RaceStep]
}

/// One step of a schedule.
public struct RaceStep: Hashable, Sendable {
  public var queue: StackQueue
  public var words: String
  /// The step that put its block on the queue; nil for what is there from the beginning, and for the
  /// second and later pieces of a block.
  public var cause: Int?
  public var kind: Kind

  /// What is done.
  public enum Kind: String, CaseIterable, Sendable {
    case call
    case look
    case insertion
    case save
    case merge
    case completion
    case other
  }
}
