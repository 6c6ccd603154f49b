internal import Datastore
internal import JSON
internal import Oracles
internal import Scenarios

/// Conflicts whose leaves have attachments of one name, and operations that concern only leaves
/// that do not win: edits, reads, sessions, resolutions and compactions. Some resolutions and
/// batches fail at their last write, or are interrupted by a crash.
///
/// It uses its own random source, so that runs without it do not change.
struct LosingLeafWorkload {
  private var random: KeyedRandom
  private let generator: ScenarioGenerator
  private let names: [ReplicaName]

  /// The document of a run; clients of other workloads do not edit it.
  private static let document: DocumentID = "l0"
  /// A document with a live leaf of the last generation, which accepts no tombstone.
  private static let full: DocumentID = "l1"
  private static let lastGeneration = "9007199254740991"
  private static let root: RevisionID = "1-00000000000000000000000000000000"

  /// A directive with its time in milliseconds.
  struct Step {
    var time: Int
    var directive: Directive
  }

  /// The workload of a seed; nil for a run without it.
  init?(seed: UInt64, _ generator: ScenarioGenerator, _ names: [ReplicaName]) {
    random = KeyedRandom(seed: seed, key: 10)
    guard random.chance(1, in: 8) else { return nil }
    self.generator = generator
    self.names = names
  }

  /// The steps of a run with this time span.
  mutating func steps(span: Int) -> [Step] {
    let start = random.below(span / 2)
    var steps = conflict(of: Self.document, at: start, isFull: false)
    // Compared with other generations as text under this collation.
    if generator.capabilities.contains(.resolve),
      !generator.defaults.contains(where: { $0.collation == .cdt }), random.chance(1, in: 2)
    {
      let full =
        conflict(of: Self.full, at: start, isFull: true)
        + resolutionThatFails(at: start + 1 + random.below(span / 2))
      // Drawn in any case, so that the other steps do not change.
      if generator.hasLargestGeneration { steps += full }
    }
    for serial in 0...(4 + random.below(8)) {
      steps += operation(serial, at: start + 1 + random.below(span / 2))
    }
    return steps
  }

  private mutating func replica() -> ReplicaName { names[random.below(names.count)] }

  /// A replica receives 3 branches of one document, with equal names of attachments.
  private mutating func conflict(of id: DocumentID, at time: Int, isFull: Bool) -> [Step] {
    var records: [RevisionRecord] = []
    for number in 0..<3 {
      let branch = RevisionID(JSONString("2-\(Self.suffix(&random))"))
      let isLast = isFull && number == 0
      let path: [RevisionID] =
        isLast
        ? [RevisionID(JSONString("\(Self.lastGeneration)-\(Self.suffix(&random))"))]
        : [branch, Self.root]
      let attachments = isLast ? [] : [attachment("l", UInt8(number))]
      records.append(
        RevisionRecord(
          id: id, path: path, body: body(-2000 - number), attachments: attachments.compactMap { $0 }
        ))
    }
    return [
      Step(
        time: time, directive: .perform(at: replica(), ClientOperation(.insertRevisions(records))))
    ]
  }

  /// 32 digits, as stores of the family make them.
  private static func suffix(_ random: inout KeyedRandom) -> String {
    let digits = String(random.next(), radix: 16)
    return String(repeating: "0", count: 32 - digits.utf8.count) + digits
  }

  private func body(_ number: Int) -> JSONValue { ["w": .integer(Int64(number)), "k": 1] }

  /// Inline content; nil for stores without attachments.
  private func attachment(_ name: JSONString, _ byte: UInt8) -> RevisionAttachment? {
    guard generator.capabilities.contains(.attachment) else { return nil }
    let content = Content([byte, 7, 7])
    return RevisionAttachment(
      name, .data(content.base64(content.bytes.indices)), type: "text/plain")
  }

  /// One operation, mostly on a leaf that does not win, sometimes followed by a session of this
  /// document only.
  private mutating func operation(_ serial: Int, at time: Int) -> [Step] {
    let id = Self.document
    let losing = Int64(1 + random.below(3))
    let number = -3000 - serial
    let at = replica()
    func perform(_ action: StoreAction, leaf: Int64? = nil) -> [Step] {
      [Step(time: time, directive: .perform(at: at, ClientOperation(action, leaf: leaf)))]
    }
    switch random.below(10) {
    case 0, 1, 2:
      let write = StoreAction.update(id: id, rev: "1-0", body: body(number))
      var steps = perform(edited(write, serial), leaf: losing)
      steps += session(from: at, at: time + 1 + random.below(50))
      return steps
    case 3: return perform(.delete(id: id, rev: "1-0"), leaf: losing)
    case 4: return perform(.read(id: id, rev: "1-0"), leaf: losing)
    case 5 where generator.capabilities.contains(.attachment):
      return perform(.readAttachment(id: id, rev: "1-0", name: "l"), leaf: losing)
    case 6 where generator.capabilities.contains(.compact): return perform(.compact)
    case 7 where generator.capabilities.contains(.resolve):
      let write = StoreAction.resolve(
        id: id, leaves: [], keep: "1-0", body: random.chance(1, in: 2) ? body(number) : nil)
      return crash(at, time) + perform(write, leaf: losing)
    case 8 where generator.capabilities.contains(.atomicBatch),
      9 where generator.capabilities.contains(.atomicBatch):
      return crash(at, time) + perform(batch(number), leaf: losing)
    default: return session(from: at, at: time)
    }
  }

  /// The update with new content, with the parent's, or without attachments.
  private mutating func edited(_ write: StoreAction, _ serial: Int) -> StoreAction {
    guard let new = attachment("l", UInt8(100 + serial)) else { return write }
    switch random.below(3) {
    case 0: return .attaching([new], to: write)
    case 1: return .attaching([RevisionAttachment("l", .stub)], to: write)
    default: return write
    }
  }

  /// A batch that edits a leaf, or resolves the conflict, and creates a document; in half of the cases it fails at the end,
  /// because the second creation is a conflict.
  private mutating func batch(_ number: Int) -> StoreAction {
    let other = DocumentID(JSONString("l\(-number)"))
    let create = StoreAction.create(id: other, body: body(number))
    let attaching = attachment("l", UInt8(50 + random.below(20))).map {
      StoreAction.attaching([$0], to: create)
    }
    let resolves = generator.capabilities.contains(.resolve) && random.chance(1, in: 2)
    let edit: StoreAction =
      resolves
      ? .resolve(id: Self.document, leaves: [], keep: "1-0", body: body(number))
      : .update(id: Self.document, rev: "1-0", body: body(number))
    var writes: [StoreAction] = [edit, attaching ?? create]
    if random.chance(1, in: 2) { writes.append(.create(id: other, body: body(number))) }
    return .batch(writes)
  }

  /// A resolution that would delete the leaf of the last generation: it is rejected, and nothing of
  /// it may remain.
  private mutating func resolutionThatFails(at time: Int) -> [Step] {
    let resolve = StoreAction.resolve(id: Self.full, leaves: [], keep: "1-0", body: body(-4000))
    let leaf = Int64(1 + random.below(2))
    return [
      Step(time: time, directive: .perform(at: replica(), ClientOperation(resolve, leaf: leaf)))
    ]
  }

  /// A session of the conflict's document alone.
  private mutating func session(from source: ReplicaName, at time: Int) -> [Step] {
    let others = names.filter { $0 != source }
    guard let target = random.pick(others) else { return [] }
    let by = random.chance(1, in: 2) ? source : target
    return [
      Step(
        time: time,
        directive: .replicate(
          Replicate(source: source, target: target, by: by, filter: .documentIDs([Self.document]))))
    ]
  }

  /// In some cases a crash just before the operation, which may happen during it.
  private mutating func crash(_ replica: ReplicaName, _ time: Int) -> [Step] {
    guard generator.faults.contains(.crash), generator.crashes.contains(.kill),
      random.chance(1, in: 3)
    else { return [] }
    return [
      Step(time: time, directive: .crash(replica, .kill)),
      Step(time: time + 1000 + random.below(5000), directive: .restart(replica)),
    ]
  }
}

extension SeedDraft {
  /// Adds conflicts of leaves with attachments if the seed has them.
  mutating func addLosingLeaves() {
    guard var workload = LosingLeafWorkload(seed: seed, generator, names) else { return }
    for step in workload.steps(span: span) { add(step.directive, at: step.time) }
  }
}
