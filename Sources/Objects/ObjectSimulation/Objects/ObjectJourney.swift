public import Datastore
public import JSON
internal import ObjectMapping
internal import ObjectOperations
internal import Replication
internal import Scenarios
public import Simulation

/// Random objects of random models, taken through everything that can happen to them.
///
/// They are encoded and decoded, in both forms and over libraries that keep only doubles; saved, read,
/// changed, read after reopening, replicated, and read there by their URIs. Whatever comes back must be
/// what went in, bit for bit, and what stands in the documents must be what the store shows.
public struct ObjectJourney {
  private let subject: any ImplementationUnderTest
  private let objectCount: Int
  /// The last loss of `report(ofSeed:)`.
  private var found: Loss?

  /// Whether the store keeps objects itself, and not by the mapping of Touchstone.
  public var mapsItself: Bool { !(subject is ObjectDatastore) }

  /// - Parameters:
  ///   - subject: a store with the capability `objects`.
  ///   - objectCount: how many objects a journey has, 1 or more.
  public init(_ subject: any ImplementationUnderTest, objectCount: Int = 20) {
    self.subject = subject
    self.objectCount = objectCount
  }

  /// An object that did not come back as it was.
  public struct Loss: Hashable, Sendable {
    public var seed: UInt64
    /// What had happened to it.
    public var stage: String
    public var expected: JSONValue
    public var found: JSONValue
    /// The operation that answered.
    public var operation: StoreOperation
  }

  /// Runs the journey of a seed; nil when nothing was lost.
  public func run(seed: UInt64) throws(HarnessError) -> Loss? {
    var trip = Trip(subject, seed)
    return try trip.loss(objectCount)
  }
}

extension ObjectJourney: Experiment {
  /// Runs the journey of a seed, and keeps the loss.
  public mutating func report(ofSeed seed: UInt64) throws(HarnessError) -> CampaignReport {
    var trip = Trip(subject, seed)
    let loss = try trip.loss(objectCount)
    if let loss { found = loss }
    return CampaignReport(
      seed: seed, events: trip.operations, digest: trip.digest.value,
      counts: ["objects": objectCount], loss?.finding)
  }

  /// The loss of a seed; nil when the journey does not show any again.
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
        "an object that was \(stage) is \(found.serialized()), expected is \(expected.serialized())"
      ), time: 0)
  }
}

/// One journey on its way.
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
  private var stage = ""
  private(set) var operations = 0
  private(set) var digest = RunDigest()

  init(_ subject: any ImplementationUnderTest, _ seed: UInt64) {
    self.subject = subject
    self.seed = seed
    generator = ObjectGenerator(seed: seed)
    environment = RunEnvironment(seed: seed)
    model = generator.model.json
  }

  mutating func loss(_ count: Int) throws(HarnessError) -> ObjectJourney.Loss? {
    do throws(End) {
      try run(count)
      return nil
    } catch {
      switch error {
      case .loss(let loss): return loss
      case .harness(let failure): throw failure
      }
    }
  }

  private mutating func run(_ count: Int) throws(End) {
    do throws(HarnessError) { try subject.reset() } catch { throw .harness(error) }
    var objects = generator.objects(count)
    let hasAttachments = subject.description.capabilities.contains(.attachment)
    let form: JSONString? = hasAttachments && generator.below(3) == 0 ? "released" : nil
    for object in objects {
      for form in [nil, "released"] as [JSONString?] { try map(object, form) }
    }

    _ = try ask(Self.home, .open())
    let identifier = try ask(Self.home, .objects(.open(model: model, form: form)))
    _ = try ask(
      Self.home, .objects(.save(inserted: objects.map { $0.json }, updated: [], deleted: [])))
    stage = "saved"
    let uris = try check(objects, Self.home)
    try checkStored(objects, uris, form: form, opened: identifier, store: Self.home)

    let ids = objects.map { $0.id }
    let updates = objects.map { generator.changed($0, among: objects) }
    _ = try ask(
      Self.home,
      .objects(.save(inserted: [], updated: updates.map { spelled($0) }, deleted: [])))
    objects = updates.map { update in
      var object = update.object
      object.version = 2
      return object
    }
    stage = "changed"
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
      stage = "asked for"
      try question(objects)
    }

    stage = "deleted"
    let (gone, kept) = (ids.prefix(count / 2), objects.dropFirst(count / 2))
    _ = try ask(Self.home, .objects(.save(inserted: [], updated: [], deleted: Array(gone))))
    _ = try check(Array(kept), Self.home)
    for id in gone {
      let load = StoreAction.objects(.load(.id(id)))
      guard try outcome(Self.home, load).errorKind == .notFound(.missing) else {
        throw loss(.null, "there still is an object", action: load, store: Self.home)
      }
    }
  }

  // MARK: Fetching

  /// Whatever a predicate is true of is what is found, and nothing else.
  private mutating func question(_ objects: [ManagedObject]) throws(End) {
    let oracle = PredicateOracle(generator.model, objects)
    for _ in objects {
      let entity = generator.model.entities[generator.below(generator.model.entities.count)]
      var predicate = generator.predicate(entity, objects)
      guard var found = try difference(predicate, entity, objects: objects, oracle: oracle) else {
        continue
      }
      // A part that is answered wrongly by itself says more.
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

  /// What is found and should not be, or the other way round; nil when all is well.
  private mutating func difference(
    _ predicate: Predicate, _ entity: EntityDescription, objects: [ManagedObject],
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

  /// There and back, also over libraries that keep only doubles.
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
      stage = "carried by a library of doubles (\(transport))"
      for trustsNumbers in [false, true] {
        var carried = decoding
        carried.body = transport.carry(body)
        carried.trustsNumbers = trustsNumbers
        let decode = StoreAction.objects(.decode(carried))
        let outcome = try outcome(Self.home, decode)
        // The greatest integers become 2^63, which is none any more: that is told, too.
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

  /// What differs must have been warned of; doubles do not differ for who trusts numbers.
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
      // Nobody can tell one NaN from another by its rounded image, or a date from its digits.
      case .attribute(.double(let value))? where trustsNumbers && !value.isNaN: isForgiven = false
      case .attribute(.date(let seconds))? where seconds == 0:
        isForgiven = found.properties[name] == .attribute(.date(0))
      default: break
      }
      guard isForgiven else { throw loss(object.json, json, action: action, store: Self.home) }
    }
  }

  // MARK: Asking

  private mutating func outcome(_ store: StoreName, _ action: StoreAction) throws(End) -> Outcome {
    do throws(HarnessError) {
      let outcome = try subject.perform(StoreOperation(store, action), environment)
      operations += 1
      digest.fold(outcome)
      if case .error(let error) = outcome, error.isOfTheMachine {
        throw HarnessError("the store answered \(error) to \(action.name)")
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
    do throws(HarnessError) {
      let session = LocalReplication(
        from: Peer(subject, store: Self.home), to: Peer(subject, store: Self.abroad))
      let (state, report) = try session.run(ReplicatorConfiguration(), environment)
      guard state == .complete else {
        throw HarnessError("the replication ended as \(state): \(report)")
      }
    } catch { throw .harness(error) }
  }

  /// Reads all objects, and answers their URIs.
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

  /// Reads the documents, and compares them with what the store shows.
  private mutating func checkStored(
    _ objects: [ManagedObject], _ uris: [JSONString?], form: JSONString?,
    opened: OperationResult,
    store: StoreName
  ) throws(End) {
    let subject = subject
    // The comparison must not change what the journey draws afterwards.
    let environment = environment.copy()
    var difference: StoredObjects.Difference?
    do throws(HarnessError) {
      let stored = StoredObjects(model: model, form: form) { action throws(HarnessError) in
        let outcome = try subject.perform(StoreOperation(store, action), environment)
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

  private func spelled(_ update: SaveRequest.Update) -> JSONValue {
    var object = update.object
    object.properties = object.properties.filter { update.changed.contains($0.key) }
    return object.json
  }

  // MARK: Comparing

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

  /// What an object has: no members for nothing, and relationships as sets.
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

extension Predicate {
  fileprivate var parts: [Predicate] {
    switch self {
    case .and(let parts), .or(let parts): parts
    case .not(let part): [part]
    case .truth, .comparison: []
    }
  }
}
