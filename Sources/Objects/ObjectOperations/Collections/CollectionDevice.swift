internal import Collections
internal import Datastore
internal import JSON
internal import ObjectContexts
internal import ObjectMapping

/// One client of a backend, as named by operations.
struct CollectionDevice {
  private var device = MigrationRunner.Device()
  /// The last migration, with its parameters.
  private var runner: MigrationRunner?
  /// The arguments of the last migration, without the number of steps.
  private var runnerArguments: ObjectMove?
  /// The quirks of query building, by collection.
  private var quirksByCollection: [JSONString: QueryQuirks] = [:]

  /// A request after parsing and validation.
  enum Request {
    case answer(CollectionAnswer)
    case call(JSONString, CollectionCall)
    case drain
    case migrate(MigrationPlan, ObjectMove, MigrationRunner.Costs)
  }

  /// Parses a request; a syntax error changes nothing.
  mutating func prepare(_ call: CollectionAction.Call) throws(DatastoreError) -> Request {
    switch call {
    case .open(let opening):
      let (description, options, quirks) = try CollectionReader.opening(opening)
      device.session.client.open(description, options)
      quirksByCollection[description.name] = quirks
      return .answer(.done)
    case .setNetwork(let state, let next):
      let standing = try CollectionReader.outcome(state, path: "state")
      var outcomes: [CollectionSession.Outcome] = []
      for (index, json) in (next ?? []).enumerated() {
        outcomes.append(try CollectionReader.outcome(json, path: "next[\(index)]"))
      }
      device.session.standing = standing
      device.session.next = outcomes
      return .answer(.done)
    case .inspect:
      return .answer(
        .client(
          ClientState(
            collections: device.session.client.openCollections,
            queue: device.session.client.queue.entries.map { $0.json }, settings: device.settings)))
    case .drain: return .drain
    case .migrate(let move):
      var collections: [CollectionDescription] = []
      for (index, name) in move.collections.enumerated() {
        guard let description = device.session.client.description(of: name) else {
          throw CollectionReader.misspelt("collections[\(index)]")
        }
        collections.append(description)
      }
      let plan = try CollectionReader.plan(move, collections)
      return .migrate(plan, move, try CollectionReader.costs(move))
    case .crash:
      device.session.client.crash()
      runner = nil
      return .answer(.done)
    case .setSettings(let settings):
      guard let settings = settings.objectValue else {
        throw CollectionReader.misspelt("settings")
      }
      device.settings = settings
      return .answer(.done)
    case .collection(let name, let request):
      return .call(name, try self.call(request, on: name))
    }
  }

  private func call(
    _ request: CollectionRequest, on name: JSONString
  ) throws(DatastoreError) -> CollectionCall {
    let quirks = quirksByCollection[name] ?? QueryQuirks()
    switch request {
    case .save(let objects): return .save(try CollectionReader.objects(objects))
    case .load(let ids, let policy, let depth):
      return .load(
        ids, policy: try CollectionReader.choice(policy, "policy"),
        depth: try CollectionReader.depth(depth))
    case .query(let steps, let policy, let depth):
      return .query(
        try CollectionReader.query(steps, quirks),
        policy: try CollectionReader.choice(policy, "policy"),
        depth: try CollectionReader.depth(depth))
    case .count(let steps): return .count(try CollectionReader.query(steps, quirks))
    case .group(let fields, let function, let field, let steps):
      guard
        let function: CollectionGrouping.Function = try CollectionReader.choice(
          function, "function")
      else { throw CollectionReader.misspelt("function") }
      return .group(
        CollectionGrouping(
          by: fields, function, of: field,
          where: try CollectionReader.query(steps ?? [], quirks)))
    case .remove(let ids, let objects, let steps, let rule):
      let target: RemovalTarget
      switch (ids, objects, steps) {
      case (let ids?, nil, nil): target = .ids(ids)
      case (nil, let objects?, nil): target = .objects(try CollectionReader.objects(objects))
      case (nil, nil, let steps?): target = .query(try CollectionReader.query(steps, quirks))
      default: throw CollectionReader.misspelt("ids")
      }
      return .remove(target, try CollectionReader.choice(rule, "rule") ?? .only)
    }
  }

  /// Performs a request, and returns all its events.
  ///
  /// - Parameter store: returns the object store with a name.
  mutating func carryOut(
    _ request: Request, _ backend: any BackendEndpoint, environment: RunEnvironment,
    store: (StoreName) throws(StoreError) -> IncrementalStore
  ) throws(StoreError) -> CollectionAnswer {
    do throws(HarnessError) {
      switch request {
      case .answer(let answer): return answer
      case .call(let name, let call):
        return .report(
          try device.session.perform(call, on: name, backend, environment: environment).encoded)
      case .drain: return .report(try device.session.drain(backend, environment).encoded)
      case .migrate: break
      }
    } catch {
      throw StoreError(.harness(error), error.message)
    }
    guard case .migrate(let plan, let move, let costs) = request else { return .done }
    var arguments = move
    arguments.steps = nil
    let isSame = arguments == runnerArguments
    let runner = try runner(for: plan, costs, continues: isSame) { () throws(StoreError) in
      try store(move.from)
    }
    if self.runner !== runner { runnerArguments = arguments }
    self.runner = runner
    do throws(HarnessError) {
      return .move(try run(runner, steps: move.steps, backend, environment: environment))
    } catch {
      throw StoreError(.harness(error), error.message)
    }
  }

  // MARK: Migration

  /// The current migration, or the failed one if it continues, otherwise a new one.
  private func runner(
    for plan: MigrationPlan, _ costs: MigrationRunner.Costs, continues: Bool,
    store: () throws(StoreError) -> IncrementalStore
  ) throws(StoreError) -> MigrationRunner {
    if let runner {
      switch runner.migration.state {
      case .running: return runner
      case .failed where continues && runner.migration.plan == plan: return runner
      case .idle, .skipped, .done, .failed: break
      }
    }
    let store = try store()
    // A separate context, so that the state of other contexts is neither read nor changed.
    let context = ManagedObjectContext(.coordinator(StoreCoordinatorCache(store)))
    return MigrationRunner(plan, from: store, context, costs: costs)
  }

  private mutating func run(
    _ runner: MigrationRunner, steps: Int64?, _ backend: any BackendEndpoint,
    environment: RunEnvironment
  ) throws(HarnessError) -> MoveReport {
    var report = MoveReport(state: "")
    let known = runner.exchanges.count
    var seen = runner.migration.progress
    runner.begin()
    while Int64(report.steps.count) < steps ?? .max {
      guard let step = try runner.step(&device, backend, environment: environment) else { break }
      report.steps.append(step.json)
      let progress = runner.migration.progress
      if progress != seen {
        report.progress.append(progress.json)
        seen = progress
      }
    }
    report.requests = runner.exchanges.dropFirst(known).map { $0.json }
    (report.state, report.problem) = runner.migration.state.encoded
    report.longestMainBlock = Int64(clamping: runner.longestMainBlock)
    return report
  }
}
