internal import Datastore
internal import JSON
internal import Scenarios

/// Clients of two replicas that write near-equal contents at almost the same time: in documents, in
/// attachments and in local documents.
///
/// It uses its own random source, so that runs without near-equal contents do not change.
struct NearEqualWorkload {
  private var random: KeyedRandom
  private let bodies: [[JSONValue]]
  /// Empty if the stores have no attachments, or ids that do not cover them.
  private let attachments: [[[RevisionAttachment]]]

  /// An operation at a replica, with its time in milliseconds.
  struct Step {
    var replica: Int
    var time: Int
    var operation: ClientOperation
  }

  /// The workload of a seed; nil for a run without near-equal contents.
  init?(seed: UInt64, _ generator: ScenarioGenerator) {
    var random = KeyedRandom(seed: seed, key: 8)
    guard random.chance(1, in: 8) else { return nil }
    bodies = NearEqualContents.bodies(isExact: generator.profiles.contains(.exactNumbers))
    let ids = generator.defaults.map(\.revisionIDs)
    let attaches = generator.capabilities.contains(.attachment) && !ids.contains(.cdtDigest)
    let hasEncodings =
      !ids.contains(.couchdb) && generator.capabilities.contains(.attachmentEncoding)
    attachments = attaches ? NearEqualContents.attachments(hasEncodings: hasEncodings) : []
    self.random = random
  }

  /// The operations of a run with this number of replicas and this time span.
  mutating func steps(replicas: Int, span: Int) -> [Step] {
    var steps: [Step] = []
    for number in 0...(4 + random.below(8)) {
      let left = random.below(replicas)
      let right = (left + 1 + random.below(replicas - 1)) % replicas
      let time = random.below(span)
      switch random.below(6) {
      case 0, 1:
        steps += edits(of: DocumentID(JSONString("n\(number)")), left, right, isNew: true, at: time)
      case 2, 3:
        steps += edits(
          of: DocumentID(JSONString("n\(number)")), left, right, isNew: false, at: time)
      case 4: steps += documents(left, right, at: time)
      default: steps += locals(left, right, at: time)
      }
    }
    return steps
  }

  /// Two members of a group, mostly different ones.
  private mutating func pair<Element>(_ groups: [[Element]]) -> (Element, Element)? {
    guard let group = random.pick(groups) else { return nil }
    let left = random.below(group.count)
    let distance = random.chance(1, in: 8) ? 0 : 1 + random.below(group.count - 1)
    return (group[left], group[(left + distance) % group.count])
  }

  /// Near-equal edits of one document: of a new one, or of a revision that both replicas have.
  private mutating func edits(
    of id: DocumentID, _ left: Int, _ right: Int, isNew: Bool, at time: Int
  ) -> [Step] {
    var steps: [Step] = []
    var later = time
    if !isNew {
      // Equal creations are one revision in a store that derives ids from contents.
      for replica in [left, right] {
        steps.append(
          Step(replica: replica, time: time, operation: ClientOperation(.create(id: id, body: [:])))
        )
      }
      later += 1 + random.below(100)
    }
    let isAttached = random.chance(1, in: 3)
    guard let bodies = pair(bodies) else { return [] }
    let sets = isAttached ? pair(attachments) : nil
    for (replica, body, attachments) in [
      (left, bodies.0, sets?.0), (right, sets == nil ? bodies.1 : bodies.0, sets?.1),
    ] {
      let write: StoreAction =
        isNew ? .create(id: id, body: body) : .update(id: id, rev: "1-0", body: body)
      let action = attachments.map { .attaching($0, to: write) } ?? write
      steps.append(
        Step(
          replica: replica, time: later + random.below(20),
          operation: ClientOperation(action, leaf: isNew ? nil : 0)))
    }
    let leaf = Int64(random.below(2))
    steps.append(
      Step(
        replica: random.chance(1, in: 2) ? left : right, time: later + random.below(5000),
        operation: ClientOperation(.read(id: id, rev: "1-0"), leaf: leaf)))
    return steps
  }

  /// Two documents with near-equal ids.
  private mutating func documents(_ left: Int, _ right: Int, at time: Int) -> [Step] {
    guard let ids = pair(NearEqualContents.ids), let bodies = pair(bodies) else { return [] }
    return [(left, ids.0, bodies.0), (right, ids.1, bodies.1)].map { replica, id, body in
      Step(replica: replica, time: time, operation: ClientOperation(.create(id: id, body: body)))
    }
  }

  /// Local documents with near-equal ids and bodies; each is read after all are written.
  private mutating func locals(_ left: Int, _ right: Int, at time: Int) -> [Step] {
    guard let ids = pair(NearEqualContents.ids), let bodies = pair(bodies) else { return [] }
    let places = [(left, ids.0, bodies.0), (left, ids.1, bodies.1), (right, ids.0, bodies.1)]
    let pause = 1 + random.below(5000)
    return places.map { replica, id, body in
      Step(
        replica: replica, time: time, operation: ClientOperation(.writeLocal(id: id, body: body)))
    }
      + places.map { replica, id, _ in
        Step(
          replica: replica, time: time + pause, operation: ClientOperation(.readLocal(id: id)))
      }
  }
}

extension SeedDraft {
  /// Adds near-equal contents if the seed has them.
  mutating func addNearEqualContents() {
    guard var workload = NearEqualWorkload(seed: seed, generator) else { return }
    for step in workload.steps(replicas: names.count, span: span) {
      add(.perform(at: names[step.replica], step.operation), at: step.time)
    }
  }
}
