public import Collections

/// A store of recipes with ingredients, the options of its migration, and the number of
/// interruptions.
public struct MigrationScope: Hashable, Sendable {
  /// The number of recipes.
  public var recipes: Int
  /// The number of ingredients of each recipe.
  public var ingredients: Int
  /// The number of objects moved at once; nil for all of an entity.
  public var batch: Int64?
  /// The location of the flag; nil if none is recorded.
  public var flag: MigrationPlan.Flag?
  /// True if local objects are deleted after they are at the backend.
  public var deletesLocally: Bool
  /// Whether objects keep their local ids.
  public var keepsIDs: Bool
  /// The maximum number of interruptions.
  public var interruptions: Int

  /// Creates a scope.
  public init(
    recipes: Int = 1, ingredients: Int = 2, batch: Int64? = nil,
    flag: MigrationPlan.Flag? = .settings, deletesLocally: Bool = false, keepsIDs: Bool = false,
    interruptions: Int = 2
  ) {
    self.recipes = recipes
    self.ingredients = ingredients
    self.batch = batch
    self.flag = flag
    self.deletesLocally = deletesLocally
    self.keepsIDs = keepsIDs
    self.interruptions = interruptions
  }
}

/// An interruption of a migration.
public struct MigrationInterruption: Hashable, Sendable {
  /// The outcome of a request.
  public enum RequestOutcome: String, CaseIterable, Sendable {
    /// The request is performed, and its response arrives.
    case answered
    /// The request is performed, but its response is lost.
    case lost
    /// The request never arrives.
    case failed
  }

  /// The number of steps before the interruption.
  public var steps: Int
  /// The outcomes of the requests of the next save, repeated if it has more requests; nil for an
  /// interruption before the next step.
  public var outcomes: [RequestOutcome]?
  /// Whether the application crashes, as opposed to a retry.
  public var dies: Bool

  /// Creates an interruption; by default a crash before the next step.
  public init(steps: Int, outcomes: [RequestOutcome]? = nil, dies: Bool = true) {
    self.steps = steps
    self.outcomes = outcomes
    self.dies = dies
  }
}

extension MigrationInterruption: CustomStringConvertible {
  public var description: String {
    let requests = outcomes.map { " within a save (\($0.map(\.rawValue).joined(separator: ", ")))" }
    return "after \(steps) steps\(requests ?? ""), \(dies ? "crash" : "retry")"
  }
}

/// The results of an exploration of a migration.
public struct MigrationReport: Hashable, Sendable {
  /// The number of sequences of interruptions, each run to the end.
  public var ways = 0
  /// The number of performed steps.
  public var steps = 0
  /// The number of sequences that lead to a duplicate.
  public var repeating = 0
  /// The number of crashes with a restart.
  public var deaths = 0

  /// Creates a report with counts of 0.
  public init() {}
}

/// A sequence of interruptions that causes an error.
public struct MigrationFinding: Hashable, Sendable {
  /// The interruptions in order.
  public var way: [MigrationInterruption]
  /// The error, in a sentence.
  public var sentence: String
}
