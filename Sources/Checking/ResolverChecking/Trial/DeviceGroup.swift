internal import Datastore
internal import JSON
internal import ReferenceDatastore
internal import Replication

/// Devices with one document each: the model as the store, and the bundled replicator between them.
struct DeviceGroup {
  /// A device with its store and its resolver.
  struct Device {
    let name: String
    let store: ReferenceDatastore
    let resolver: any ConflictResolver
    /// The leaves that were resolved last; they are not resolved again.
    var resolved: Set<RevisionID> = []
  }

  /// How a document ended.
  enum Ending: Hashable {
    /// All devices have the same leaves, and none of them is in conflict.
    case converged
    /// A resolver left the conflict.
    case unresolved
    /// The document is deleted, although no answer deleted it.
    case lost
    /// The devices still resolve after the last round.
    case endless
    /// An answer that a store rejects.
    case rejected(String)
  }

  private static let storeName: StoreName = "notes"
  /// The maximum number of rounds of resolution and replication.
  static let roundsMax = 10

  private(set) var devices: [Device] = []
  private let environment = RunEnvironment(seed: 1)
  private let leaves: ResolvedLeaves
  /// The tombstones that resolutions wrote.
  private var written: Set<RevisionID> = []
  /// Whether an answer, or each side of the conflict, deleted the document.
  private var isDeleted: Bool
  /// What the devices did, for a report.
  private(set) var log: [String] = []

  init(
    _ conflict: ConflictCase, resolvers: [any ConflictResolver], passing leaves: ResolvedLeaves,
    revisionIDs: RevisionIDProfile, isComplete: Bool
  ) throws(HarnessError) {
    self.leaves = leaves
    isDeleted = conflict.sides.allSatisfy { $0.body == nil }
    let id = ConflictCase.document
    for (place, resolver) in resolvers.enumerated() {
      let device = Device(
        name: ConflictCase.devices[place], store: ReferenceDatastore(), resolver: resolver)
      devices.append(device)
      try perform(.open(revisionIDs: revisionIDs), on: place)
      if let ancestor = conflict.ancestor {
        let record = RevisionRecord(
          id: id, path: [ConflictCase.ancestorRev], body: .object(ancestor))
        try perform(.insertRevisions([record]), on: place)
      }
      // With an incomplete exchange each device has seen two of the leaves.
      let count = conflict.sides.count
      let seen =
        isComplete
        ? Array(0..<count) : [place % count, (place + 1) % count]
      let records = seen.map { side in
        let body = conflict.sides[side].body
        return RevisionRecord(
          id: id, path: conflict.path(of: side), deleted: body == nil,
          body: .object(body ?? [:]))
      }
      try perform(.insertRevisions(records), on: place)
    }
  }

  // MARK: Rounds

  /// Lets all devices resolve and replicate in turn until they agree.
  mutating func run() throws(HarnessError) -> Ending {
    for round in 1...Self.roundsMax {
      var isUnresolved = false
      for place in devices.indices {
        switch try resolve(on: place, round) {
        case .unresolved?: isUnresolved = true
        case let ending?: return ending
        case nil: break
        }
      }
      if isUnresolved { return .unresolved }
      try replicate()
      let states = try devices.indices.map { place throws(HarnessError) in
        try versions(on: place)
      }
      // The order of members may differ between equal revisions of canonical ids.
      let isSame = states.allSatisfy { Set($0.map(\.rev)) == Set(states[0].map(\.rev)) }
      var isQuiet = true
      for place in devices.indices where isQuiet { isQuiet = try conflict(on: place) == nil }
      guard isSame, isQuiet else { continue }
      let live = states[0].first { !$0.isDeleted }
      log.append("after \(round == 1 ? "1 round" : "\(round) rounds"): \(Self.text(live))")
      return live == nil && !isDeleted ? .lost : .converged
    }
    log.append("after \(Self.roundsMax) rounds: the devices still write")
    return .endless
  }

  /// The ending if the resolution on a device ends the run.
  private mutating func resolve(on place: Int, _ round: Int) throws(HarnessError) -> Ending? {
    guard var view = try conflict(on: place) else { return nil }
    // A store returns the leaves in no particular order.
    if place % 2 == 1 { view.leaves.reverse() }
    let answer = try devices[place].resolver.resolve(view)
    if round <= 2 {
      let leaves = view.leaves.map { "\($0.rev.short) \(Self.text($0))" }
      log.append("\(view.device): \(leaves.joined(separator: " and ")) → \(answer.text)")
    }
    if answer == .unresolved { return .unresolved }
    if let message = try apply(answer, to: view, on: place) { return .rejected(message) }
    devices[place].resolved = Set(try leavesToPass(on: place).map(\.rev))
    return nil
  }

  private static func text(_ version: DocumentConflict.Version?) -> String {
    guard let body = version?.body else { return "deleted" }
    return JSONValue.object(body).serialized()
  }

  // MARK: Stores

  @discardableResult
  private func perform(_ action: StoreAction, on place: Int) throws(HarnessError) -> Outcome {
    let outcome = devices[place].store.perform(
      StoreOperation(Self.storeName, action), environment)
    if case .ok(.inserted(let results)) = outcome, let error = results.compactMap({ $0 }).first {
      throw HarnessError("the model rejected a revision: \(error)")
    }
    return outcome
  }

  private func replicate() throws(HarnessError) {
    // Around the ring, and around again so that the first changes reach all.
    let count = devices.count
    for step in 0..<(2 * count - 1) {
      let (source, target) = (devices[step % count].store, devices[(step + 1) % count].store)
      _ = try LocalReplication(
        from: Peer(source, store: Self.storeName), to: Peer(target, store: Self.storeName)
      ).run(ReplicatorConfiguration(), environment)
    }
  }

  /// The leaves of the document, the winner first.
  private func versions(on place: Int) throws(HarnessError) -> [DocumentConflict.Version] {
    try records(on: place).map { record in
      DocumentConflict.Version(
        rev: record.path[0], body: record.deleted ? nil : record.body.objectValue)
    }
  }

  private func records(on place: Int) throws(HarnessError) -> [RevisionRecord] {
    let id = ConflictCase.document
    guard case .ok(.leaves(let leaves)) = try perform(.leaves(id: id), on: place) else {
      return []
    }
    let query = RevisionQuery(id: id, revs: leaves.map(\.rev))
    guard case .ok(.revisions(let answers)) = try perform(.getRevisions([query]), on: place) else {
      throw HarnessError("the model returned no revisions")
    }
    let records = answers.flatMap(\.records)
    return leaves.compactMap { leaf in records.first { $0.path[0] == leaf.rev } }
  }

  private func leavesToPass(on place: Int) throws(HarnessError) -> [DocumentConflict.Version] {
    try versions(on: place).filter { version in
      !version.isDeleted || leaves == .all && !written.contains(version.rev)
    }
  }

  /// The conflict of a device; nil without a conflict, or if it was resolved before.
  private func conflict(on place: Int) throws(HarnessError) -> DocumentConflict? {
    let passed = try leavesToPass(on: place)
    guard passed.count > 1, passed.contains(where: { !$0.isDeleted }),
      Set(passed.map(\.rev)) != devices[place].resolved
    else { return nil }
    let paths = try records(on: place).filter { record in
      passed.contains { $0.rev == record.path[0] }
    }.map(\.path)
    let shared = paths[0].dropFirst().first { rev in paths.allSatisfy { $0.contains(rev) } }
    var ancestor: DocumentConflict.Version?
    if let shared {
      let outcome = try perform(.read(id: ConflictCase.document, rev: shared), on: place)
      if case .ok(.document(let revision)) = outcome, !revision.deleted {
        ancestor = DocumentConflict.Version(rev: shared, body: revision.body.objectValue)
      }
    }
    return DocumentConflict(
      document: ConflictCase.document, leaves: passed, ancestor: ancestor,
      device: devices[place].name)
  }

  // MARK: Answers

  /// Writes an answer; the message of the store if it rejects the answer.
  private mutating func apply(
    _ answer: ConflictResolution, to view: DocumentConflict, on place: Int
  ) throws(HarnessError) -> String? {
    let id = ConflictCase.document
    let live = try versions(on: place).filter { !$0.isDeleted }.map(\.rev)
    switch answer.simplified(for: view) {
    case .unresolved: return nil
    case .delete:
      isDeleted = true
      for rev in live {
        let outcome = try perform(.delete(id: id, rev: rev), on: place)
        guard case .ok(.written(_, let tombstone)) = outcome else { return "\(outcome)" }
        written.insert(tombstone)
      }
      return nil
    case .keep(let rev):
      guard live.count > 1 else { return nil }
      return try record(perform(.resolve(id: id, leaves: live, keep: rev), on: place))
    case .body(let body, let parent):
      guard let parent = parent ?? view.winnerFirst.first?.rev else { return nil }
      guard live.count > 1 else {
        return try record(perform(.update(id: id, rev: parent, body: .object(body)), on: place))
      }
      return try record(
        perform(
          .resolve(id: id, leaves: live, keep: parent, body: .object(body)), on: place))
    }
  }

  /// Remembers the tombstones of a resolution; its error as a text.
  private mutating func record(_ outcome: Outcome) -> String? {
    switch outcome {
    case .ok(.resolved(_, let tombstones)):
      written.formUnion(tombstones)
      return nil
    case .ok: return nil
    default: return "\(outcome)"
    }
  }
}

extension RevisionAnswer {
  fileprivate var records: [RevisionRecord] {
    if case .records(let records) = found { records } else { [] }
  }
}
