internal import Datastore
internal import JSON
internal import ReferenceDatastore
internal import Replication

/// The possible moves.
///
/// Partial-order reduction: what is atomic, and why no order is missed.
///
/// * A store performs a request and the session receives the response in one move. The response
///   changes only the session, whose next requests remain pending until they are performed. So a
///   response in flight is equivalent to a request that is not yet performed.
/// * `info` is performed together with the move before: its response never changes in a scope.
/// * A session begins and reads both checkpoints in one move. Only a session of the same two stores
///   could save between the two reads. Then one side lacks the newest entry. Such an entry is not
///   used, so the session continues as if it had read both before.
/// * A read that no later event can influence is performed together with the move before: no client
///   can write the documents of that store, and the response cannot be damaged.
/// * Only writes are lost. A lost read is equivalent to a later read.
/// * A client write is one move, as it is one operation of its store.
///
/// Each write of a live revision is tried with every rank of its name among revisions of its
/// generation, and with equality to the same edit of another replica. A search over bodies finds a
/// digest of that rank. Names of tombstones are not varied.
struct ExplorerRules {
  let scope: ExplorationScope
  let makeMachine: (ReplicatorConfiguration) -> any ReplicationMachine
  /// The direction whose checkpoints a local document contains, by its id.
  let ways: [DocumentID: Way]
  private let digests = Digests()

  /// A source and a target replica.
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

  /// All moves, or the single move that commutes with all others.
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

  /// A read that no later event can influence.
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
        // A response that can still be damaged is another move.
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
      // All untouched documents are equivalent.
      let isTouched = state.contents.indices.contains { state.document(id, at: $0) != nil }
      if !isTouched { break }
    }
    return moves
  }

  /// One write for each rank of the new revision's name among the live leaves of its generation at
  /// all replicas, and one for each known revision that it can equal.
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

  /// Enough bodies for any rank among few names.
  private static let bodiesMax = 64
  /// Existing names of client writes come from the first bodies.
  private static let sameMax = 3
}

/// A cache of the model's names of revisions, which are digests of the parent and the body.
final class Digests {
  private var names: [RevisionID?: [Int: RevisionID]] = [:]

  /// The name of the child of a parent with the body of a number.
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

  /// The name of the revision that a write would create.
  fileprivate func name(of write: StoreAction, at replica: Int) -> RevisionID? {
    var copy = self
    guard case .ok(.written(_, let rev)) = copy.perform(write, at: replica) else { return nil }
    return rev
  }
}

extension RevisionID {
  /// The digits before the hyphen.
  fileprivate var generation: Substring.UTF8View {
    text.string.utf8.prefix { $0 != UInt8(ascii: "-") }
  }
}
