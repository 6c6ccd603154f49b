import Collections
import Datastore
import JSON
import Testing

/// The exact callbacks and requests of each cache policy.
struct CachePolicyTests {
  /// The state of the cache when the call is made.
  enum Memory: String, CaseIterable { case nothing, emptyList, objects }

  /// The state of the backend.
  enum Network: String, CaseIterable { case up, down, failing }

  struct Case: CustomTestStringConvertible, Sendable {
    let policy: CachePolicy
    let memory: Memory
    let network: Network
    /// Callbacks, as `cache`, `network`, `notInCache`, a status or a failure, each with its
    /// objects.
    let callbacks: [String]
    let requests: Int

    init(
      _ policy: CachePolicy, _ memory: Memory, _ network: Network, _ callbacks: [String],
      _ requests: Int
    ) {
      self.policy = policy
      self.memory = memory
      self.network = network
      self.callbacks = callbacks
      self.requests = requests
    }

    var testDescription: String { "\(policy.rawValue) \(memory.rawValue) \(network.rawValue)" }
  }

  static let table: [Case] = [
    Case(.none, .nothing, .up, ["network new"], 1),
    Case(.none, .objects, .up, ["network new"], 1),
    Case(.none, .objects, .down, ["-1005"], 1),
    Case(.none, .objects, .failing, ["500"], 1),
    Case(.localOnly, .objects, .up, ["cache old"], 0),
    Case(.localOnly, .emptyList, .up, ["cache "], 0),
    Case(.localOnly, .nothing, .up, ["404"], 0),
    Case(.localFirst, .objects, .up, ["cache old"], 1),
    Case(.localFirst, .objects, .down, ["cache old"], 1),
    Case(.localFirst, .objects, .failing, ["cache old"], 1),
    Case(.localFirst, .emptyList, .up, ["network new"], 1),
    Case(.localFirst, .nothing, .up, ["network new"], 1),
    Case(.localFirst, .nothing, .down, ["-1005"], 1),
    Case(.localFirst, .nothing, .failing, ["500"], 1),
    Case(.networkFirst, .objects, .up, ["network new"], 1),
    Case(.networkFirst, .objects, .down, ["cache old"], 1),
    Case(.networkFirst, .objects, .failing, ["500"], 1),
    Case(.networkFirst, .emptyList, .down, ["404"], 1),
    Case(.networkFirst, .nothing, .up, ["network new"], 1),
    Case(.networkFirst, .nothing, .down, ["404"], 1),
    Case(.networkFirst, .nothing, .failing, ["500"], 1),
    Case(.both, .objects, .up, ["cache old", "network new"], 1),
    Case(.both, .objects, .down, ["cache old", "-1005"], 1),
    Case(.both, .objects, .failing, ["cache old", "500"], 1),
    Case(.both, .emptyList, .up, ["network new"], 1),
    Case(.both, .nothing, .up, ["network new"], 1),
    Case(.both, .nothing, .down, ["-1005"], 1),
  ]

  private static func text(_ callback: CollectionCallback) -> String {
    switch callback.result {
    case .objects(let objects):
      let names = objects.map { $0.name }.joined(separator: ",")
      return "\(callback.isFromCache ? "cache" : "network") \(names)"
    case .error(let error): return "\(error.code)"
    default: return "?"
    }
  }

  /// A kitchen with a cached state that is older than that of the backend.
  private static func kitchen(
    _ memory: Memory, _ options: CollectionOptions = CollectionOptions()
  ) throws -> Kitchen {
    var kitchen = try Kitchen(options)
    if memory == .objects { try kitchen.store("Ingredient", "1", ["name": "old"]) }
    if memory != .nothing {
      try kitchen.perform("Ingredient", .query(CollectionQuery(), policy: .networkFirst))
    }
    try kitchen.store("Ingredient", "1", ["name": "new"])
    return kitchen
  }

  @Test(arguments: table)
  func policies(row: Case) throws {
    // The queue concerns saves and removals only: queries are not affected by it.
    for isOffline in [false, true] {
      var kitchen = try Self.kitchen(row.memory, CollectionOptions(isOffline: isOffline))
      switch row.network {
      case .up: break
      case .down: kitchen.session.standing = .failed(.connectionLost)
      case .failing:
        kitchen.session.standing = .refused(BackendResponse(500, ["error": "Down"]))
      }
      try kitchen.perform("Ingredient", .query(CollectionQuery(), policy: row.policy))
      #expect(kitchen.report.callbacks.map(Self.text) == row.callbacks)
      #expect(kitchen.requests.count == row.requests)
      #expect(kitchen.report.progress.last.map { $0.done == $0.total } == true)
      #expect(kitchen.report.queueEvents == [])
      let remembered = kitchen.session.client.cache
        .result(of: CollectionQuery(), in: "Ingredient")?.map { $0["name"] }
      let isRefreshed = row.network == .up && row.policy != .none && row.policy != .localOnly
      let before: [JSONValue?]? =
        switch row.memory {
        case .nothing: nil
        case .emptyList: []
        case .objects: ["old"]
        }
      #expect(remembered == (isRefreshed ? ["new"] : before))
    }
  }

  /// The product removes a cached result when the backend cannot be reached.
  @Test(arguments: [ClientQuirks(), .product])
  func errorsDoNotEvict(quirks: ClientQuirks) throws {
    var kitchen = try Self.kitchen(.objects, CollectionOptions(quirks: quirks))
    kitchen.session.standing = .failed(.connectionLost)
    try kitchen.perform("Ingredient", .query(CollectionQuery(), policy: .both))
    try kitchen.perform("Ingredient", .query(CollectionQuery(), policy: .localOnly))
    let expected = quirks.evictsOnError ? "404" : "cache old"
    #expect(kitchen.report.callbacks.map(Self.text) == [expected])
  }

  /// Results are cached by the complete query, including order and limits, per collection.
  @Test func keysAreWholeQueries() throws {
    var kitchen = try Self.kitchen(.objects)
    let others = [
      CollectionQuery(limit: 1), CollectionQuery(skip: 0), CollectionQuery(sort: [SortKey("name")]),
    ]
    for query in others {
      try kitchen.perform("Ingredient", .query(query, policy: .localOnly))
      #expect(try kitchen.error().reason == .notInCache)
    }
    try kitchen.perform("Recipe", .query(CollectionQuery(), policy: .localOnly))
    #expect(try kitchen.error().reason == .notInCache)
  }

  @Test func loadsAreRemembered() throws {
    var kitchen = try Self.kitchen(.objects)
    try kitchen.perform("Ingredient", .load(["1"], policy: .localOnly))
    #expect(try kitchen.objects().map { $0.name } == ["old"])
    try kitchen.perform("Ingredient", .load(["1", "2"], policy: .localOnly))
    #expect(try kitchen.error().reason == .notInCache)
  }

  /// The client's own saves update its cache, those of others do not.
  @Test func savesShow() throws {
    var kitchen = try Kitchen(CollectionOptions(policy: .networkFirst))
    try kitchen.store("Ingredient", "1", ["name": "salt"])
    try kitchen.store("Ingredient", "2", ["name": "sugar"])
    try kitchen.perform("Ingredient", .query(CollectionQuery()))
    var salt = try kitchen.objects()[0]
    salt.values["name"] = "sea salt"
    try kitchen.perform("Ingredient", .save([salt]))
    try kitchen.store("Ingredient", "2", ["name": "changed by another"])
    try kitchen.perform("Ingredient", .query(CollectionQuery(), policy: .localOnly))
    #expect(try kitchen.objects().map { $0.name } == ["sea salt", "sugar"])
    try kitchen.perform("Ingredient", .remove(.ids(["1"])))
    try kitchen.perform("Ingredient", .query(CollectionQuery(), policy: .localOnly))
    #expect(try kitchen.objects().map { $0.name } == ["sugar"])
  }
}
