internal import Datastore
internal import JSON

/// Generates the operation of one step from the step's key and the outcomes so far.
struct OperationGenerator {
  let workload: Workload
  let knowledge: Knowledge
  var random: KeyedRandom

  /// The operation of the step.
  mutating func operation() -> StoreOperation {
    let store = random.pick(workload.stores) ?? "a"
    if let bytesMax = workload.bulkBytesMax, random.chance(1, in: 24) {
      return StoreOperation(store, bulk(store, bytesMax: bytesMax).within(workload.restrictions))
    }
    let group = random.pick(workload.groups) ?? .info
    return StoreOperation(store, action(group, store).within(workload.restrictions))
  }

  private mutating func action(_ group: Workload.Group, _ store: StoreName) -> StoreAction {
    switch group {
    case .create, .update, .delete, .resolve:
      let write = edit(group, store)
      return attaching(write, in: store)
    case .read, .leaves, .revsDiff, .getRevisions, .purge: return question(group, store)
    case .list:
      return .list(
        from: random.chance(1, in: 2) ? document(store) : nil, limit: rowLimit(),
        descending: random.chance(1, in: 2))
    case .changes: return .changes(since: sequence(store), limit: rowLimit())
    case .insertRevisions:
      return .insertRevisions((0...random.below(3)).map { _ in record(store) })
    case .local: return local(store)
    case .info: return .info
    // A closed store rejects everything, so it is reopened in most cases.
    case .reopen: return random.chance(1, in: 4) ? .close : reopening()
    case .recreate: return random.chance(1, in: 6) ? .destroy : workload.opening
    case .compact: return .compact
    case .historyLimit:
      return .historyLimit(Int64(random.chance(1, in: 8) ? 0 : random.below(4) + 1))
    case .batch:
      return .batch(
        (0..<random.below(4)).map { _ in
          let groups: [Workload.Group] = [.create, .update, .delete, .resolve, .local]
          return action(random.pick(groups) ?? .create, store)
        }.map { action in
          if case .readLocal = action { .create(id: nil, body: body()) } else { action }
        })
    case .validation: return .setValidation(refuse: filter(store))
    case .flush: return .flush
    case .malformed: return malformed(store)
    case .attachmentPiece: return attachmentPiece(store)
    case .finding: return finding()
    case .indexing: return indexing()
    }
  }

  /// `open`, sometimes without the arguments that the defaults make unnecessary.
  private mutating func reopening() -> StoreAction {
    workload.hasDefaults && random.chance(1, in: 2) ? .open() : workload.opening
  }

  private mutating func edit(_ group: Workload.Group, _ store: StoreName) -> StoreAction {
    let id = document(store)
    switch group {
    case .create: return .create(id: random.chance(1, in: 12) ? nil : id, body: body())
    case .update: return .update(id: id, rev: revision(id, store), body: body())
    case .delete:
      let rev = revision(id, store)
      let hasBody = workload.hasTombstoneBodies && random.chance(1, in: 4)
      return .delete(id: id, rev: rev, body: hasBody ? body() : nil)
    default:
      let live = (knowledge.leaves[Knowledge.Key(store: store, id: id)] ?? [])
        .filter { !$0.deleted }.map { $0.rev }
      guard let keep = random.pick(live), !random.chance(1, in: 8) else {
        let rev = revision(id, store)
        return .resolve(id: id, leaves: [rev], keep: rev)
      }
      let body = random.chance(1, in: 2) ? body() : nil
      // The order of the leaves means nothing, and one of them must be kept.
      var leaves = random.chance(1, in: 2) ? live : live.reversed()
      if random.chance(1, in: 12) { leaves.removeAll { $0 == keep } }
      return .resolve(id: id, leaves: leaves, keep: keep, body: body)
    }
  }

  private mutating func question(_ group: Workload.Group, _ store: StoreName) -> StoreAction {
    let id = document(store)
    switch group {
    case .read:
      return .read(id: id, rev: random.chance(2, in: 3) ? revision(id, store) : nil)
    case .leaves: return .leaves(id: id)
    case .purge:
      return .purge(id: id, revs: (0...random.below(2)).map { _ in revision(id, store) })
    default:
      let queries = (0...random.below(2)).map { _ in
        let id = document(store)
        let revs = (0..<random.below(4)).map { _ in revision(id, store) }
        let latest = group == .getRevisions && random.chance(1, in: 3)
        let since = group == .getRevisions ? attachmentsSince(id, store) : nil
        return RevisionQuery(id: id, revs: revs, latest: latest, attachmentsSince: since)
      }
      return group == .revsDiff ? .revsDiff(queries) : .getRevisions(queries)
    }
  }

  private mutating func local(_ store: StoreName) -> StoreAction {
    let id = random.pick(workload.documents) ?? "d"
    switch random.below(4) {
    case 0: return .readLocal(id: id)
    case 1: return .writeLocal(id: id, body: nil)
    default: return .writeLocal(id: id, body: body())
    }
  }

  private mutating func filter(_ store: StoreName) -> Filter? {
    switch random.below(5) {
    case 0: .live
    case 1: .documentIDs([document(store)])
    case 2: .bodyFieldEquals(field: "n", value: random.pick([1, 1.0, .null]) ?? .null)
    // An invalid selector would not reach a store.
    case 3 where workload.finds:
      soughtSelector().map { .selector($0) }
    default: nil
    }
  }
}
