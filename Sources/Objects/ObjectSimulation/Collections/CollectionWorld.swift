internal import Collections
public import Datastore
internal import JSON
internal import Oracles
internal import Simulation

/// Devices that use collections of one backend, over a network that delays, loses and fails.
///
/// What one sees is what happened and nothing else: there is one thread, one clock and one source of
/// chance, so a workload runs the same way each time. At the end the network is sound, every queue is
/// drained, and everybody asks for everything.
public struct CollectionWorld {
  static let recipes: JSONString = "Recipe"
  static let ingredients: JSONString = "Ingredient"
  static let stamp: JSONString = "stamp"

  /// A device: its client, and what its application has in its hands.
  struct Device {
    var client = CollectionClient()
    /// Recipes by id, as they were loaded, saved or changed last.
    var known: [JSONString: CollectionObject] = [:]
    /// What each open call is for.
    var calls: [CallNumber: CollectionWorld.Purpose] = [:]
    /// The stamp of the save that the queue has sent.
    var sending: JSONString?
    var offlineUntil: UInt64 = 0
    /// How often it has crashed: what was asked before is answered to nobody.
    var life = 0
    /// The stamps of objects that were made, whose answers are on their way.
    var answers: [RequestNumber: JSONString] = [:]
  }

  /// What an application waits for.
  enum Purpose {
    case save
    case find(in: JSONString, CachePolicy)
    case remove
  }

  enum Event {
    case step(Int)
    case arrive(device: Int, life: Int, BackendRequest, CollectionWorld.Way)
    case reply(device: Int, RequestNumber, BackendReply)
  }

  /// What happens to a request on its way.
  enum Way {
    case answered
    case lost
    case answerLost
    case refused
  }

  let workload: CollectionWorkload
  let backend: CollectionBackend
  var devices: [Device]
  var events = EventQueue<CollectionWorld.Event>()
  var ledger = CollectionLedger()
  var twin: ReplicatedTwin
  /// The stamps of what was changed, by the stamps that it got.
  var bases: [JSONString: JSONString] = [:]
  let environment: RunEnvironment
  var result = CollectionRun()
  var digest = RunDigest()
  var now: UInt64 = 0
  var isSound: Bool
  private let records: Bool

  /// - Parameters:
  ///   - implementation: what the backend keeps its documents in; it can `find`.
  ///   - records: whether the run keeps a trace.
  public init(
    _ workload: CollectionWorkload, over implementation: any ImplementationUnderTest,
    records: Bool = false
  ) throws(HarnessError) {
    self.workload = workload
    self.records = records
    environment = RunEnvironment(seed: workload.seed)
    isSound = !workload.hasFaults
    try implementation.reset()
    let store: StoreName = "backend"
    _ = try implementation.perform(StoreOperation(store, .open()), environment)
    backend = CollectionBackend(implementation, store: store)
    twin = try ReplicatedTwin(devices: workload.clients.count, seed: workload.seed)
    devices = []
    for client in workload.clients {
      var device = Device()
      for description in try Self.descriptions() {
        device.client.open(description, client.options)
      }
      devices.append(device)
    }
  }

  private static func descriptions() throws(HarnessError) -> [CollectionDescription] {
    do throws(CollectionError) {
      return [
        try CollectionDescription(
          recipes,
          properties: [
            MappedProperty("servings"), MappedProperty("stamp"),
            MappedProperty(
              "ingredients", to: ingredients, isToMany: true, cascades: true),
          ]),
        try CollectionDescription(
          ingredients, properties: [MappedProperty("name"), MappedProperty("stamp")]),
      ]
    } catch {
      throw HarnessError("collections of the simulation: \(error)")
    }
  }

  /// Runs everything, to the end.
  public mutating func run() throws(HarnessError) -> CollectionRun {
    for place in workload.steps.indices {
      events.insert(.step(place), at: workload.steps[place].when)
    }
    try runEvents()
    if result.findings.isEmpty { try close() }
    result.digest = digest.value
    result.milliseconds = now
    return result
  }

  private mutating func runEvents() throws(HarnessError) {
    while result.findings.isEmpty, let (time, event) = events.next() {
      now = time
      result.events += 1
      switch event {
      case .step(let place): try perform(workload.steps[place])
      case .arrive(let device, let life, let request, let way):
        try arrive(device, life, request: request, way: way)
      case .reply(let device, let request, let reply):
        digest.fold(UInt64(device))
        devices[device].answers[request] = nil
        try take(devices[device].client.receive(reply, to: request, environment), at: device)
      }
    }
  }

  /// Nothing fails any more: queues are drained, and everybody asks for everything.
  private mutating func close() throws(HarnessError) {
    isSound = true
    for device in devices.indices { devices[device].offlineUntil = 0 }
    // An entry that waits behind another one is sent in the drain after that.
    for _ in 0...workload.steps.count {
      guard result.findings.isEmpty,
        devices.contains(where: { !$0.client.queue.entries.isEmpty })
      else { break }
      for device in devices.indices {
        try take(devices[device].client.drain(), at: device)
      }
      try runEvents()
    }
    for device in devices.indices {
      for name in [Self.recipes, Self.ingredients] {
        try call(
          .query(CollectionQuery(), policy: CachePolicy.none), on: name, at: device,
          for: .find(in: name, .none))
      }
    }
    try runEvents()
    guard result.findings.isEmpty else { return }
    result.findings = ledger.conclude(
      try stored(), waiting: devices.map { $0.client.queue.entries.count })
    result.losses = ledger.losses
    result.acknowledged = ledger.acknowledged.count
    try twin.close()
    let lost = try twin.lost()
    result.findings += lost
    result.replicatedLost = lost.count
    result.replicated = twin.keeping.count
    result.conflicts = try twin.conflicts()
  }

  /// All entities, as the backend keeps them.
  private mutating func stored() throws(HarnessError) -> [CollectionLedger.Key: JSONObject] {
    var stored: [CollectionLedger.Key: JSONObject] = [:]
    for name in [Self.recipes, Self.ingredients] {
      let request = BackendRequest(0, .get, collection: name)
      guard let body = try backend.answer(request, environment)?.body.arrayValue else { continue }
      for entity in body.compactMap({ $0.objectValue }) {
        guard let id = entity[EntityField.id]?.textValue else { continue }
        stored[CollectionLedger.Key(name, id)] = entity
      }
    }
    return stored
  }

  /// Writes a line into the trace.
  mutating func trace(_ device: Int, _ line: @autoclosure () -> String) {
    guard records else { return }
    result.trace.append("\(now) ms  device \(device)  \(line())")
  }

  mutating func note(_ finding: OracleFinding?) {
    if let finding { result.findings.append(finding) }
  }
}
