internal import Datastore
internal import JSON

/// One client of a contended workload: it decides its next operation.
struct WorkloadClient {
  let workload: ContendedWorkload
  let connection: Int
  private var random: RandomGenerator
  private var count: Int64 = 0
  /// Operations that belong to one already performed, the next one first.
  private var following: [StoreAction] = []
  /// The position after the last page of the feed.
  private(set) var position: UpdateSequence?
  /// The position up to which the client has pulled.
  private var pulled: UpdateSequence?
  private var isPulling = false

  init(_ workload: ContendedWorkload, connection: Int) {
    self.workload = workload
    self.connection = connection
    random = RandomGenerator(seed: mix(workload.seed) ^ mix(UInt64(connection) << 32))
  }

  /// Learns from the outcome of the client's own operation.
  mutating func note(_ action: StoreAction, _ outcome: Outcome) {
    guard case .ok(.changes(let page)) = outcome else {
      if case .changes = action { (position, isPulling) = (nil, false) }
      return
    }
    if isPulling {
      isPulling = false
      pulled = page.last
      let queries = page.rows.map { row in
        RevisionQuery(id: row.id, revs: row.leaves.map(\.rev))
      }
      guard !queries.isEmpty else { return }
      following.append(.getRevisions(queries))
      following.append(
        .writeLocal(id: checkpoint, body: .object(["last": page.last.json, "w": mark()])))
    } else {
      position = page.last
    }
  }

  /// The local document with the checkpoint of the client's replication.
  private var checkpoint: DocumentID { DocumentID(JSONString("checkpoint-\(connection)")) }

  /// A value that no other write has.
  private mutating func mark() -> JSONValue {
    count += 1
    return .integer(Int64(connection) * 1_000_000 + count)
  }

  private mutating func body() -> JSONValue {
    .object([
      "w": mark(),
      ContendedWorkload.indexedMember: .integer(Int64(random.below(ContendedWorkload.valueCount))),
    ])
  }

  /// The next operation.
  mutating func next(_ knowledge: SharedKnowledge) -> StoreAction {
    if !following.isEmpty { return following.removeFirst() }
    for _ in 0..<8 {
      guard let kind = random.pick(workload.kinds), let id = random.pick(workload.documents) else {
        break
      }
      if let action = action(kind, on: id, knowledge) { return action }
    }
    return .create(id: workload.documents[0], body: body())
  }

  private mutating func action(
    _ kind: ContendedWorkload.Kind, on id: DocumentID, _ knowledge: SharedKnowledge
  ) -> StoreAction? {
    let known = knowledge[id]
    switch kind {
    case .create: return .create(id: id, body: body())
    case .update, .delete, .attach: return edit(kind, of: id, known)
    case .read: return .read(id: id)
    case .readRevision: return revision(known).map { .read(id: id, rev: $0) }
    case .leaves: return .leaves(id: id)
    case .list: return .list()
    case .insertNew: return .insertRevisions([newRecord(id, known)])
    case .insertAgain:
      let latest = random.below(2) == 0 ? knowledge.records.last : nil
      return (latest ?? random.pick(knowledge.records)).map { .insertRevisions([$0]) }
    case .push: return push(id, known)
    case .pull:
      isPulling = true
      return .changes(since: pulled)
    case .revsDiff:
      let revs = [revision(known), revision(known)].compactMap { $0 }
      return revs.isEmpty ? nil : .revsDiff([RevisionQuery(id: id, revs: Array(Set(revs)).ordered)])
    case .feed:
      if random.below(6) == 0 { position = nil }
      return .changes(since: position, limit: random.below(2) == 0 ? nil : 1)
    case .info: return .info
    case .local: return local()
    case .resolve: return resolution(id, known)
    case .batch: return batch(knowledge)
    case .purge: return revision(known).map { .purge(id: id, revs: [$0]) }
    case .compact: return .compact
    case .readAttachment:
      let rev = random.below(2) == 0 ? random.pick(known.former) ?? revision(known) : nil
      return .readAttachment(id: id, rev: rev, name: "a")
    case .find: return ContendedWorkload.find(Int64(random.below(ContendedWorkload.valueCount)))
    }
  }

  /// A leaf most of the time, otherwise a former leaf.
  private mutating func revision(_ known: SharedKnowledge.Document) -> RevisionID? {
    if random.below(6) == 0, let former = random.pick(known.former) { return former }
    if random.below(2) == 0, let last = known.leaves.last { return last.rev }
    return random.pick(known.leaves.map(\.rev))
  }

  private mutating func edit(
    _ kind: ContendedWorkload.Kind, of id: DocumentID, _ known: SharedKnowledge.Document
  ) -> StoreAction? {
    guard let rev = revision(known) else { return .create(id: id, body: body()) }
    // An edit of a tombstone is no race.
    let isDeleted = known.leaves.contains { $0.rev == rev && $0.deleted }
    if isDeleted, random.below(8) > 0 { return .create(id: id, body: body()) }
    switch kind {
    case .delete: return .delete(id: id, rev: rev)
    case .attach:
      let content = content()
      return .update(
        id: id, rev: rev, body: body(),
        attachments: [RevisionAttachment("a", .data(content), type: "text/plain")])
    default: return .update(id: id, rev: rev, body: body())
    }
  }

  /// Content that several revisions share, or that only one has and a compaction removes.
  private mutating func content() -> JSONString {
    let shared = ContendedWorkload.contents
    if random.below(2) == 0 { return shared[random.below(shared.count)] }
    count += 1
    // Four digits are three bytes in base64.
    let digits = String(10_000_000 * Int64(connection) + count)
    return JSONString(digits + String(repeating: "0", count: (4 - digits.utf8.count % 4) % 4))
  }

  private mutating func newRecord(
    _ id: DocumentID, _ known: SharedKnowledge.Document
  ) -> RevisionRecord {
    let bases = known.paths.filter { path in path.value.count < 12 }
      .keys.sorted { $0.text.string.utf8.lexicographicallyPrecedes($1.text.string.utf8) }
    let base = random.below(4) == 0 ? nil : random.pick(bases)
    let path = base.flatMap { known.paths[$0] } ?? []
    return RevisionRecord(
      id: id, path: [newRevision(path.count + 1)] + path, deleted: random.below(6) == 0,
      body: body())
  }

  private mutating func newRevision(_ generation: Int) -> RevisionID {
    count += 1
    let number = String(UInt64(connection) * 1_000_000 + UInt64(count), radix: 16)
    var digits = String(random.next(), radix: 16) + number
    digits =
      String(repeating: "0", count: max(0, ContendedWorkload.suffixDigits - digits.utf8.count))
      + digits
    return RevisionID(JSONString("\(generation)-\(digits)"))
  }

  /// A push of a replicator: it asks what is missing, then sends it.
  private mutating func push(_ id: DocumentID, _ known: SharedKnowledge.Document) -> StoreAction {
    let record = newRecord(id, known)
    following.append(.insertRevisions([record]))
    return .revsDiff([RevisionQuery(id: id, revs: [record.path[0]])])
  }

  private mutating func local() -> StoreAction {
    let id = ContendedWorkload.locals[random.below(ContendedWorkload.locals.count)]
    switch random.below(5) {
    case 0, 1: return .readLocal(id: id)
    case 2: return .writeLocal(id: id, body: nil)
    default: return .writeLocal(id: id, body: body())
    }
  }

  private mutating func resolution(
    _ id: DocumentID, _ known: SharedKnowledge.Document
  ) -> StoreAction? {
    let live = known.leaves.filter { !$0.deleted }.map(\.rev)
    guard live.count > 1, let keep = random.pick(live) else {
      return live.isEmpty ? nil : .leaves(id: id)
    }
    return .resolve(
      id: id, leaves: live, keep: keep, body: random.below(2) == 0 ? nil : body())
  }

  private mutating func batch(_ knowledge: SharedKnowledge) -> StoreAction? {
    var writes: [StoreAction] = []
    for id in workload.documents.prefix(2) {
      if let write = edit(.update, of: id, knowledge[id]) { writes.append(write) }
    }
    return writes.isEmpty ? nil : .batch(writes)
  }
}

extension [RevisionID] {
  /// In byte order, because a set has none.
  fileprivate var ordered: [RevisionID] {
    sorted { $0.text.string.utf8.lexicographicallyPrecedes($1.text.string.utf8) }
  }
}
