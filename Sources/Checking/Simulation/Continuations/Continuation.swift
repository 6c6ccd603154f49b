internal import Scenarios

/// Another end of a run: its first events as before, then other choices.
///
/// All faults of the scenario's overrides and conditions end where the continuation begins, unless
/// its course has faults.
struct Continuation: Hashable {
  var course: Course
  /// Selects the random choices and the order of the final replication; 0 for those of the scenario.
  var choice: UInt64
  var remedy: Trace.PointOfNoReturn.Remedy?

  /// What happens before the final replication. All courses but the last one repair all faults.
  enum Course: Int, CaseIterable, Comparable {
    /// The programs of the running sessions stop. Messages on the way to other replicas arrive.
    case end
    /// The same, but a session that has saved its checkpoint at its target saves it at its source, too.
    case save
    /// The running sessions go on until they end by themselves. Each later course has everything of
    /// the one before it.
    case wait
    /// The remaining replication runs of the scenario.
    case replicate
    /// The remaining operations of clients.
    case work
    /// The remaining faults, with other random choices.
    case fail

    static func < (left: Course, right: Course) -> Bool { left.rawValue < right.rawValue }
  }
}

extension Directive {
  /// The first course that performs the directive.
  var course: Continuation.Course {
    switch self {
    case .replicate, .stop, .settle, .heal, .restart, .copyStore: .replicate
    case .perform: .work
    case .partition, .block, .crash, .clock, .storage, .loseCheckpoint, .restoreStore: .fail
    }
  }
}
