internal import Datastore
internal import JSON
internal import ReferenceDatastore
internal import Replication

/// Which moves there are.
///
/// What is atomic, and why nothing is missed by it:
///
/// * A store's doing of a request and the session's hearing of the answer are one move. Hearing
///   changes the session only, and what the session then sends waits until it is done; so an answer
///   that is still under way is a request that is not yet done.
/// * `info` is asked and answered together with the move before: nothing in a scope changes it.
/// * A session begins and reads both checkpoints in one move. Only a session of the same two stores
///   that saves could come between the readings. Then one side lacks its newest entry, and an entry
///   that one side lacks is not used: the session goes on from where it would have gone on had it
///   read both before.
/// * A read that no later event can influence is performed together with the move before: no client
///   can write the documents of that store, and the response cannot be damaged.
/// * Only writes are lost. A lost reading is the same reading later.
/// * A client's writing is one move, as it is one operation of its store.
///
/// For each write of a live revision every place among the equals is tried that its name can have:
/// bodies are looked for until the digest falls where it should, or on a revision that another
/// replica has made by the same edit. Names of tombstones are what the digest makes them.
struct ExplorerRules {
  let scope: ExplorationScope
  let makeMachine: (ReplicatorConfiguration) -> any ReplicationMachine
  /// Whose checkpoints a local document holds, by its id.
  let ways: [DocumentID: Way]
  private let digests = Digests()

  /// From which replica to which.
  struct Way: Hashable {
    var source: Int
    var target: Int
  }

  init(
    _ scope: ExplorationScope,
    makeMachine: @escaping (ReplicatorConfiguration) -> any ReplicationMachine
  ) {
    self.scope = scope
    self.makeMachine = makeMachine
    var ways: [DocumentID: Way] = [:]
    let start = ExplorerState(scope, names: (0..<scope.replicas).map { JSONString("\($0)") })
    let honest = ExplorerRules(scope) { Replicator($0) }
    for source in 0..<scope.replicas {
      for target in 0..<scope.replicas where target != source {
        var state = start
        _ = state.begin(from: source, to: target, honest)
        if let id = state.sessions.first?.machine.report.checkpoint {
          ways[id] = Way(source: source, target: target)
        }
      }
    }
    self.ways = ways
  }

  private init(
    _ scope: ExplorationScope, _ makeMachine: @escaping (ReplicatorConfiguration) -> Replicator
  ) {
    self.scope = scope
    self.makeMachine = makeMachine
    ways = [:]
  }

  /// All moves, or the one that needs no other beside it.
  func moves(in state: ExplorerState) -> [ExplorerMove] {
    if let move = quietMove(in: state) { return [move] }
    var moves: [ExplorerMove] = []
    if state.writes < scope.operations {
      for replica in 0..<scope.replicas { moves += writes(at: replica, in: state) }
    }
    for (place, session) in state.sessions.enumerated() {
      for request in session.pending {
        moves.append(.deliver(session: place, request.number))
        guard state.faults < scope.faults else { continue }
        for spoiling in spoilings(of: request.content) {
          moves.append(.spoil(session: place, request.number, spoiling))
        }
      }
      if session.isSaveTimerSet, scope.documents > 1 { moves.append(.save(session: place)) }
    }
    for place in state.strays.indices { moves.append(.arrive(stray: place)) }
    if state.begun < scope.sessions {
      for source in 0..<scope.replicas {
        for target in 0..<scope.replicas where target != source {
          moves.append(.begin(source: source, target: target))
        }
      }
    }
    if state.faults < scope.faults {
      for replica in 0..<scope.replicas
      where state.sessions.contains(where: { $0.source == replica || $0.target == replica }) {
        moves.append(.crash(replica: replica))
      }
    }
    return moves
  }

  private func spoilings(of request: PeerRequest) -> [ExplorerMove.Spoiling] {
    switch request {
    case .insertRevisions: [.lost, .refused, .partial]
    case .writeLocal: [.lost, .refused]
    case .revsDiff: [.refused]
    case .getRevisions: [.partial]
    default: []
    }
  }

  /// A reading that nothing can influence any more.
  private func quietMove(in state: ExplorerState) -> ExplorerMove? {
    guard state.begun == scope.sessions else { return nil }
    for (place, session) in state.sessions.enumerated() {
      for request in session.pending {
        let isQuiet: Bool
        switch request.content {
        case .changes, .revsDiff, .getRevisions:
          isQuiet = !mayBeWritten(session.place(of: request.side), beside: place, in: state)
        default: isQuiet = false
        }
        // While an answer can still be spoilt, that is another move.
        let isSafe = state.faults == scope.faults || spoilings(of: request.content).isEmpty
        if isQuiet, isSafe { return .deliver(session: place, request.number) }
      }
    }
    return nil
  }

  private func mayBeWritten(
    _ replica: Int, beside place: Int, in state: ExplorerState
  ) -> Bool {
    state.writes < scope.operations
      || state.strays.contains { $0.replica == replica }
      || state.sessions.enumerated().contains { other, session in
        other != place && session.target == replica
      }
  }
}

// MARK: Writes of clients

extension ExplorerRules {
  private func writes(at replica: Int, in state: ExplorerState) -> [ExplorerMove] {
    var moves: [ExplorerMove] = []
    for number in 1...scope.documents {
      let id = DocumentID(JSONString("d\(number)"))
      let document = state.document(id, at: replica)
      let leaves = document?.revisions.filter { $0.isLeaf } ?? []
      let live = leaves.filter { $0.deleted == false }.map { $0.rev }
      if live.isEmpty {
        // The best tombstone is the last leaf.
        moves += named(replica, id, after: leaves.last?.rev, state: state) {
          .create(id: id, body: $0)
        }
      }
      for rev in live {
        moves += named(replica, id, after: rev, state: state) {
          .update(id: id, rev: rev, body: $0)
        }
        moves.append(.write(replica: replica, .delete(id: id, rev: rev)))
        if live.count > 1 {
          moves.append(
            .write(replica: replica, .resolve(id: id, leaves: live, keep: rev, body: nil)))
        }
      }
      // An untouched document is as good as another.
      let isTouched = state.contents.indices.contains { state.document(id, at: $0) != nil }
      if !isTouched { break }
    }
    return moves
  }

  /// A write once for each place that the new revision's name can have among the live leaves of its
  /// generation at all replicas, and once for each known revision that it can be the same as.
  private func named(
    _ replica: Int, _ id: DocumentID, after parent: RevisionID?, state: ExplorerState,
    action: (JSONValue) -> StoreAction
  ) -> [ExplorerMove] {
    var rivals: Set<RevisionID> = []
    var known: Set<RevisionID> = []
    for document in state.contents.indices.compactMap({ state.document(id, at: $0) }) {
      for revision in document.revisions {
        known.insert(revision.rev)
        if revision.isLeaf, revision.deleted == false { rivals.insert(revision.rev) }
      }
    }
    var taken: Set<Int> = []
    var same: Set<RevisionID> = []
    var moves: [ExplorerMove] = []
    for number in 0..<Self.bodiesMax {
      let candidate = action(["n": .integer(Int64(number))])
      guard
        let rev = digests.name(number, after: parent, { state.name(of: candidate, at: replica) })
      else { return moves }
      let equals = rivals.filter { $0.generation.elementsEqual(rev.generation) && $0 != rev }
      if known.contains(rev) {
        guard same.insert(rev).inserted else { continue }
      } else {
        let lower = equals.filter { $0.text.utf8.lexicographicallyPrecedes(rev.text.utf8) }.count
        guard taken.insert(lower).inserted else { continue }
      }
      moves.append(.write(replica: replica, candidate))
      if taken.count > equals.count, number >= Self.sameMax { break }
    }
    return moves
  }

  /// Enough bodies for any place among few names.
  private static let bodiesMax = 64
  /// Names that a client has given are those of the first bodies.
  private static let sameMax = 3
}

/// The names that the model gives to revisions: a digest of the parent and the body, made once.
final class Digests {
  private var names: [RevisionID?: [Int: RevisionID]] = [:]

  /// The name of a revision after a parent with the body of this number.
  func name(
    _ number: Int, after parent: RevisionID?, _ make: () -> RevisionID?
  ) -> RevisionID? {
    if let name = names[parent]?[number] { return name }
    let name = make()
    names[parent, default: [:]][number] = name
    return name
  }
}

extension ExplorerState {
  func document(_ id: DocumentID, at replica: Int) -> StoreContents.Document? {
    contents[replica].documents.first { $0.id == id }
  }

  /// What a write would call its revision.
  fileprivate func name(of write: StoreAction, at replica: Int) -> RevisionID? {
    var copy = self
    guard case .ok(.written(_, let rev)) = copy.perform(write, at: replica) else { return nil }
    return rev
  }
}

extension RevisionID {
  /// What stands before the dash.
  fileprivate var generation: Substring.UTF8View {
    text.string.utf8.prefix { $0 != UInt8(ascii: "-") }
  }
}
