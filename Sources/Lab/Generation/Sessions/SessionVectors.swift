internal import Datastore
internal import JSON
internal import ReferenceDatastore
internal import Scenarios

/// Writes the cases of an explorer as vectors.
struct SessionVectors {
  static let generator: JSONString = "sessions"
  let scope: Int

  /// The vector of a case: the moves, the sessions that replicate everything to all stores, and
  /// requests to every store, which must all have the same results.
  func vector(_ found: SessionState) throws(GenerationError) -> Vector {
    let names = found.names
    let id = (["session", "\(names.count)"] + found.moves.map { $0.word(names) })
      .joined(separator: "-")
    var binder = NameBinder()
    var steps: [Step] = []
    var state = SessionState(stores: names.count)
    var needsResolve = false
    for move in found.moves + found.closing {
      guard let after = try state.after(move) else {
        throw GenerationError("\(id): \(move) is impossible")
      }
      switch move {
      case .replicate(let source, let target):
        steps.append(
          Step(.replicate(StoreReplication(source: names[source], target: names[target]))))
      case .write(let store, let action, _):
        let template = binder.referring(StoreOperation(names[store], action).json)
        let old = Set(state.revisions(at: store).map { $0.rev })
        let made = after.revisions(at: store).filter { !old.contains($0.rev) }
        var expected: JSONObject = [:]
        if case .resolve(_, let leaves, _, _) = action {
          needsResolve = true
          expected["rev"] = made.first { $0.deleted == false }.map { binder.bound($0.rev) }
          expected["tombstones"] = unordered(
            Array(repeating: ["$any": true], count: leaves.count - 1))
        } else {
          expected["id"] = "d"
          expected["rev"] = made.first.map { binder.bound($0.rev) }
        }
        steps.append(try .generated(template, ["ok": .object(expected)]))
      }
      state = after
    }
    steps += try questions(state, binder)
    return Vector(
      id: VectorID(JSONString(id)), clauses: clauses(state),
      capabilities: needsResolve ? [.resolve] : [],
      note: JSONString(note(found, state)),
      generated: Vector.Generated(generator: Self.generator, scope: Int64(scope)), steps: steps)
  }

  private func unordered(_ values: [JSONValue]) -> JSONValue {
    values.count < 2 ? .array(values) : ["$unordered": .array(values)]
  }

  /// Requests from every store its leaves and its winner; the first decides which of equal ones
  /// wins.
  private func questions(
    _ state: SessionState, _ binder: NameBinder
  ) throws(GenerationError) -> [Step] {
    let leaves = state.revisions(at: 0).filter { $0.isLeaf }
    let live = leaves.filter { $0.deleted == false }
    let best = live.map { $0.generation }.max()
    let candidates = live.filter { $0.generation == best }
    var steps: [Step] = []
    for (place, name) in state.names.enumerated() {
      let expected = leaves.map { leaf -> JSONValue in
        let known = binder.reference(to: leaf.rev.json)
        // The id of a tombstone that `resolve` created is unknown.
        let rev: JSONValue = known == leaf.rev.json ? ["$any": true] : known
        return ["rev": rev, "deleted": .bool(leaf.deleted == true)]
      }
      steps.append(
        try .generated(
          StoreOperation(name, .leaves(id: "d")).json, ["ok": ["leaves": unordered(expected)]]))
      let winner: JSONValue
      if candidates.isEmpty {
        winner = ["error": ["kind": "notFound", "reason": "deleted"]]
      } else if candidates.count == 1 {
        winner = ["ok": ["rev": binder.reference(to: candidates[0].rev.json)]]
      } else {
        winner = ["ok": ["rev": place == 0 ? ["$bind": "winner"] : ["$ref": "winner"]]]
      }
      steps.append(try .generated(StoreOperation(name, .read(id: "d")).json, winner))
    }
    return steps
  }

  private func clauses(_ state: SessionState) -> [ClauseID] {
    let leaves = state.revisions(at: 0).filter { $0.isLeaf }
    let live = leaves.filter { $0.deleted == false }
    var clauses: [ClauseID] = ["REPL-006", "REPL-001"]
    if live.count > 1 { clauses.append("CONF-001") }
    if live.isEmpty { clauses.append("WIN-007") }
    return clauses
  }

  private func note(_ found: SessionState, _ end: SessionState) -> String {
    let path = found.moves.map { $0.phrase(found.names) }.joined(separator: "; ")
    let leaves = end.revisions(at: 0).filter { $0.isLeaf }
    let live = leaves.filter { $0.deleted == false }.count
    let dead = leaves.count - live
    let what =
      switch (live, dead) {
      case (0, _): "deleted"
      case (1, 0): "one leaf"
      case (1, _): "one live leaf beside tombstones"
      case (let live, 0): "a conflict of \(live) leaves"
      case (let live, _): "a conflict of \(live) live leaves beside tombstones"
      }
    return path.prefix(1).uppercased() + path.dropFirst()
      + "; then everything is replicated to all stores: \(what), and the same in all stores."
  }
}
