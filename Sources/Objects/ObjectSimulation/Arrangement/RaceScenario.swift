public import ObjectContexts

/// A race of two find-or-inserts: M on the main queue and B on the background queue, both for the
/// person Jad.
///
/// Source: the guide of DataStore, "A Word of Caution With Asynchronous Contexts".
public struct RaceScenario: Hashable, Sendable {
  /// The interpretation of the guide.
  public enum Reading: Hashable, Sendable {
    /// Each operation searches, inserts and saves its own context, and the other one may run
    /// between any two steps.
    case guide
    /// The same, with search and insertion as one step.
    case guideAtOnce
    /// The blocks and queues of the arrangement: a save includes all three contexts, and the caller
    /// is on the main queue or on another thread.
    case arrangement(first: StackQueue, callerIsMain: Bool)
  }

  /// A measure against the duplicate.
  public enum Variant: String, CaseIterable, Sendable {
    /// No measure.
    case none
    /// Operations with a save take turns.
    case turns
    /// First names are unique, and the writer saves with object trump.
    case constraint
    /// Both run on the main context.
    case sameContext
    /// The second starts after the completion of the first.
    case oneAfterTheOther
  }

  /// The interpretation of the guide.
  public var reading: Reading
  /// The measure against the duplicate.
  public var variant: Variant
  /// Whether a save without changes posts a notification, which is not verified.
  public var postsOnEmptySave: Bool

  /// Creates a scenario; by default without a measure.
  public init(_ reading: Reading, _ variant: Variant = .none, postsOnEmptySave: Bool = true) {
    self.reading = reading
    self.variant = variant
    self.postsOnEmptySave = postsOnEmptySave
  }

  /// Both interpretations without a measure against the duplicate; of the arrangement, every order
  /// and caller.
  public static let races: [RaceScenario] =
    [RaceScenario(.guide), RaceScenario(.guideAtOnce)] + arrangements(.none)

  /// The measures against the duplicate, in every order and from every caller.
  public static let preventions: [RaceScenario] =
    Variant.allCases.filter { $0 != .none }.flatMap { arrangements($0) }

  private static func arrangements(_ variant: Variant) -> [RaceScenario] {
    [StackQueue.main, .background].flatMap { first in
      [true, false].map { callerIsMain in
        RaceScenario(.arrangement(first: first, callerIsMain: callerIsMain), variant)
      }
    }
  }
}

/// A scenario in which callers wait for each other.
public enum WaitingScenario: String, CaseIterable, Sendable {
  /// A closure on the main queue and one on the background queue both save and wait.
  case bothSaveAndWait
  /// A closure on each of the two queues waits for a closure on the other one.
  case eachWaitsForTheOther
  /// Before a change of the stores, a block on the writer's queue saves and waits.
  case writerSavesAndWaits
  /// A closure on the background queue saves and waits while one on the main queue saves without
  /// waiting.
  case oneSavesAndWaits
  /// The application saves and waits from another thread while a closure on the background queue
  /// does the same.
  case callerSavesAndWaits

  /// Whether some schedule ends in a deadlock.
  public var canDeadlock: Bool {
    switch self {
    case .bothSaveAndWait, .eachWaitsForTheOther, .writerSavesAndWaits: true
    case .oneSavesAndWaits, .callerSavesAndWaits: false
    }
  }
}
