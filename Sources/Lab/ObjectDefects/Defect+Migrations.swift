internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Mutants with objects that move from a local store to collections.

extension Defect {
  static let migrations: [Defect] = [
    tellingMoves(
      "parents-move-first", "COLL-080", sentence: "What leads to others is moved before them."
    ) {
      report in
      report.requests.reverse()
    },
    mishearing("flags-unread", "COLL-081", sentence: "Whatever was noted, objects are moved again.")
    {
      operation, store throws(HarnessError) in
      guard case .client(let client, .migrate(let move))? = operation.action.collections,
        move.flag == nil, move.steps == nil
      else { return operation }
      try store.note(move, of: client, operation.store, isSet: false)
      return operation
    },
    hearingMoves(
      "moved-objects-stay", "COLL-082", sentence: "Nothing is deleted in the place of a flag."
    ) {
      move in
      if move.flag == "none" { move.deletes = nil }
    },
    answering("failures-are-noted", "COLL-083", sentence: "What failed is noted as done.") {
      operation, result, store throws(HarnessError) in
      guard case .client(let client, .migrate(let move))? = operation.action.collections,
        case .move(let report)? = result.collections, report.state == "failed",
        move.deletes == true
      else { return .ok(result) }
      try store.note(move, of: client, operation.store)
      return .ok(result)
    },
    Defect("dying-is-noted", "COLL-084", sentence: "Who dies on the way has moved everything.") {
      NotingAtCrash()
    },
    mishearing("one-flag-for-all", "COLL-085", sentence: "A flag is one for all entities.") {
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
    mishearing("triggers-begin-anew", "COLL-086", sentence: "Whoever wants a migration begins one.")
    {
      operation, store throws(HarnessError) in
      guard case .client(let client, .migrate(let move))? = operation.action.collections,
        move.ids == nil, move.deletes == nil
      else { return operation }
      _ = try store.ask(operation.store, .collections(.client(client, .crash)))
      return operation
    },
    hearingMoves("batches-are-one", "COLL-087", sentence: "Everything is read and saved at once.") {
      move in
      move.batch = nil
    },
    answering(
      "moves-clear-the-store", "COLL-088", sentence: "In the end all objects here are deleted."
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
    hearingMoves("objects-read-in-front", "COLL-089", sentence: "The main queue reads the objects.")
    {
      move in
      move.background = false
    },
  ]

  /// Changes what a migration is told.
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

  /// Changes what is told of a migration.
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
  /// Sets the flag of a migration, or takes it away, and leaves the others as they are.
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

/// Notes that everything was moved when the process of a client ends.
private struct NotingAtCrash: Misbehaviour {
  private var moves: [JSONString: ObjectMove] = [:]

  mutating func perform(
    _ operation: StoreOperation, _ environment: inout RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, &environment)
    switch operation.action.collections {
    case .client(let client, .migrate(let move))?: moves[client] = move
    case .client(let client, .crash)?:
      if let move = moves[client] { try store.note(move, of: client, operation.store) }
    default: break
    }
    return outcome
  }
}
