internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Mutants in the migration of objects from a local store to collections.

extension Defect {
  static let migrations: [Defect] = [
    tellingMoves(
      "parents-move-first", "COLL-080",
      sentence: "A migration saves referencing objects before referenced ones."
    ) {
      report in
      report.requests.reverse()
    },
    mishearing("flags-unread", "COLL-081", sentence: "The flag of a migration is ignored.") {
      operation, store throws(HarnessError) in
      guard case .client(let client, .migrate(let move))? = operation.action.collections,
        move.flag == nil, move.steps == nil
      else { return operation }
      try store.note(move, of: client, operation.store, isSet: false)
      return operation
    },
    hearingMoves(
      "moved-objects-stay", "COLL-082",
      sentence: "The option to delete instead of setting a flag deletes nothing."
    ) {
      move in
      if move.flag == "none" { move.deletes = nil }
    },
    answering("failures-are-noted", "COLL-083", sentence: "A failed migration sets its flag.") {
      operation, result, store throws(HarnessError) in
      guard case .client(let client, .migrate(let move))? = operation.action.collections,
        case .move(let report)? = result.collections, report.state == "failed",
        move.deletes == true
      else { return .ok(result) }
      try store.note(move, of: client, operation.store)
      return .ok(result)
    },
    Defect("dying-is-noted", "COLL-084", sentence: "A crash during a migration marks it as done.") {
      NotingAtCrash()
    },
    mishearing("one-flag-for-all", "COLL-085", sentence: "All migrations share one flag.") {
      operation, store throws(HarnessError) in
      guard case .client(let client, .migrate(let move))? = operation.action.collections,
        move.flag == nil,
        case .client(let state)? = try store.ask(
          operation.store, .collections(.client(client, .inspect))
        ).collections, !state.settings.isEmpty
      else { return operation }
      try store.note(move, of: client, operation.store)
      return operation
    },
    mishearing(
      "triggers-begin-anew", "COLL-086", sentence: "A second trigger starts a second migration."
    ) {
      operation, store throws(HarnessError) in
      guard case .client(let client, .migrate(let move))? = operation.action.collections,
        move.ids == nil, move.deletes == nil
      else { return operation }
      _ = try store.ask(operation.store, .collections(.client(client, .crash)))
      return operation
    },
    hearingMoves(
      "batches-are-one", "COLL-087", sentence: "All objects are read and saved in one batch."
    ) {
      move in
      move.batch = nil
    },
    answering(
      "moves-clear-the-store", "COLL-088",
      sentence: "A migration deletes all local objects at its end."
    ) {
      operation, result, store throws(HarnessError) in
      guard case .client(_, .migrate(let move))? = operation.action.collections,
        case .move(let report)? = result.collections,
        report.steps.contains(where: { $0.objectValue?["step"] == "delete" })
      else { return .ok(result) }
      for row in try store.feed(move.from) where !row.deleted {
        if try store.body(move.from, row.id)["CDTISEntityName"] != nil {
          _ = try store.ask(
            move.from, .objects(.save(inserted: [], updated: [], deleted: [row.id])))
        }
      }
      return .ok(result)
    },
    hearingMoves(
      "objects-read-in-front", "COLL-089", sentence: "Objects are read on the main queue."
    ) {
      move in
      move.background = false
    },
  ]

  /// Changes the arguments of a migration.
  private static func hearingMoves(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout ObjectMove) -> Void
  ) -> Defect {
    hearingClients(name, clause, sentence: sentence) { call in
      guard case .migrate(var move) = call else { return }
      change(&move)
      call = .migrate(move)
    }
  }

  /// Changes the result of a migration.
  private static func tellingMoves(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout MoveReport) -> Void
  ) -> Defect {
    answering(name, clause, sentence: sentence) { _, result, _ in
      guard case .move(var report)? = result.collections else { return .ok(result) }
      change(&report)
      return .ok(.collections(.move(report)))
    }
  }
}

extension Honest {
  /// Sets or removes the flag of a migration, and keeps the others.
  fileprivate func note(
    _ move: ObjectMove, of client: JSONString, _ backend: StoreName, isSet: Bool = true
  ) throws(HarnessError) {
    guard
      case .client(let state)? = try ask(
        backend, .collections(.client(client, .inspect))
      ).collections
    else { return }
    let names = move.collections.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    var settings = state.settings
    settings[JSONString("migrated." + names.map { $0.string }.joined(separator: "+"))] =
      isSet ? true : nil
    _ = try ask(backend, .collections(.client(client, .setSettings(.object(settings)))))
  }
}

/// Records a migration as done when a client crashes.
private struct NotingAtCrash: Misbehaviour {
  private var moves: [JSONString: ObjectMove] = [:]

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    switch operation.action.collections {
    case .client(let client, .migrate(let move))?: moves[client] = move
    case .client(let client, .crash)?:
      if let move = moves[client] { try store.note(move, of: client, operation.store) }
    default: break
    }
    return outcome
  }
}
