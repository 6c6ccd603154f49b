internal import Datastore
internal import ReferenceDatastore
internal import SQLiteDatastore
internal import Scenarios
internal import Simulation
internal import Storage

/// Runs of the simulation with all faults.
final class CampaignContest: Contest {
  /// The kind of baseline.
  enum Floor {
    /// The operations of the same clients, each replica separately: no network, sessions or
    /// oracles.
    case clients
    /// The same number of runs of two replicas, whose clients do the same work in total.
    case twoReplicas
  }

  private let seeds: ClosedRange<UInt64>
  private let countsEvents: Bool
  private let floor: Floor
  private let campaign: Campaign
  private let makeStore: () -> any ImplementationUnderTest
  private var events = (store: 0, floor: 0)

  /// - Parameter countsEvents: whether an operation is an event, and not a run.
  init(
    runs: Int, replicas: Int, operations: Int, isModel: Bool, countsEvents: Bool, floor: Floor
  ) {
    seeds = 1...UInt64(runs)
    self.countsEvents = countsEvents
    self.floor = floor
    makeStore =
      isModel
      ? { ReferenceDatastore() } : { SQLiteDatastore(storage: MemoryStorage()) }
    let description = makeStore().description
    var generator = ScenarioGenerator(
      capabilities: description.capabilities, crashes: description.crashes)
    generator.replicaCount = replicas
    generator.operationsPerReplica = operations
    let participants =
      isModel
      ? World.Participants.model
      : World.Participants(makeStore: { _ in
        PlainStore(SQLiteDatastore(storage: MemoryStorage()), followsModel: true)
      })
    campaign = Campaign(generator, participants)
  }

  var counts: (store: Int, floor: Int)? { countsEvents ? events : nil }

  func prepareStore(run: Int) {}

  func runStore() throws(BenchmarkError) -> Tally {
    events.store = try run(campaign)
    return Tally()
  }

  func prepareFloor(run: Int) {}

  func runFloor() throws(BenchmarkError) -> Tally {
    switch floor {
    case .twoReplicas:
      var pair = campaign
      pair.generator.replicaCount = 2
      pair.generator.operationsPerReplica *= campaign.generator.replicaCount / 2
      events.floor = try run(pair)
    case .clients:
      events.floor = 0
      for seed in seeds { events.floor += try performClients(of: seed) }
    }
    return Tally()
  }

  private func run(_ campaign: Campaign) throws(BenchmarkError) -> Int {
    var events = 0
    for seed in seeds {
      let run: SimulationRun
      do throws(HarnessError) { run = try campaign.run(seed: seed) } catch { throw .harness(error) }
      guard run.findings.isEmpty else {
        throw .disagreement("run \(seed) of the simulation has a finding")
      }
      events += run.events
    }
    return events
  }

  private func performClients(of seed: UInt64) throws(BenchmarkError) -> Int {
    let scenario = campaign.generator.scenario(seed: seed)
    var stores: [ReplicaName: any ImplementationUnderTest] = [:]
    let environment = RunEnvironment(seed: seed)
    var operations = 0
    func perform(
      _ store: any ImplementationUnderTest, _ action: StoreAction
    ) throws(BenchmarkError) -> Outcome {
      operations += 1
      do throws(HarnessError) {
        return try store.perform(StoreOperation(scenario.store, action), environment)
      } catch {
        throw .harness(error)
      }
    }
    for name in scenario.replicas {
      let store = makeStore()
      _ = try perform(store, .open())
      stores[name] = store
    }
    for step in scenario.steps {
      guard case .perform(let name, let operation) = step.directive, let store = stores[name]
      else { continue }
      var leaves: [Leaf] = []
      if operation.leaf != nil, let id = operation.action.documents.first,
        case .ok(.leaves(let found)) = try perform(store, .leaves(id: id))
      {
        leaves = found
      }
      guard let action = operation.action(with: leaves) else { continue }
      _ = try perform(store, action)
    }
    for store in stores.values {
      do throws(HarnessError) { try store.shutdown() } catch { throw .harness(error) }
    }
    return operations
  }
}
