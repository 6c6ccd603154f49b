public import Datastore
public import JSON
public import ObjectMapping
internal import ObjectOperations
internal import Replication
internal import Scenarios
public import Simulation

/// Round-trip tests of random objects of random models, or of a given one.
///
/// The objects are encoded and decoded, in both forms and through libraries that store all numbers
/// as doubles. They are saved, read, changed, read after reopening, replicated, and read from the
/// replica by their URIs. All values must be preserved bit by bit, and the stored documents must
/// equal the documented encoding.
public struct ObjectJourney {
  private let subject: any ImplementationUnderTest
  private let objectCount: Int
  /// The model of all journeys; nil for a random one of each.
  private let model: ManagedObjectModel?
  /// The last loss of `report(ofSeed:)`.
  private var found: Loss?

  /// Whether the store implements objects itself, without the mapping of Touchstone.
  public var mapsItself: Bool { !(subject is ObjectDatastore) }

  /// Creates a journey.
  ///
  /// - Parameters:
  ///   - subject: a store with the capability `objects`.
  ///   - objectCount: the number of objects of a journey, 1 or more.
  ///   - model: the model of all journeys, with an entity or more; nil for a random one of each.
  public init(
    _ subject: any ImplementationUnderTest, objectCount: Int = 20,
    model: ManagedObjectModel? = nil
  ) {
    self.subject = subject
    self.objectCount = objectCount
    self.model = model
  }

  /// An object that was not preserved.
  public struct Loss: Hashable, Sendable {
    /// The seed of the journey.
    public var seed: UInt64
    /// The last step of the object.
    public var stage: String
    /// The object as it should be.
    public var expected: JSONValue
    /// The object as it is.
    public var found: JSONValue
    /// The operation that returned the wrong object.
    public var operation: StoreOperation
  }

  /// Runs the journey of a seed; returns nil if nothing was lost.
  public func run(seed: UInt64) throws(HarnessError) -> Loss? {
    var trip = Trip(subject, seed: seed, model: model)
    return try trip.loss(objectCount)
  }

  /// Runs the journey of a seed, and returns what happened to each object.
  public func record(ofSeed seed: UInt64) throws(HarnessError) -> JourneyRecord {
    let recorder = JourneyRecorder(seed: seed, ObjectGenerator(seed: seed, model: model).model)
    var trip = Trip(subject, seed: seed, model: model, recorder: recorder)
    _ = try trip.loss(objectCount)
    return recorder.record
  }
}

extension ObjectJourney: Experiment {
  /// Runs the journey of a seed, and stores the loss.
  public mutating func report(ofSeed seed: UInt64) throws(HarnessError) -> CampaignReport {
    var trip = Trip(subject, seed: seed, model: model)
    let loss = try trip.loss(objectCount)
    if let loss { found = loss }
    return CampaignReport(
      seed: seed, events: trip.operations, digest: trip.digest.value,
      counts: ["objects": objectCount], loss?.finding)
  }

  /// The loss of a seed; nil if the journey does not reproduce it.
  public func loss(ofSeed seed: UInt64) throws(HarnessError) -> Loss? {
    if let found, found.seed == seed { return found }
    return try run(seed: seed)
  }
}

extension ObjectJourney.Loss {
  /// The loss as a finding of a report.
  fileprivate var finding: Trace.Finding {
    Trace.Finding(
      oracle: "objects", shape: "lost",
      sentence: JSONString(
        "after it was \(stage), an object is \(found.serialized()), expected \(expected.serialized())"
      ), time: 0)
  }
}

/// A journey in progress.
private struct Trip {
  enum End: Error {
    case loss(ObjectJourney.Loss)
    case harness(HarnessError)
  }

  private static let home: StoreName = "home"
  private static let abroad: StoreName = "abroad"

  private let subject: any ImplementationUnderTest
  private let seed: UInt64
  private var generator: ObjectGenerator
  private let environment: RunEnvironment
  private let model: JSONValue
  /// Records the journey; nil if it is not recorded.
  private let recorder: JourneyRecorder?
  private var stage = ""
  private(set) var operations = 0
  private(set) var digest = RunDigest()

  init(
    _ subject: any ImplementationUnderTest, seed: UInt64, model: ManagedObjectModel?,
    recorder: JourneyRecorder? = nil
  ) {
    self.subject = subject
    self.seed = seed
    self.recorder = recorder
    generator = ObjectGenerator(seed: seed, model: model)
    environment = RunEnvironment(seed: seed)
    self.model = generator.model.json
  }

  mutating func loss(_ count: Int) throws(HarnessError) -> ObjectJourney.Loss? {
    do throws(End) {
      try run(count)
      return nil
    } catch {
      switch error {
      case .loss(let loss):
        recorder?.lose(loss)
        return loss
      case .harness(let failure): throw failure
      }
    }
  }

  private mutating func run(_ count: Int) throws(End) {
    do throws(HarnessError) { try subject.reset() } catch { throw .harness(error) }
    var objects = generator.objects(count)
    let hasAttachments = subject.description.capabilities.contains(.attachment)
    let form: JSONString? = hasAttachments && generator.below(3) == 0 ? "released" : nil
    recorder?.begin(objects, form: form)
    for object in objects {
      for form in [nil, "released"] as [JSONString?] { try map(object, form) }
    }

    stage = "opened"
    _ = try ask(Self.home, .open())
    let identifier = try ask(Self.home, .objects(.open(model: model, form: form)))
    stage = "saved"
    _ = try ask(
      Self.home, .objects(.save(inserted: objects.map { $0.json }, updated: [], deleted: [])))
    let uris = try check(objects, Self.home)
    try checkStored(objects, uris, form: form, opened: identifier, store: Self.home)

    let ids = objects.map { $0.id }
    let updates = objects.map { generator.changed($0, among: objects) }
    stage = "changed"
    _ = try ask(
      Self.home,
      .objects(.save(inserted: [], updated: updates.map { encoded($0) }, deleted: [])))
    objects = updates.map { update in
      var object = update.object
      object.version = 2
      return object
    }
    recorder?.change(objects)
    try expectSame(uris, try check(objects, Self.home))
    try checkStored(objects, uris, form: form, opened: identifier, store: Self.home)

    stage = "reopened"
    _ = try ask(Self.home, .close)
    _ = try ask(Self.home, .open())
    try expectSame(identifier, try ask(Self.home, .objects(.open(model: model, form: form))))
    try expectSame(uris, try check(objects, Self.home))

    stage = "replicated"
    _ = try ask(Self.abroad, .open())
    try replicate()
    try expectSame(identifier, try ask(Self.abroad, .objects(.open(model: model, form: form))))
    try expectSame(uris, try check(objects, Self.abroad))
    try checkStored(objects, uris, form: form, opened: identifier, store: Self.abroad)
    for (object, uri) in zip(objects, uris) {
      guard let uri else { continue }
      let load = StoreAction.objects(.load(.identifier(uri)))
      try expect(object, try ask(Self.abroad, load), action: load, store: Self.abroad)
    }

    if subject.description.capabilities.isSuperset(of: [.find, .regex, .decimals]) {
      stage = "queried"
      try question(objects)
    }

    stage = "deleted"
    let (gone, kept) = (ids.prefix(count / 2), objects.dropFirst(count / 2))
    _ = try ask(Self.home, .objects(.save(inserted: [], updated: [], deleted: Array(gone))))
    _ = try check(Array(kept), Self.home)
    for id in gone {
      let load = StoreAction.objects(.load(.id(id)))
      guard try outcome(Self.home, load).errorKind == .notFound(.missing) else {
        throw loss(.null, "the object still exists", action: load, store: Self.home)
      }
    }
  }

  // MARK: Fetches

  /// Checks that a fetch returns exactly the objects for which a predicate is true.
  private mutating func question(_ objects: [ManagedObject]) throws(End) {
    let oracle = PredicateOracle(generator.model, objects)
    for _ in objects {
      let entity = generator.model.entities[generator.below(generator.model.entities.count)]
      var predicate = generator.predicate(entity, objects)
      guard var found = try difference(predicate, entity, objects: objects, oracle: oracle) else {
        continue
      }
      // A wrong result of a part is a smaller example.
      var parts = predicate.parts
      while let part = parts.popLast() {
        guard let difference = try difference(part, entity, objects: objects, oracle: oracle) else {
          continue
        }
        (predicate, found, parts) = (part, difference, part.parts)
      }
      throw found
    }
  }

  /// The difference between found and expected objects; nil if there is no difference.
  private mutating func difference(
    _ predicate: FetchPredicate, _ entity: EntityDescription, objects: [ManagedObject],
    oracle: PredicateOracle
  ) throws(End) -> End? {
    let (text, arguments) = predicate.format
    let expected = objects.filter { $0.entity == entity.name && oracle.holds(predicate, $0) }
      .map { $0.id }
      .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    let fetch = StoreAction.objects(
      .fetch(
        ObjectFetch(
          entity.name, predicate: text, arguments: arguments.map { $0.json }, result: .ids)))
    let found = try ask(Self.home, fetch)
    guard found != .objects(.ids(expected)) else { return nil }
    return loss(.array(expected.map { $0.json }), found.json, action: fetch, store: Self.home)
  }

  // MARK: Mapping

  /// A round trip, also through libraries that store all numbers as doubles.
  private mutating func map(_ object: ManagedObject, _ form: JSONString?) throws(End) {
    stage = "encoded"
    let encode = StoreAction.objects(.encode(model: model, object: object.json, form: form))
    guard case .encoded(let body, let attachments)? = try ask(Self.home, encode).objects else {
      throw loss(object.json, .null, action: encode, store: Self.home)
    }
    stage = "decoded"
    let decoding = ObjectDecoding(
      model: model, id: object.id, body: body, attachments: attachments)
    let decode = StoreAction.objects(.decode(decoding))
    try expect(object, try ask(Self.home, decode), action: decode, store: Self.home)
    for transport in DoubleTransport.allCases {
      stage = "converted by a library with doubles only (\(transport))"
      for trustsNumbers in [false, true] {
        var carried = decoding
        carried.body = transport.carry(body)
        carried.trustsNumbers = trustsNumbers
        let decode = StoreAction.objects(.decode(carried))
        let outcome = try outcome(Self.home, decode)
        // The greatest integers become 2^63, which is out of range; that must be reported, too.
        if case .badObject("outOfRange", let name?)? = outcome.errorKind,
          case .attribute(.integer(let value))? = object.properties[name],
          Double(value) == 0x1p63
        {
          continue
        }
        guard case .object(let found, let warnings, _)? = outcome.objects else {
          throw loss(object.json, outcome.json, action: decode, store: Self.home)
        }
        try expect(
          object, found, except: Set(warnings.map { $0.property }), trustsNumbers: trustsNumbers,
          action: decode)
      }
    }
  }

  /// Checks that every difference was announced by a warning; with `trustsNumbers`, doubles must
  /// not differ.
  private func expect(
    _ object: ManagedObject, _ json: JSONValue, except suspects: Set<JSONString>,
    trustsNumbers: Bool,
    action: StoreAction
  ) throws(End) {
    guard let found = read(json), let entity = generator.model[object.entity] else {
      throw loss(object.json, json, action: action, store: Self.home)
    }
    for attribute in entity.attributes {
      let name = attribute.name
      guard (object.properties[name] ?? .none) != (found.properties[name] ?? .none) else {
        continue
      }
      var isForgiven = suspects.contains(name)
      switch object.properties[name] {
      // A rounded image does not identify a NaN, and digits do not identify a date.
      case .attribute(.double(let value))? where trustsNumbers && !value.isNaN: isForgiven = false
      case .attribute(.date(let seconds))? where seconds == 0:
        isForgiven = found.properties[name] == .attribute(.date(0))
      default: break
      }
      guard isForgiven else { throw loss(object.json, json, action: action, store: Self.home) }
    }
  }

  // MARK: Operations

  private mutating func outcome(_ store: StoreName, _ action: StoreAction) throws(End) -> Outcome {
    do throws(HarnessError) {
      let outcome = try subject.perform(StoreOperation(store, action), environment)
      operations += 1
      digest.fold(outcome)
      recorder?.observe(StoreOperation(store, action), outcome, stage: stage)
      if case .error(let error) = outcome, error.isOfTheMachine {
        throw HarnessError("\(action.name) failed with \(error)")
      }
      return outcome
    } catch { throw .harness(error) }
  }

  private mutating func ask(_ store: StoreName, _ action: StoreAction) throws(End)
    -> OperationResult
  {
    let outcome = try outcome(store, action)
    guard case .ok(let result) = outcome else {
      throw loss("an answer", outcome.json, action: action, store: store)
    }
    return result
  }

  private mutating func replicate() throws(End) {
    recorder?.perform("replicate", at: Self.abroad, stage: stage)
    do throws(HarnessError) {
      let session = LocalReplication(
        from: Peer(subject, store: Self.home), to: Peer(subject, store: Self.abroad))
      let (state, report) = try session.run(ReplicatorConfiguration(), environment)
      guard state == .complete else {
        throw HarnessError("the replication ended in state \(state): \(report)")
      }
    } catch { throw .harness(error) }
  }

  /// Reads all objects, and returns their URIs.
  private mutating func check(
    _ objects: [ManagedObject], _ store: StoreName
  ) throws(End) -> [JSONString?] {
    var uris: [JSONString?] = []
    for object in objects {
      let load = StoreAction.objects(.load(.id(object.id)))
      let result = try ask(store, load)
      try expect(object, result, action: load, store: store)
      guard case .object(let json, _, _)? = result.objects else { continue }
      uris.append(json.objectValue?["identifier"]?.textValue)
    }
    return uris
  }

  /// Compares the stored documents with the documented encoding.
  private mutating func checkStored(
    _ objects: [ManagedObject], _ uris: [JSONString?], form: JSONString?,
    opened: OperationResult,
    store: StoreName
  ) throws(End) {
    let (subject, recorder, stage) = (subject, recorder, stage)
    // The comparison must not change what the journey draws afterwards.
    let environment = environment.copy()
    var difference: StoredObjects.Difference?
    do throws(HarnessError) {
      let stored = StoredObjects(model: model, form: form) { action throws(HarnessError) in
        let outcome = try subject.perform(StoreOperation(store, action), environment)
        recorder?.observe(StoreOperation(store, action), outcome, stage: stage)
        if case .ok(let result) = outcome { return result }
        return nil
      }
      var identifier: JSONString = ""
      if case .opened(let name)? = opened.objects { identifier = name }
      difference = try stored.difference(objects, uris)
      if difference == nil { difference = try stored.difference(ofMetadata: identifier) }
    } catch { throw .harness(error) }
    guard let difference else { return }
    throw loss(difference.expected, difference.found, action: difference.action, store: store)
  }

  private func encoded(_ update: SaveRequest.Update) -> JSONValue {
    var object = update.object
    object.properties = object.properties.filter { update.changed.contains($0.key) }
    return object.json
  }

  // MARK: Comparison

  private func read(_ json: JSONValue) -> ManagedObject? {
    try? ManagedObject(json, generator.model)
  }

  private func expect(
    _ object: ManagedObject, _ result: OperationResult, action: StoreAction, store: StoreName
  ) throws(End) {
    guard case .object(let json, _, _)? = result.objects, let found = read(json),
      found.id == object.id, found.entity == object.entity, found.version == object.version,
      plain(found) == plain(object)
    else { throw loss(object.json, result.json, action: action, store: store) }
  }

  /// The values of an object in normal form: without nil values, and with relationships as sets.
  private func plain(_ object: ManagedObject) -> [JSONString: PropertyValue] {
    var plain: [JSONString: PropertyValue] = [:]
    for (name, value) in object.properties {
      switch value {
      case .none, .toMany([]): continue
      case .toMany(let ids):
        plain[name] = .toMany(
          ids.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) })
      default: plain[name] = value
      }
    }
    return plain
  }

  private func expectSame<Value: Equatable>(_ expected: Value, _ found: Value) throws(End) {
    guard expected == found else {
      throw loss(
        .text("\(expected)"), .text("\(found)"), action: .objects(.open(model: model)),
        store: Self.home)
    }
  }

  private func loss(
    _ expected: JSONValue, _ found: JSONValue, action: StoreAction, store: StoreName
  ) -> End {
    .loss(
      ObjectJourney.Loss(
        seed: seed, stage: stage, expected: expected, found: found,
        operation: StoreOperation(store, action)))
  }
}

extension FetchPredicate {
  fileprivate var parts: [FetchPredicate] {
    switch self {
    case .and(let parts), .or(let parts): parts
    case .not(let part): [part]
    case .truth, .comparison: []
    }
  }
}
