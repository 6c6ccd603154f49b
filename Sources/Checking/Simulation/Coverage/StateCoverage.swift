internal import Datastore
internal import JSON
internal import Replication
internal import Scenarios

/// Collects the fingerprints of the states that a run visits.
///
/// A state is the joint state of all replicas as one document has it: its leaves, live or deleted, in
/// the order of their generations, with what each replica has of each of them; whether each
/// checkpoint covers the latest change of the document; which replicas are down; and the latest
/// request of each running session. Ids, contents, times and the other documents do not matter, and
/// neither do the names of the replicas. A state is visited after each outcome that shows or changes
/// a document.
final class StateCoverage: EventObserver {
  let topics: Set<EventTopic> = [.answers, .replicas, .sessions, .messages]
  private(set) var states: Set<Fingerprint> = []
  private var stores: [ShadowStore]
  private var copies: [ShadowStore]
  /// The kind of the latest request of each running session, by its number.
  private var requests: [Int: JSONString] = [:]
  /// The orders in which the replicas are considered: all of them, unless they are too many.
  private let orders: [[Int]]

  /// Leaves below these generations do not make another state.
  private static let generationsMax = 4
  /// More running sessions than these do not make another state.
  private static let sessionsMax = 3
  /// The number of replicas up to which all their orders are compared.
  private static let permutedMax = 4

  init(replicas: Int) {
    stores = Array(repeating: ShadowStore(), count: replicas)
    copies = stores
    orders =
      replicas <= Self.permutedMax
      ? CanonicalForm.permutations(of: replicas) : [Array(0..<replicas)]
  }

  func observe(_ event: WorldEvent, in state: WorldState, _ findings: inout [WorldFinding]) {
    switch event {
    case .answered(let replica, let operation, .ok(let result)):
      save(operation.action, at: replica)
      let shown = stores[replica].follow(operation.action, result)
      for id in Set(shown) { states.insert(fingerprint(of: id, in: state)) }
    case .copied(let replica): copies[replica] = stores[replica]
    case .restored(let replica): stores[replica] = copies[replica]
    case .lostCheckpoints(let replica): stores[replica].loseCheckpoints()
    case .sent(let message, _): requests[message.session] = JSONString(message.content.action.name)
    case .sessionEnded(let number), .sessionGone(let number): requests[number] = nil
    default: break
    }
  }

  /// Records a checkpoint, if the action writes one of a known feed.
  private func save(_ action: StoreAction, at replica: Int) {
    guard case .writeLocal(_, let body?) = action,
      let newest = body.objectValue?["history"]?.arrayValue?.first?.objectValue,
      let recorded = newest["recorded"],
      let sequence = try? UpdateSequence(recorded, path: "recorded")
    else { return }
    for source in stores.indices {
      guard let position = stores[source].position(of: sequence) else { continue }
      stores[replica].save(ShadowStore.Checkpoint(source: source, position: position))
    }
  }

  // MARK: Fingerprints

  /// The smallest fingerprint of a document among all orders of the replicas.
  private func fingerprint(of id: DocumentID, in state: WorldState) -> Fingerprint {
    let leaves = self.leaves(of: id)
    let sessions = requests.map { number, kind in
      let session = state.sessions[number]
      return (source: session.source, target: session.target, kind: kind)
    }
    var least: Fingerprint?
    for order in orders {
      var print = Fingerprint()
      for leaf in leaves.map({ fingerprint(of: $0, order) }).sorted() { print.fold(leaf) }
      for replica in order {
        print.fold(state.replicas[replica].isUp ? 1 : 0)
        for source in order { print.fold(coverage(of: id, from: source, at: replica)) }
      }
      let running = sessions.map { session in
        var print = Fingerprint()
        print.fold(order.firstIndex(of: session.source) ?? -1)
        print.fold(order.firstIndex(of: session.target) ?? -1)
        print.fold(session.kind)
        return print
      }
      for session in running.sorted().prefix(Self.sessionsMax) { print.fold(session) }
      least = min(least ?? print, print)
    }
    return least ?? Fingerprint()
  }

  /// A kind of leaves: any number of equal ones makes one state.
  private struct JointLeaf: Hashable {
    /// The number of higher generations among the leaves.
    var rank: Int
    var deleted: Bool
    /// Per replica: unknown, an ancestor, a leaf.
    var standings: [Int]
  }

  private func leaves(of id: DocumentID) -> Set<JointLeaf> {
    var found: [RevisionID: Bool] = [:]
    for store in stores {
      guard let document = store.documents[id] else { continue }
      for (rev, deleted) in document.revisions where !document.parents.contains(rev) {
        found[rev] = deleted ?? false
      }
    }
    let generations = Set(found.keys.map(\.generationText)).sorted(by: >)
    let kinds = found.compactMap { rev, deleted -> JointLeaf? in
      guard let rank = generations.prefix(Self.generationsMax).firstIndex(of: rev.generationText)
      else { return nil }
      return JointLeaf(
        rank: rank, deleted: deleted,
        standings: stores.map { $0.documents[id]?.standing(of: rev) ?? 0 })
    }
    return Set(kinds)
  }

  private func fingerprint(of leaf: JointLeaf, _ order: [Int]) -> Fingerprint {
    var print = Fingerprint()
    print.fold(leaf.rank)
    print.fold(leaf.deleted ? 1 : 0)
    for replica in order { print.fold(leaf.standings[replica]) }
    return print
  }

  /// Whether a replica has a checkpoint for the feed of a source, and whether it covers the latest
  /// change of a document there.
  private func coverage(of id: DocumentID, from source: Int, at replica: Int) -> Int {
    guard let position = stores[replica].checkpoints[source] else { return 0 }
    guard let changedAt = stores[source].documents[id]?.changedAt else { return 1 }
    return changedAt <= position ? 2 : 3
  }
}
