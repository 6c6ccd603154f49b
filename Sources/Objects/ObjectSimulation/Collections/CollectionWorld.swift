internal import Collections
public import Datastore
internal import JSON
internal import Oracles
internal import Simulation

/// Devices that use collections of one backend, over a network with delays, losses and failures.
///
/// The simulation is deterministic: it has one thread, one clock and one random generator, so a
/// workload always runs in the same way. At the end the network is repaired, every queue is
/// drained, and every device queries all objects.
public struct CollectionWorld {
  static let recipes: JSONString = "Recipe"
  static let ingredients: JSONString = "Ingredient"
  static let stamp: JSONString = "stamp"

  /// A device: its client, and the objects of its application.
  struct Device {
    var client = CollectionClient()
    /// Recipes by id, in their last loaded, saved or changed version.
    var known: [JSONString: CollectionObject] = [:]
    /// The purpose of each open call.
    var calls: [CallNumber: CollectionWorld.Purpose] = [:]
    /// The stamp of the save that the offline queue has sent.
    var sending: JSONString?
    var offlineUntil: UInt64 = 0
    /// The number of crashes; responses to requests before a crash are discarded.
    var life = 0
    /// The stamps of created objects whose responses are in transit.
    var answers: [RequestNumber: JSONString] = [:]
  }

  /// The purpose of a call.
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

  /// The outcome of a request in transit.
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
  var control: ReplicatedControl
  /// The stamps of previous versions, by stamp.
  var bases: [JSONString: JSONString] = [:]
  let environment: RunEnvironment
  var result = CollectionRun()
  var digest = RunDigest()
  var now: UInt64 = 0
  var isSound: Bool
  let records: Bool
  /// The acknowledged saves and sent saves that a recorded run has recorded.
  var recorded: (acknowledged: Set<JSONString>, sent: Set<JSONString>) = ([], [])

  /// Creates a world.
  ///
  /// - Parameters:
  ///   - implementation: the datastore of the backend, with the capability `find`.
  ///   - records: whether the run records a trace.
  public init(
    _ workload: CollectionWorkload, over implementation: any ImplementationUnderTest,
    records: Bool = false
  ) throws(HarnessError) {
    self.workload = workload
    self.records = records
    if records { result.trace = CollectionTrace() }
    environment = RunEnvironment(seed: workload.seed)
    isSound = !workload.hasFaults
    try implementation.reset()
    let store: StoreName = "backend"
    _ = try implementation.perform(StoreOperation(store, .open()), environment)
    backend = CollectionBackend(implementation, store: store)
    control = try ReplicatedControl(devices: workload.clients.count, seed: workload.seed)
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

  /// Runs the complete workload.
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
        trace(device, reply.isResponse ? .received(request) : .timedOut(request))
        try take(devices[device].client.receive(reply, to: request, environment), at: device)
      }
    }
  }

  /// Ends all faults, drains the queues, and makes every device query all objects.
  private mutating func close() throws(HarnessError) {
    isSound = true
    for device in devices.indices { devices[device].offlineUntil = 0 }
    // An entry that waits for another one is sent in the next drain.
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
    result.trace?.losses = ledger.allLosses
    result.acknowledged = ledger.acknowledged.count
    try control.close()
    let lost = try control.lost()
    result.findings += lost
    result.replicatedLost = lost.count
    result.replicated = control.keeping.count
    result.conflicts = try control.conflicts()
  }

  /// All entities as stored by the backend.
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

  /// Records an event if the run is recorded.
  mutating func trace(_ device: Int, _ event: @autoclosure () -> CollectionTrace.Event) {
    guard records else { return }
    result.trace?.entries.append(
      CollectionTrace.Entry(time: now, device: device, event: event()))
  }

  /// Records the saves that were acknowledged since the last call.
  mutating func traceAcknowledged(at device: Int) {
    guard records else { return }
    let stamps = ledger.acknowledged.subtracting(recorded.acknowledged)
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    guard !stamps.isEmpty else { return }
    recorded.acknowledged.formUnion(stamps)
    trace(device, .acknowledged(stamps))
  }

  mutating func note(_ finding: OracleFinding?) {
    if let finding { result.findings.append(finding) }
  }
}

extension BackendReply {
  fileprivate var isResponse: Bool {
    if case .response = self { return true }
    return false
  }
}
