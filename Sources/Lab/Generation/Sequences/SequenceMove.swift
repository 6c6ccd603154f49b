internal import Datastore
internal import JSON

/// One possible next operation.
struct SequenceMove {
  var action: StoreAction
  /// The operation, in words for an id.
  var name: String
}

extension SequenceState {
  /// All operations of the alphabet that are relevant in this state.
  ///
  /// Operations are omitted if they depend on the winner of two revisions whose ids the store
  /// chose.
  var moves: [SequenceMove] {
    let step = operations.count + 1
    let body: JSONValue = ["n": .integer(Int64(step))]
    var moves: [SequenceMove] = []
    if !isKnown || live.count > 0 || !isWinnerOpen {
      moves.append(SequenceMove(action: .create(id: "d", body: body), name: "create"))
    }
    var targets = leaves.map { ($0.rev, role($0.rev)) }
    targets += inner.prefix(1).map { ($0, "stale") } + gone.prefix(1).map { ($0, "purged") }
    if gone.isEmpty { targets.append(("1-0", "unknown")) }
    for (rev, role) in targets {
      moves.append(
        SequenceMove(action: .update(id: "d", rev: rev, body: body), name: "update-\(role)"))
      moves.append(SequenceMove(action: .delete(id: "d", rev: rev), name: "delete-\(role)"))
    }
    return moves + arrivals(step, body) + resolutions(body) + upkeep
  }

  /// Records from other stores: roots, children of leaves, branches, and stored revisions.
  private func arrivals(_ step: Int, _ body: JSONValue) -> [SequenceMove] {
    // Later ones are lower, so a store that prefers the last arrival fails.
    let suffix = ["f", "e", "d", "c", "b"][min(step, 5) - 1]
    var paths: [([RevisionID], String)] = [([RevisionID(JSONString("1-\(suffix)"))], "root")]
    if isKnown { paths.append(([RevisionID(JSONString("3-\(suffix)"))], "cut-root")) }
    // No suffix has two generations, because products that look revisions up by suffix alone are
    // the subject of other vectors.
    func ancestor(_ generation: Int) -> RevisionID {
      RevisionID(JSONString("\(generation)-\(suffix)\(generation)"))
    }
    let deep = [RevisionID(JSONString("3-\(suffix)")), ancestor(2), ancestor(1)]
    paths.append((deep, "deep-root"))
    func child(of parent: RevisionID) -> [RevisionID] {
      [RevisionID(JSONString("\(generation(parent) + 1)-\(suffix)"))] + path(parent)
    }
    for leaf in leaves { paths.append((child(of: leaf.rev), "child-of-\(role(leaf.rev))")) }
    for parent in inner.prefix(1) { paths.append((child(of: parent), "branch")) }
    // An unconnected root becomes a branch of a connected one.
    let roots = revisions.filter { parents[$0] == nil && answers[$0] != .missing }
    if let upper = roots.first(where: { generation($0) == 3 && role($0) != "stale" }),
      let lower = roots.first(where: { generation($0) == 1 })
    {
      let top = RevisionID(JSONString("4-\(suffix)"))
      paths.append(([top, upper, ancestor(2), lower], "join"))
    }
    var moves = paths.flatMap { path, name in
      [false, true].map { deleted in
        SequenceMove(
          action: .insertRevisions([
            RevisionRecord(id: "d", path: path, deleted: deleted, body: deleted ? [:] : body)
          ]), name: deleted ? "dead-\(name)" : name)
      }
    }
    for rev in leaves.map({ $0.rev }) + gone {
      let isDeleted = dead.contains(rev)
      let word = gone.contains(rev) ? "insert-purged" : "again-\(role(rev))"
      moves.append(
        SequenceMove(
          action: .insertRevisions([
            RevisionRecord(id: "d", path: path(rev), deleted: isDeleted, body: body)
          ]), name: word))
    }
    return moves
  }

  private func resolutions(_ body: JSONValue) -> [SequenceMove] {
    var moves: [SequenceMove] = []
    for keep in live where canBindTombstones(keeping: keep) {
      let role = role(keep)
      moves.append(
        SequenceMove(
          action: .resolve(id: "d", leaves: live.reversed(), keep: keep), name: "resolve-\(role)"))
      moves.append(
        SequenceMove(
          action: .resolve(id: "d", leaves: live, keep: keep, body: body),
          name: "resolve-\(role)-body"))
      if live.count > 1 {
        moves.append(
          SequenceMove(
            action: .resolve(id: "d", leaves: [keep], keep: keep), name: "resolve-only-\(role)"))
      }
    }
    if live.isEmpty, let rev = dead.first ?? gone.first {
      moves.append(
        SequenceMove(
          action: .resolve(id: "d", leaves: [rev], keep: rev), name: "resolve-without-live"))
    }
    return moves
  }

  /// True if the tombstones of a resolve have different generations; vectors cannot distinguish
  /// others by their ids.
  private func canBindTombstones(keeping keep: RevisionID) -> Bool {
    let generations = live.filter { $0 != keep }.map { generation($0) }
    return Set(generations).count == generations.count
  }

  private var upkeep: [SequenceMove] {
    var moves = leaves.map { leaf in
      SequenceMove(
        action: .purge(id: "d", revs: [leaf.rev]), name: "purge-\(role(leaf.rev))")
    }
    if leaves.count > 1 {
      moves.append(
        SequenceMove(action: .purge(id: "d", revs: leaves.map { $0.rev }), name: "purge-all"))
    }
    for rev in inner.prefix(1) {
      moves.append(SequenceMove(action: .purge(id: "d", revs: [rev]), name: "purge-stale"))
    }
    for rev in gone.prefix(1) {
      moves.append(SequenceMove(action: .purge(id: "d", revs: [rev]), name: "purge-purged"))
    }
    if isKnown { moves.append(SequenceMove(action: .compact, name: "compact")) }
    return moves
  }
}
