public import ObjectContexts

/// A way to let two find-or-inserts race: M on the main queue and B on the background queue, both for
/// the person Jad.
///
/// Source: the guide of DataStore, "A Word of Caution With Asynchronous Contexts".
public struct RaceScenario: Hashable, Sendable {
  /// How the words of the guide are read.
  public enum Reading: Hashable, Sendable {
    /// Each operation looks, inserts and saves its own context, and the other comes in between anywhere.
    case guide
    /// The same, with look and insertion as one.
    case guideAtOnce
    /// The blocks and queues of the arrangement: a save goes through all three contexts, and whoever
    /// calls does so from the main queue or from elsewhere.
    case arrangement(first: StackQueue, callerIsMain: Bool)
  }

  /// What is done against the duplicate.
  public enum Variant: String, CaseIterable, Sendable {
    case none
    /// Operations that save take turns.
    case turns
    /// No two persons share a first name, and the writer saves by object trump.
    case constraint
    /// Both run on the main context.
    case sameContext
    /// The second is called when the first is complete.
    case oneAfterTheOther
  }

  public var reading: Reading
  public var variant: Variant
  /// Whether a save without changes is told of as well, which nobody knows for sure.
  public var postsOnEmptySave: Bool

  public init(_ reading: Reading, _ variant: Variant = .none, postsOnEmptySave: Bool = true) {
    self.reading = reading
    self.variant = variant
    self.postsOnEmptySave = postsOnEmptySave
  }

  /// Both readings without anything against the duplicate; of the arrangement, every order and caller.
  public static let races: [RaceScenario] =
    [RaceScenario(.guide), RaceScenario(.guideAtOnce)] + arrangements(.none)

  /// What prevents the duplicate, in every order and from every caller.
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

/// A way to let callers wait for each other.
public enum WaitingScenario: String, CaseIterable, Sendable {
  /// A closure on the main queue and one on the background queue both save and wait.
  case bothSaveAndWait
  /// A closure on each of the two queues waits for a closure on the other one.
  case eachWaitsForTheOther
  /// The stores are about to change, and a block on the writer's queue saves and waits.
  case writerSavesAndWaits
  /// A closure on the background queue saves and waits while one on the main queue saves without.
  case oneSavesAndWaits
  /// The application saves and waits from another thread while a closure on the background queue does.
  case callerSavesAndWaits

  /// Whether some schedule ends with nobody able to go on.
  public var canDeadlock: Bool {
    switch self {
    case .bothSaveAndWait, .eachWaitsForTheOther, .writerSavesAndWaits: true
    case .oneSavesAndWaits, .callerSavesAndWaits: false
    }
  }
}
