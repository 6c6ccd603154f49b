internal import Datastore
internal import JSON
internal import ReferenceDatastore
internal import Replication

/// Some stores after writes and sessions.
struct SessionState {
  let names: [StoreName]
  private(set) var data = ReferenceDatastore.Snapshot()
  private(set) var moves: [SessionMove] = []

  init(stores: Int) {
    names = (0..<stores).map { StoreName(JSONString(String(UnicodeScalar(UInt8(97 + $0))))) }
    let environment = RunEnvironment(seed: 1)
    for name in names { _ = data.perform(StoreOperation(name, .open()), environment) }
  }

  var writes: Int { moves.filter { if case .write = $0 { true } else { false } }.count }

  /// The state of the document in a store.
  func revisions(at store: Int) -> [StoreContents.Revision] {
    data.contents(of: names[store])?.documents.first?.revisions ?? []
  }

  /// The state after a move; nil if the move is impossible.
  func after(_ move: SessionMove) throws(GenerationError) -> SessionState? {
    var next = self
    next.moves.append(move)
    let environment = RunEnvironment(seed: 2)
    switch move {
    case .write(let store, let action, _):
      guard case .ok = next.data.perform(StoreOperation(names[store], action), environment)
      else { return nil }
    case .replicate(let source, let target):
      let datastore = ReferenceDatastore()
      datastore.restore(data)
      for name in names { _ = datastore.perform(StoreOperation(name, .open()), environment) }
      let session = LocalReplication(
        from: Peer(datastore, store: names[source]), to: Peer(datastore, store: names[target]))
      do throws(HarnessError) {
        guard try session.run(ReplicatorConfiguration(), environment).state == .complete else {
          throw HarnessError("the session is not complete")
        }
      } catch {
        throw GenerationError("\(moves.map { $0.word(names) }): \(error)")
      }
      next.data = datastore.snapshot
    }
    return next
  }

  /// Replicates everything to all stores, along the row of stores and back.
  func healed() throws(GenerationError) -> SessionState {
    var state = self
    for move in closing { state = try state.after(move) ?? state }
    return state
  }

  /// The sessions that replicate everything to all stores.
  var closing: [SessionMove] {
    let up = (1..<names.count).map { SessionMove.replicate(source: $0 - 1, target: $0) }
    let down = (1..<names.count).reversed().map {
      SessionMove.replicate(source: $0, target: $0 - 1)
    }
    return up + down
  }
}

extension SessionState {
  /// All moves that are relevant in this state.
  func candidates(writesMax: Int) -> [SessionMove] {
    var candidates: [SessionMove] = []
    if writes < writesMax {
      for store in names.indices { candidates += writes(at: store) }
    }
    for source in names.indices {
      let held = Set(revisions(at: source).map { $0.rev })
      for target in names.indices where target != source {
        guard !held.isSubset(of: revisions(at: target).map { $0.rev }) else { continue }
        candidates.append(.replicate(source: source, target: target))
      }
    }
    return candidates
  }

  /// Writes whose meaning does not depend on the store's revision ids.
  private func writes(at store: Int) -> [SessionMove] {
    let body: JSONValue = ["n": .integer(Int64(writes + 1))]
    let leaves = revisions(at: store).filter { $0.isLeaf }
    let live = leaves.filter { $0.deleted == false }
    var candidates: [SessionMove] = []
    func add(_ action: StoreAction, _ word: String) {
      candidates.append(.write(store: store, action, word: word))
    }
    if live.isEmpty {
      // The tombstone that a new revision follows is known if one of them is the longest.
      let longest = leaves.map { $0.generation }.max()
      if leaves.filter({ $0.generation == longest }).count < 2 {
        add(.create(id: "d", body: body), "create")
      }
    }
    for (place, leaf) in live.enumerated() {
      let number = live.count > 1 ? "\(place + 1)" : ""
      add(.update(id: "d", rev: leaf.rev, body: body), "update\(number)")
      // Two deletions of one leaf are one revision in some stores, and two in others.
      if !isDeletedElsewhere(leaf.rev) { add(.delete(id: "d", rev: leaf.rev), "delete\(number)") }
    }
    if live.count > 1, let keep = live.last?.rev,
      !live.contains(where: { isDeletedElsewhere($0.rev) })
    {
      add(.resolve(id: "d", leaves: live.map { $0.rev }, keep: keep, body: body), "resolve")
    }
    return candidates
  }

  private func isDeletedElsewhere(_ rev: RevisionID) -> Bool {
    names.indices.contains { store in
      revisions(at: store).contains { $0.parent == rev && $0.deleted == true }
    }
  }

  /// Equal for all states that differ only in the names of stores and revisions and in the moves
  /// that led there: the tree of the document, and the part in each store.
  func shape() -> String {
    Self.orders(of: names.count).map { shape(in: $0) }.min() ?? ""
  }

  private func shape(in order: [Int]) -> String {
    var children: [RevisionID?: Set<RevisionID>] = [:]
    var marks: [RevisionID: String] = [:]
    for place in order {
      for revision in revisions(at: place) {
        children[revision.parent, default: []].insert(revision.rev)
        marks[revision.rev] = revision.deleted == true ? "x" : "l"
      }
    }
    for (number, place) in order.enumerated() {
      for revision in revisions(at: place) { marks[revision.rev]?.append("\(number)") }
    }
    func text(_ rev: RevisionID) -> String {
      "(" + (marks[rev] ?? "") + (children[rev] ?? []).map { text($0) }.sorted().joined() + ")"
    }
    return (children[nil] ?? []).map { text($0) }.sorted().joined()
  }

  private static func orders(of count: Int) -> [[Int]] {
    guard count > 1 else { return [Array(0..<count)] }
    return orders(of: count - 1).flatMap { shorter in
      (0...shorter.count).map { place in
        Array(shorter[..<place]) + [count - 1] + Array(shorter[place...])
      }
    }
  }
}
