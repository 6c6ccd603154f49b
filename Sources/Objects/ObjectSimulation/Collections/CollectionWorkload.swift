public import Collections
internal import JSON
internal import Simulation

/// The actions of the applications of a run with their times, all derived from a seed.
public struct CollectionWorkload: Hashable, Sendable {
  /// The options of one client.
  public struct Client: Hashable, Sendable {
    /// The options of its collections.
    public var options: CollectionOptions
  }

  /// One action of an application with its time.
  public struct Step: Hashable, Sendable {
    /// The number of the step in the complete workload.
    public var number: Int
    /// The time in milliseconds.
    public var when: UInt64
    /// The index of the client.
    public var client: Int
    /// The action.
    public var deed: Deed
  }

  /// An action; `pick` selects one of several known objects.
  public enum Deed: Hashable, Sendable {
    /// Saves a new recipe with this number of new ingredients.
    case create(ingredients: Int)
    /// Saves a known recipe with another number of servings, and optionally one more ingredient.
    case edit(pick: Int, servings: Int64, adds: Bool)
    /// Saves several known recipes in one call.
    case editMany(pick: Int, count: Int, servings: Int64)
    /// Queries recipes, with a number of servings or all of them.
    case query(servings: Int64?, policy: CachePolicy, depth: Int64)
    /// Loads a known recipe.
    case load(pick: Int, policy: CachePolicy, depth: Int64)
    /// Removes a known recipe.
    case remove(pick: Int, RemovalRule)
    /// Sends the entries of the offline queue.
    case drain
    /// Disconnects the device for a time in milliseconds.
    case goOffline(UInt64)
    /// Crashes the application.
    case crash
  }

  /// The seed of the workload and of its faults.
  public var seed: UInt64
  /// The clients, at least one.
  public var clients: [Client]
  /// The steps of all clients, in the order of their times.
  public var steps: [Step]
  /// Whether requests and responses are lost, and the backend fails.
  public var hasFaults: Bool

  /// Creates a workload.
  ///
  /// - Parameters:
  ///   - clients: the number of devices, 1 or more.
  ///   - steps: the number of actions of each device.
  public init(seed: UInt64, clients: Int = 3, steps: Int = 40, hasFaults: Bool = true) {
    self.seed = seed
    self.hasFaults = hasFaults
    self.clients = (0..<clients).map { Client(options: Self.options(seed, client: $0)) }
    self.steps = []
    for client in 0..<clients {
      var when: UInt64 = 0
      for place in 0..<steps {
        let number = client * steps + place
        var key = ChoiceKey("step/")
        key.fold(number)
        var random = KeyedRandom(seed: seed, key: key.hash)
        // Bursts, and pauses in which responses arrive.
        when += UInt64(random.chance(1, in: 4) ? random.below(3_000) : random.below(200))
        self.steps.append(
          Step(
            number: number, when: when, client: client, deed: Self.deed(&random, hasFaults)))
      }
    }
    self.steps.sort { ($0.when, $0.number) < ($1.when, $1.number) }
  }

  private static func options(_ seed: UInt64, client: Int) -> CollectionOptions {
    var key = ChoiceKey("client/")
    key.fold(client)
    var random = KeyedRandom(seed: seed, key: key.hash)
    return CollectionOptions(
      policy: random.pick(CachePolicy.allCases) ?? .none, isOffline: random.chance(1, in: 2),
      ids: random.chance(1, in: 2) ? .client : .backend,
      removalBatch: Int64(1 + random.below(3)))
  }

  private static func deed(_ random: inout KeyedRandom, _ hasFaults: Bool) -> Deed {
    let policy = random.pick(CachePolicy.allCases) ?? .none
    let pick = random.below(1_000)
    switch random.below(hasFaults ? 24 : 21) {
    case 0...4: return .create(ingredients: random.below(4))
    case 5...9:
      return .edit(
        pick: pick, servings: Int64(random.below(8)), adds: random.chance(1, in: 4))
    case 10:
      return .editMany(pick: pick, count: 1 + random.below(4), servings: Int64(random.below(8)))
    case 11...15:
      return .query(
        servings: random.chance(1, in: 2) ? Int64(random.below(8)) : nil, policy: policy,
        depth: Int64(random.below(2)))
    case 16...17: return .load(pick: pick, policy: policy, depth: Int64(random.below(2)))
    case 18...19:
      return .remove(pick: pick, random.pick(RemovalRule.allCases) ?? .only)
    case 20: return .drain
    case 21...22: return .goOffline(UInt64(200 + random.below(3_000)))
    default: return .crash
    }
  }
}
