public import Collections

/// A store of recipes with ingredients, how it moves to a backend, and how often that is interrupted.
public struct MigrationScope: Hashable, Sendable {
  public var recipes: Int
  /// Of each recipe.
  public var ingredients: Int
  /// How many objects move at once; nil is all of an entity.
  public var batch: Int64?
  public var flag: MigrationPlan.Flag?
  public var deletesLocally: Bool
  /// Whether objects keep their local ids.
  public var keepsIDs: Bool
  public var interruptions: Int

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

/// What comes between a migration and its end.
public struct MigrationInterruption: Hashable, Sendable {
  /// What happens to a request.
  public enum Fate: String, CaseIterable, Sendable {
    case answered
    /// It is done, and its answer is lost.
    case lost
    /// It never arrives.
    case failed
  }

  /// After how many steps.
  public var steps: Int
  /// What happens to the requests of the save that comes then, again from the first when there are
  /// more; nil when it comes before the next step.
  public var fates: [Fate]?
  /// Whether the application dies, and does not only try again.
  public var dies: Bool

  public init(steps: Int, fates: [Fate]? = nil, dies: Bool = true) {
    self.steps = steps
    self.fates = fates
    self.dies = dies
  }
}

extension MigrationInterruption: CustomStringConvertible {
  public var description: String {
    let requests = fates.map { " within a save (\($0.map(\.rawValue).joined(separator: ", ")))" }
    return "after \(steps) steps\(requests ?? ""), \(dies ? "dying" : "trying again")"
  }
}

/// What an exploration of a migration came to.
public struct MigrationReport: Hashable, Sendable {
  /// Ways to interrupt it that were tried, each from the beginning to the end.
  public var ways = 0
  /// Steps that were done.
  public var steps = 0
  /// Ways after which something is there twice.
  public var repeating = 0
  /// Times that an application died and began again.
  public var deaths = 0

  public init() {}
}

/// A way after which something is wrong.
public struct MigrationFinding: Hashable, Sendable {
  public var way: [MigrationInterruption]
  public var sentence: String
}
