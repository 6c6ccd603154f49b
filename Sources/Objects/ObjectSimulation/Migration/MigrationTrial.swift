internal import Collections
internal import Datastore
internal import JSON
internal import ObjectContexts
internal import ObjectMapping
internal import ReferenceDatastore

/// One migration with a sequence of interruptions, checked after every crash.
///
/// The check compares the contents of the backend with the remaining local objects, and
/// independently computes the permitted duplicates: objects saved before a crash but not recorded,
/// and objects saved without a response if the backend assigns the ids.
final class MigrationTrial {
  /// A performed step, with its number of requests.
  struct Step {
    var requests: Int
  }

  /// The steps since the last interruption.
  private(set) var steps: [Step] = []
  private(set) var stepCount = 0
  private(set) var deaths = 0
  /// The number of entities beyond the first of each object, at the end.
  private(set) var extra = 0
  var repeats: Bool { extra > 0 }

  private let scope: MigrationScope
  private let plan: MigrationPlan
  private let store: IncrementalStore
  private let backend: CollectionBackend
  private var device = MigrationRunner.Device()
  private let environment = RunEnvironment(seed: 1)
  /// The number of saves of an object that its current application has not recorded, by name.
  private var forgotten: [JSONString: Int] = [:]
  /// Records the path; nil if it is not recorded.
  private let recorder: MigrationRecorder?

  init(_ scope: MigrationScope, recorder: MigrationRecorder? = nil) throws(HarnessError) {
    self.scope = scope
    self.recorder = recorder
    let model = try Self.model()
    let collections = try Self.sound { () throws(CollectionError) in
      try CollectionDescription.derived(
        from: model, overrides: ["Ingredient": CollectionOverride(left: ["recipe"])])
    }
    plan = MigrationPlan(
      collections,
      batch: scope.batch, flag: scope.flag, deletesLocally: scope.deletesLocally,
      keepsIDs: scope.keepsIDs)
    let (here, there) = (ReferenceDatastore(), ReferenceDatastore())
    _ = try here.perform(StoreOperation("here", .open()), environment)
    _ = try there.perform(StoreOperation("there", .open()), environment)
    store = try Self.sound { () throws(StoreError) in
      try IncrementalStore(
        "here", model, host: ObjectHost(here, RunEnvironment(seed: 2)),
        options: IncrementalStoreOptions())
    }
    backend = CollectionBackend(there, store: "there")
    for collection in plan.collections { device.session.client.open(collection) }
    let request = fillings
    _ = try Self.sound { () throws(StoreError) in try store.save(request) }
  }

  private var fillings: SaveRequest {
    var request = SaveRequest()
    for recipe in 0..<scope.recipes {
      let (name, parts) = (Self.recipe(recipe), parts(of: recipe))
      request.inserted.append(
        ManagedObject(
          ObjectID(name), of: "Recipe",
          ["name": .attribute(.text(name)), "ingredients": .toMany(parts.map { ObjectID($0) })]))
      request.inserted += parts.map { part in
        ManagedObject(
          ObjectID(part), of: "Ingredient",
          ["name": .attribute(.text(part)), "recipe": .toOne(ObjectID(name))])
      }
    }
    return request
  }

  /// The result of a call that cannot fail here; a failure makes the check impossible.
  private static func sound<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(HarnessError) -> Value {
    do throws(Failure) { return try body() } catch { throw HarnessError("\(error)") }
  }

  private static func model() throws(HarnessError) -> ManagedObjectModel {
    let name = AttributeDescription("name", .utf8)
    return try sound { () throws(ModelError) in
      try ManagedObjectModel([
        EntityDescription(
          "Recipe", attributes: [name],
          relationships: [
            RelationshipDescription(
              "ingredients", to: "Ingredient", inverse: "recipe", isToMany: true,
              deleteRule: .cascade)
          ]),
        EntityDescription(
          "Ingredient", attributes: [name],
          relationships: [RelationshipDescription("recipe", to: "Recipe", inverse: "ingredients")]),
      ])
    }
  }

  private static func recipe(_ number: Int) -> JSONString { JSONString("recipe \(number)") }

  private func parts(of recipe: Int) -> [JSONString] {
    (0..<scope.ingredients).map { JSONString("part \(recipe).\($0)") }
  }

  // MARK: Execution

  /// Returns the first error, or nil.
  func run(_ way: [MigrationInterruption]) throws(HarnessError) -> String? {
    var runner = makeRunner()
    recorder?.start()
    for interruption in way {
      steps = []
      let isThere = try go(runner, until: interruption)
      guard isThere else { break }
      guard interruption.dies else {
        recorder?.retry()
        continue
      }
      deaths += 1
      recorder?.crash()
      // Unrecorded saves before the crash are unknown to the new process.
      if try !isNoted() { forgotten = try copies() }
      if let fault = try fault() { return fault }
      device.session.client.crash()
      runner = makeRunner()
      recorder?.start()
    }
    steps = []
    _ = try go(runner, until: nil)
    if let recorder { recorder.end(try copies()) }
    switch runner.migration.state {
    case .done, .skipped: return try lastFault()
    case let state: return "the migration ended in state \(state)"
    }
  }

  private func makeRunner() -> MigrationRunner {
    MigrationRunner(
      plan, from: store, ManagedObjectContext(.coordinator(StoreCoordinatorCache(store))))
  }

  /// Performs steps until the interruption; returns false if the migration ended before it.
  private func go(
    _ runner: MigrationRunner, until interruption: MigrationInterruption?
  ) throws(HarnessError) -> Bool {
    runner.begin()
    while true {
      let isNext = interruption?.steps == steps.count
      if isNext, interruption?.outcomes == nil { return true }
      if isNext, let outcomes = interruption?.outcomes {
        device.session.next = (0..<scope.recipes * max(1, scope.ingredients)).map {
          outcomes[$0 % outcomes.count].sessionOutcome
        }
      }
      let before = isNext && interruption?.dies == false ? try copies() : [:]
      guard let effect = try runner.step(&device, backend, environment: environment) else {
        return false
      }
      device.session.next = []
      stepCount += 1
      recorder?.step(effect, runner.exchanges)
      guard case .save(_, let objects) = effect else {
        steps.append(Step(requests: 0))
        // The step to interrupt is not a save.
        if isNext { return true }
        continue
      }
      steps.append(Step(requests: objects.count))
      guard isNext, let interruption, let outcomes = interruption.outcomes else { continue }
      if !interruption.dies { try forget(objects, outcomes, before: before) }
      return true
    }
  }

  /// Records saves without a response.
  private func forget(
    _ objects: [CollectionObject], _ outcomes: [MigrationInterruption.RequestOutcome],
    before: [JSONString: Int]
  ) throws(HarnessError) {
    let present = try copies()
    for (index, object) in objects.enumerated() where outcomes[index % outcomes.count] == .lost {
      guard let name = object.values["name"]?.textValue else { continue }
      forgotten[name, default: 0] += present[name, default: 0] - before[name, default: 0]
    }
  }

  // MARK: Checking

  /// Whether the completion is recorded, by a flag or by the deletion.
  private func isNoted() throws(HarnessError) -> Bool {
    switch scope.flag {
    case .settings?: return device.settings[plan.flagName] == true
    case .store?:
      let read = StoreOperation("here", .readLocal(id: "migrations"))
      guard
        case .ok(.local(let body)) = try store.host.datastore.perform(read, environment)
      else { return false }
      return body.objectValue?[plan.flagName] == true
    case nil: return try left() == 0
    }
  }

  private func left() throws(HarnessError) -> Int {
    try Self.sound { () throws(StoreError) in
      try store.rows(of: "Recipe").count + store.rows(of: "Ingredient").count
    }
  }

  private func stored(_ collection: JSONString) throws(HarnessError) -> [JSONObject] {
    let answer = try backend.answer(BackendRequest(0, .get, collection: collection), environment)
    return answer?.body.arrayValue?.compactMap { $0.objectValue } ?? []
  }

  /// The number of entities with each name.
  private func copies() throws(HarnessError) -> [JSONString: Int] {
    var copies: [JSONString: Int] = [:]
    for collection in ["Recipe", "Ingredient"] as [JSONString] {
      for entity in try stored(collection) {
        copies[entity["name"]?.textValue ?? "", default: 0] += 1
      }
    }
    return copies
  }

  /// The violation of an invariant: something is recorded or deleted that is not complete at the
  /// backend.
  private func fault() throws(HarnessError) -> String? {
    let isNoted = try isNoted()
    let isLeft = try left() == scope.recipes * (1 + scope.ingredients)
    guard isNoted || !isLeft else { return nil }
    let what = isNoted ? "noted" : "deleted"
    return try loss().map { "\($0), but it is already \(what)" }
  }

  /// An object that is missing at the backend, or differs there.
  private func loss() throws(HarnessError) -> String? {
    var names: [JSONString: JSONString] = [:]
    for part in try stored("Ingredient") {
      if let id = part["_id"]?.textValue { names[id] = part["name"]?.textValue }
    }
    let recipes = try stored("Recipe")
    for number in 0..<scope.recipes {
      let copies = recipes.filter { $0["name"] == .string(Self.recipe(number)) }
      if copies.isEmpty { return "\(Self.recipe(number)) is lost" }
      let expected = parts(of: number)
      for copy in copies {
        let ids = copy["ingredients"]?.arrayValue ?? []
        let found = ids.compactMap { $0.textValue.flatMap { names[$0] } }
        if found != expected { return "\(Self.recipe(number)) has lost its references" }
      }
    }
    return nil
  }

  private func lastFault() throws(HarnessError) -> String? {
    if let loss = try loss() { return loss }
    if scope.deletesLocally, scope.flag == nil, try left() > 0 { return "local objects remain" }
    let copies = try copies()
    for name in copies.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      let expected = scope.keepsIDs ? 1 : forgotten[name, default: 0] + 1
      guard copies[name] != expected else { continue }
      return "\(name) exists \(copies[name] ?? 0) times, expected \(expected) times"
    }
    extra = copies.values.reduce(0) { $0 + max(0, $1 - 1) }
    return nil
  }
}

extension MigrationInterruption.RequestOutcome {
  fileprivate var sessionOutcome: CollectionSession.Outcome {
    switch self {
    case .answered: .answered
    case .lost: .lost(.timedOut)
    case .failed: .failed(.connectionLost)
    }
  }
}
