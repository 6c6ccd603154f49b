internal import Datastore
internal import JSON

// Mutants in the life cycle of stores, in their feeds, and in local documents.

extension Defect {
  static let stores: [Defect] = lives + feeds + locals

  private static let lives: [Defect] = [
    mishearing(
      "opens-by-itself", "STORE-001",
      sentence: "An operation on a store that is not open opens it."
    ) { operation, store throws(HarnessError) in
      switch operation.action {
      case .open, .close, .destroy: break
      default:
        if try !store.isOpen(operation.store) { _ = try store.ask(operation.store, .open()) }
      }
      return operation
    },
    refusing(
      "closing-nothing-fails", "STORE-002",
      sentence: "Closing a store that is not open is an error."
    ) {
      operation, store throws(HarnessError) in
      guard case .close = operation.action else { return nil }
      return try store.isOpen(operation.store) ? nil : .noSuchStore
    },
    mishearing(
      "opening-empties", "STORE-003", sentence: "Opening an open store removes its content."
    ) {
      operation, store throws(HarnessError) in
      if case .open(nil, nil) = operation.action, try store.isOpen(operation.store) {
        _ = try store.ask(operation.store, .destroy)
      }
      return operation
    },
    mishearing(
      "closed-stores-stay", "STORE-004",
      sentence: "A closed store cannot be destroyed."
    ) { operation, store throws(HarnessError) in
      guard case .destroy = operation.action, try !store.isOpen(operation.store) else {
        return operation
      }
      return StoreOperation(operation.store, .close)
    },
    mishearing(
      "opening-wants-defaults", "STORE-009",
      sentence: "Opening an existing store without arguments requires the defaults."
    ) { operation, _ in
      guard case .open(nil, nil) = operation.action else { return operation }
      return StoreOperation(operation.store, .open(revisionIDs: .own, collation: .bytes))
    },
  ]

  private static let feeds: [Defect] = [
    answering(
      "deleted-rows-vanish", "CHG-004", sentence: "Deleted documents have no row in the feed."
    ) {
      _, result, _ in
      guard case .changes(var page) = result else { return .ok(result) }
      page.rows.removeAll { $0.deleted }
      return .ok(.changes(page))
    },
    remembering(
      "updated-rows-stay", "CHG-001",
      sentence: "Read from the start, an updated document has the position of its creation.",
      answer: { operation, outcome, _, memory in
        switch (operation.action, outcome) {
        case (.create, .ok(.written(let id, _))):
          let place = Int64(memory.counts.count)
          memory.counts[operation.key(id.text)] = memory.counts[operation.key(id.text)] ?? place
        case (.update(let id, _, _), .ok): memory.marks.insert(operation.key(id.text))
        case (.changes(nil, _), .ok(.changes(var page))):
          let counts = memory.counts
          let first = { (row: ChangesRow) in counts[operation.key(row.id.text)] ?? .max }
          let isMoved = page.rows.contains { memory.marks.contains(operation.key($0.id.text)) }
          if isMoved { page.rows.sort { first($0) < first($1) } }
          return .ok(.changes(page))
        default: break
        }
        return outcome
      }),
    answering(
      "changes-winner-last", "CHG-003",
      sentence: "In a row of changes with 3 leaves the winner is the last."
    ) { _, result, _ in
      guard case .changes(var page) = result else { return .ok(result) }
      for place in page.rows.indices {
        let leaves = page.rows[place].leaves
        if leaves.count > 2, !leaves[1].deleted { page.rows[place].leaves.array.reverse() }
      }
      return .ok(.changes(page))
    },
    answering(
      "page-has-one-sequence", "CHG-013",
      sentence: "Every row of a page of changes has the sequence of the last row."
    ) { _, result, _ in
      guard case .changes(var page) = result, let last = page.rows.last else { return .ok(result) }
      for place in page.rows.indices { page.rows[place].seq = last.seq }
      return .ok(.changes(page))
    },
    answering(
      "deletions-not-new", "CHG-009",
      sentence: "The changes after a sequence omit deletions."
    ) { operation, result, _ in
      guard case .changes(.some, _) = operation.action, case .changes(var page) = result else {
        return .ok(result)
      }
      page.rows.removeAll { $0.deleted }
      return .ok(.changes(page))
    },
    remembering(
      "sequences-end-with-closing", "CHG-006",
      sentence: "Sequences are invalid after the store was closed and opened.",
      hear: { operation, store, memory throws(HarnessError) in
        if case .close = operation.action, let last = try store.info(operation.store)?.last {
          memory.marks.insert(operation.key(JSONString(last.description)))
        }
        return operation
      },
      answer: { operation, outcome, _, memory in
        guard case .changes(let since?, _) = operation.action,
          memory.marks.contains(operation.key(JSONString(since.description)))
        else { return outcome }
        return .error(DatastoreError(.badSequence))
      }),
    answering(
      "full-page-promises-more", "CHG-010",
      sentence: "`more` is true for every full page."
    ) { operation, result, _ in
      guard case .changes(var page) = result, case .changes(_, let limit?) = operation.action,
        limit > 0, page.rows.count == limit
      else { return .ok(result) }
      page.more = true
      return .ok(.changes(page))
    },
    remembering(
      "resolutions-make-rows", "CHG-012",
      sentence: "`resolve` makes one row for each of its revisions.",
      answer: { operation, outcome, _, memory in
        switch (operation.action, outcome) {
        case (.resolve(let id, _, _, _), .ok(.resolved(_, let tombstones))):
          memory.counts[operation.key(id.text)] = Int64(tombstones.count)
        case (.changes, .ok(.changes(var page))):
          let counts = memory.counts
          page.rows = page.rows.flatMap { row in
            Array(repeating: row, count: Int(max(1, counts[operation.key(row.id.text)] ?? 1)))
          }
          return .ok(.changes(page))
        default: break
        }
        return outcome
      }),
  ]

  private static let locals: [Defect] = [
    answering(
      "local-arrays-emptied", "LOCAL-001", sentence: "Arrays in local documents are returned empty."
    ) {
      _, result, _ in
      guard case .local(let body) = result, let object = body.objectValue else {
        return .ok(result)
      }
      let members = object.members.map { member -> (JSONString, JSONValue) in
        (member.name, member.value.arrayValue == nil ? member.value : [])
      }
      return .ok(.local(body: .object(JSONObject(members))))
    },
    refusing(
      "absent-locals-not-deleted", "LOCAL-003",
      sentence: "Deleting a local document that is not there is an error."
    ) { operation, store throws(HarnessError) in
      guard case .writeLocal(let id, nil) = operation.action,
        case .error = try store.ask(operation.store, .readLocal(id: id))
      else { return nil }
      return .notFound(.missing)
    },
    remembering(
      "locals-counted", "LOCAL-004", sentence: "`info` counts local documents among the documents.",
      answer: { operation, outcome, _, memory in
        switch (operation.action, outcome) {
        case (.writeLocal(let id, .some), .ok): memory.marks.insert(operation.key(id.text))
        case (.info, .ok(.info(var info))):
          info.documents += Int64(memory.marks.count { $0.starts(with: operation.key()) })
          return .ok(.info(info))
        default: break
        }
        return outcome
      }),
    meddling(
      "locals-take-documents-along", "LOCAL-005",
      sentence: "Deleting a local document also deletes the document of the same id."
    ) { operation, _, store throws(HarnessError) in
      guard case .writeLocal(let id, nil) = operation.action else { return [] }
      return [.purge(id: id, revs: try store.leaves(operation.store, id).map { $0.rev })]
    },
  ]
}
