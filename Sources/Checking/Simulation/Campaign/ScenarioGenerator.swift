public import Datastore
internal import JSON
public import Scenarios

/// Generates scenarios from seeds. The kinds of clients, edits and faults are drawn once per seed,
/// so that some runs have many events of a kind and others have none.
public struct ScenarioGenerator: Sendable {
  /// The number of replicas, 2 to 16.
  public var replicaCount = 3
  /// The number of client operations per replica.
  public var operationsPerReplica = 100
  /// The kinds of faults that scenarios may have.
  public var faults: Set<FaultClass> = Set(FaultClass.allCases)
  /// The capabilities of the stores under test.
  public var capabilities: Set<Capability>
  /// The parts of the contract that the stores under test cannot perform.
  public var restrictions: Set<Restriction> = []
  /// The guarantees of the stores under test beyond the core.
  public var profiles: Set<Profile> = []
  /// The defaults of the stores under test for `open` without arguments, once for each
  /// implementation.
  public var defaults = [ImplementationDescription.Defaults()]
  /// Whether scenarios resolve conflicts with a leaf of the largest generation.
  ///
  /// False for a store that accepts edits above it: no other store can have the revisions that such
  /// an edit makes, and neither can the model.
  public var hasLargestGeneration = true
  /// The crashes that a store under test supports; a replica whose store does not support one
  /// ignores it.
  public var crashes: Set<CrashKind>
  /// The applications that replace clients that edit documents; nil for such clients.
  package var applications: (any ApplicationSimulation)?

  /// Creates a generator for stores with these capabilities and crashes.
  public init(capabilities: Set<Capability>, crashes: Set<CrashKind>) {
    self.capabilities = capabilities
    self.crashes = crashes
  }

  /// Kinds of faults that can be left out of a campaign.
  public enum FaultClass: String, CaseIterable, Hashable, Sendable {
    /// Lost, duplicated and late messages.
    case network
    /// Partitions and blocked links between replicas.
    case partition
    /// Error statuses, malformed and incomplete responses, damaged attachments, sequences in
    /// another encoding.
    case peer
    /// Crashes of replicas.
    case crash
    /// Full and failing disks.
    case storage
    /// Wrong clocks.
    case clock
    /// Stores restored from a copy or destroyed, and deleted checkpoints.
    case loss
  }

  /// The scenario of a seed.
  public func scenario(seed: UInt64) -> Scenario {
    var draft = SeedDraft(self, seed: seed)
    return draft.scenario()
  }
}

/// A scenario under construction.
package struct SeedDraft {
  package let generator: ScenarioGenerator
  let seed: UInt64
  package let names: [ReplicaName]
  package var random: KeyedRandom
  var steps: [ScenarioStep] = []
  package var serial = 0
  /// The time span of client operations, in milliseconds.
  package let span: Int
  /// Nil for runs without attachments.
  var attachments: AttachmentWorkload?
  /// Draws what was added later, so that the other draws of a seed stay the same.
  private var laterRandom: KeyedRandom
  /// Whether some ids contain characters with a meaning in URLs.
  private let hasReservedCharacters: Bool

  init(_ generator: ScenarioGenerator, seed: UInt64) {
    self.generator = generator
    self.seed = seed
    random = KeyedRandom(seed: seed, key: 1)
    laterRandom = KeyedRandom(seed: seed, key: 11)
    hasReservedCharacters = laterRandom.chance(1, in: 8)
    names = (0..<generator.replicaCount).map { place in
      ReplicaName(JSONString(String(UnicodeScalar(UInt8(97 + place)))))
    }
    // Long enough for pauses, retries and restarts between edits.
    span = 20_000 + random.below(100_000)
    if generator.applications == nil, generator.capabilities.contains(.attachment) {
      attachments = AttachmentWorkload(
        seed: seed, hasPieces: generator.capabilities.contains(.attachmentPieces))
    }
  }

  mutating func scenario() -> Scenario {
    let conditions = conditions()
    if let applications = generator.applications {
      applications.addSteps(to: &self)
    } else {
      addClients()
      addSessions()
      // Last and each from its own random source, so that seeds without them do not change.
      addHistories()
      addNearEqualContents()
      addLosingLeaves()
    }
    if generator.faults.contains(.partition), random.chance(1, in: 2) { addPartitions() }
    if generator.faults.contains(.crash), random.chance(2, in: 3) { addCrashes() }
    if generator.faults.contains(.storage), random.chance(1, in: 3) { addStorageFaults() }
    if generator.faults.contains(.clock), random.chance(1, in: 4) {
      for _ in 0...random.below(3) {
        add(.clock(anyone(), offset: Int64(random.below(7_200_000)) - 3_600_000))
      }
    }
    if generator.faults.contains(.loss), random.chance(1, in: 4) { addLosses() }
    restrict()
    let order = steps.indices.sorted { (steps[$0].when, $0) < (steps[$1].when, $1) }
    return Scenario(
      seed: seed, replicas: names, conditions: conditions, steps: order.map { steps[$0] })
  }

  /// Removes the operations, or their parts, that the stores under test cannot perform.
  private mutating func restrict() {
    let restrictions = generator.restrictions
    guard !restrictions.isEmpty else { return }
    steps = steps.compactMap { step in
      guard case .perform(let replica, var operation) = step.directive else { return step }
      switch operation.action {
      // The replicas also set limits and purge while they have documents.
      case .historyLimit where restrictions.contains(.historyLimitAtCreation): return nil
      // A session would not see the change.
      case .purge where restrictions.contains(.purgeMovesNoRow): return nil
      default: operation.action = operation.action.within(restrictions)
      }
      return ScenarioStep(step.id, when: step.when, .perform(at: replica, operation))
    }
  }

  /// The random faults: each kind is off, rare or frequent.
  private mutating func conditions() -> Conditions {
    var conditions = Conditions(latencyMin: 1, latencyMax: Int64(5 + random.below(400)))
    func rate() -> Int64 { [0, 0, 5, 20, 80, 200][random.below(6)] }
    if generator.faults.contains(.network) {
      conditions.lost = rate()
      conditions.twice = rate()
      conditions.late = rate()
      conditions.lateMax = Int64([500, 10_000, 60_000][random.below(3)])
    }
    if generator.faults.contains(.peer) {
      conditions.status = rate()
      conditions.truncated = rate() / 2
      conditions.partial = rate() / 2
      conditions.reencodesSequences = random.chance(1, in: 4)
      let damaged = attachments?.damageRate() ?? 0
      // Damage of content without a digest cannot be detected.
      conditions.damaged = generator.restrictions.contains(.ownDigests) ? 0 : damaged
    }
    return conditions
  }

  // MARK: Clients

  private mutating func addClients() {
    // A few hot documents, or many cold ones.
    let documents = random.chance(2, in: 3) ? 1 + random.below(5) : 10 + random.below(40)
    let isBursty = random.chance(1, in: 3)
    let kinds = clientKinds()
    for name in names {
      var time = 0
      for _ in 0..<generator.operationsPerReplica {
        if isBursty {
          time += random.chance(1, in: 12) ? random.below(span / 4) : random.below(30)
        } else {
          time = random.below(span)
        }
        let operation = clientOperation(random.pick(kinds) ?? .create, documents)
        for operation in attachments?.operations(for: operation) ?? [operation] {
          add(.perform(at: name, operation), at: time % span)
        }
      }
    }
  }

  private enum ClientKind {
    case create, update, delete, read, resolve, compact, purge, validation
  }

  /// The kinds of client operations of this run, one entry per unit of weight.
  private mutating func clientKinds() -> [ClientKind] {
    var kinds = Array(repeating: ClientKind.create, count: 4)
    kinds += Array(repeating: .update, count: 8)
    if random.chance(3, in: 4) { kinds += Array(repeating: .delete, count: 1 + random.below(5)) }
    if random.chance(1, in: 2) { kinds.append(.read) }
    if generator.capabilities.contains(.resolve), random.chance(1, in: 2) {
      kinds += Array(repeating: .resolve, count: 1 + random.below(3))
    }
    if generator.capabilities.contains(.compact), random.chance(1, in: 4) {
      kinds.append(.compact)
    }
    if generator.capabilities.contains(.purge), random.chance(1, in: 10) { kinds.append(.purge) }
    if generator.capabilities.contains(.validation), random.chance(1, in: 10) {
      kinds.append(.validation)
    }
    return kinds
  }

  private mutating func clientOperation(_ kind: ClientKind, _ documents: Int) -> ClientOperation {
    let id = id(random.below(documents))
    // Mostly the winner, as for a client without conflict handling.
    let leaf = Int64(random.chance(3, in: 4) ? 0 : random.below(4))
    // Every write is distinguishable, and filters match some of them.
    let body: JSONValue = [
      "w": .integer(Int64(serial)), "k": .integer(Int64(random.below(3))),
    ]
    switch kind {
    case .create: return ClientOperation(.create(id: id, body: body))
    case .update: return ClientOperation(.update(id: id, rev: "1-0", body: body), leaf: leaf)
    case .delete: return ClientOperation(.delete(id: id, rev: "1-0"), leaf: leaf)
    case .read: return ClientOperation(.read(id: id))
    case .resolve:
      let body = random.chance(1, in: 2) ? body : nil
      return ClientOperation(.resolve(id: id, leaves: [], keep: "1-0", body: body), leaf: leaf)
    case .compact: return ClientOperation(.compact)
    case .purge: return ClientOperation(.purge(id: id, revs: ["1-0"]), leaf: leaf)
    case .validation:
      let refuses = random.chance(1, in: 2)
      return ClientOperation(
        .setValidation(refuse: refuses ? .bodyFieldEquals(field: "k", value: 2) : nil))
    }
  }

  private func id(_ number: Int) -> DocumentID {
    let isReserved = hasReservedCharacters && number % 2 == 0
    return DocumentID(JSONString(isReserved ? "d%2F\(number)/ü&?" : "d\(number)"))
  }

  // MARK: Sessions

  /// A selector that matches some of the bodies that clients write, and no tombstones.
  private mutating func selector() -> FindSelector {
    let least = Operand.value(.integer(Int64(random.below(3))))
    let parity = Condition.remainder(divisor: 2, Int64(random.below(2)))
    return .all([
      .field(FieldPath(names: ["k"]), [.compares(.greaterOrEqual, least)]),
      .any([
        .field(FieldPath(names: ["w"]), [parity]),
        .field(FieldPath(names: ["_id"]), [.differs(.value(.string(id(0).text)))]),
      ]),
    ])
  }

  private mutating func addSessions() {
    let ways = ways()
    let isContinuous = random.chance(1, in: 4)
    let batch: Int64? = random.chance(1, in: 2) ? Int64([1, 2, 5, 20][random.below(4)]) : nil
    let filter: Filter? =
      random.chance(1, in: 4)
      ? [
        .bodyFieldEquals(field: "k", value: .integer(Int64(random.below(3)))),
        .documentIDs([id(0), id(1)]), .live, .selector(selector()),
      ][random.below(4)] : nil
    // Another filter of the same kind between the same replicas must not share its checkpoints.
    let second = laterRandom.chance(1, in: 2) ? otherFilter(filter) : filter
    let isPushing = random.below(3)
    for (left, right) in ways {
      for (source, target) in [(left, right), (right, left)] {
        // Always pull, always push, or a random choice each time.
        let pushes = isPushing == 0 || isPushing == 1 && random.chance(1, in: 2)
        var directive = Replicate(
          source: names[source], target: names[target], by: names[pushes ? source : target],
          isContinuous: isContinuous, batch: batch)
        if isContinuous {
          let step = add(.replicate(directive), at: random.below(2000))
          if random.chance(1, in: 4) { add(.stop(step)) }
          continue
        }
        let count = 1 + random.below(8)
        for _ in 0..<count {
          directive.by = names[random.chance(1, in: 2) ? source : target]
          directive.filter = filter != nil && random.chance(1, in: 2) ? filter : nil
          if directive.filter != nil, laterRandom.chance(1, in: 2) {
            directive.filter = second
          }
          let time = random.below(span)
          let step = add(.replicate(directive), at: time)
          if random.chance(1, in: 12) { add(.stop(step), at: time + random.below(1500)) }
          // A second session parallel to the first.
          if random.chance(1, in: 12) {
            directive.by = names[random.chance(1, in: 2) ? source : target]
            add(.replicate(directive), at: time + random.below(200))
          }
        }
      }
    }
  }

  /// A filter of the same kind that selects other documents; the same filter if its kind has only
  /// one, and nil for nil.
  private mutating func otherFilter(_ filter: Filter?) -> Filter? {
    switch filter {
    case .bodyFieldEquals(let field, .integer(let value)):
      .bodyFieldEquals(field: field, value: .integer((value + 1) % 3))
    case .bodyFieldEquals, .live, nil: filter
    case .documentIDs: .documentIDs([id(1), id(2)])
    case .selector:
      .selector(
        .all([
          .field(
            FieldPath(names: ["k"]),
            [.compares(.less, .value(.integer(Int64(1 + laterRandom.below(2)))))])
        ]))
    }
  }

  /// The pairs of replicas that replicate: a chain, a star, a ring or all pairs.
  private mutating func ways() -> [(Int, Int)] {
    let count = names.count
    switch random.below(4) {
    case 0: return (1..<count).map { ($0 - 1, $0) }
    case 1: return (1..<count).map { (0, $0) }
    case 2: return (0..<count).map { ($0, ($0 + 1) % count) }
    default:
      // All pairs only for few replicas: replication would dominate the run.
      guard count <= 4 else { return (0..<count).map { ($0, ($0 + 1) % count) } }
      return (0..<count).flatMap { left in (left + 1..<count).map { (left, $0) } }
    }
  }

  // MARK: Faults

  private mutating func addPartitions() {
    for _ in 0...random.below(4) {
      let time = random.below(span)
      if random.chance(1, in: 2) {
        let group = names.filter { _ in random.chance(1, in: 2) }
        add(.partition([group, names.filter { !group.contains($0) }]), at: time)
      } else {
        let from = anyone()
        let others = names.filter { $0 != from }
        add(.block(from: from, to: others[random.below(others.count)]), at: time)
      }
      add(.heal, at: time + random.below(span / 2))
    }
  }

  private mutating func addCrashes() {
    let kinds = CrashKind.allCases.filter { generator.crashes.contains($0) }
    guard !kinds.isEmpty else { return }
    for _ in 0...random.below(5) {
      let replica = anyone()
      var time = random.below(span)
      // The next crash may interrupt the recovery from the last one.
      repeat {
        add(.crash(replica, random.pick(kinds) ?? .kill), at: time)
        time += 100 + random.below(20_000)
        add(.restart(replica), at: time)
        time += random.below(3000)
      } while random.chance(1, in: 3)
    }
  }

  private mutating func addStorageFaults() {
    for _ in 0...random.below(3) {
      let (replica, time) = (anyone(), random.below(span))
      add(.storage(replica, random.chance(1, in: 2) ? .full : .failing), at: time)
      add(.storage(replica, .well), at: time + random.below(10_000))
    }
  }

  private mutating func addLosses() {
    for _ in 0...random.below(3) {
      let replica = anyone()
      // Applications do not support stores that are restored or replaced.
      guard generator.applications == nil else {
        add(.loseCheckpoint(replica))
        continue
      }
      switch random.below(3) {
      // A checkpoint on one side does not show that the other side was restored.
      case 0 where generator.restrictions.contains(.checkpointsOnOneSide): continue
      case 0:
        let time = random.below(span)
        add(.copyStore(replica), at: time)
        add(.restoreStore(replica), at: time + random.below(span))
      case 1: add(.perform(at: replica, ClientOperation(.destroy)))
      default: add(.loseCheckpoint(replica))
      }
    }
  }

  private mutating func anyone() -> ReplicaName { names[random.below(names.count)] }

  @discardableResult
  package mutating func add(_ directive: Directive, at time: Int? = nil) -> StepID {
    serial += 1
    let id = StepID(JSONString("s\(serial)"))
    steps.append(
      ScenarioStep(id, when: Int64(time ?? random.below(span)), directive))
    return id
  }
}
