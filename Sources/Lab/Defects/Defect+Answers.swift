internal import Datastore
internal import JSON

// Mutants in the results of a store; its effects are right.

extension Defect {
  static let answers: [Defect] = [
    answering(
      "generations-as-text", "REV-006",
      sentence: "Leaves are ordered by their ids as text: 10-a below 9-a."
    ) { operation, result, _ in
      switch result {
      case .leaves(let leaves): return .ok(.leaves(textually(leaves)))
      case .changes(var page):
        for place in page.rows.indices { page.rows[place].leaves.array.orderTextually() }
        return .ok(.changes(page))
      default: return .ok(result)
      }
    },
    answering("changes-winner-only", "CHG-003", sentence: "A row of changes names only the winner.")
    {
      _, result, _ in
      guard case .changes(var page) = result else { return .ok(result) }
      for place in page.rows.indices {
        page.rows[place].leaves.array.removeSubrange(min(1, page.rows[place].leaves.count)...)
      }
      return .ok(.changes(page))
    },
    answering(
      "changes-lose-last-row", "CHG-001", sentence: "Each full page of changes lacks its last row."
    ) {
      _, result, _ in
      guard case .changes(var page) = result, page.more else { return .ok(result) }
      _ = page.rows.popLast()
      return .ok(.changes(page))
    },
    answering(
      "changes-last-is-store-end", "CHG-008",
      sentence: "`last` of a page is the end of the feed, so a reader skips the other pages."
    ) { operation, result, store throws(HarnessError) in
      guard case .changes(var page) = result, let info = try store.info(operation.store) else {
        return .ok(result)
      }
      if !page.rows.isEmpty { page.last = info.last }
      return .ok(.changes(page))
    },
    answering(
      "tombstones-lose-bodies", "REC-008", sentence: "An arriving tombstone loses its body."
    ) {
      _, result, _ in
      switch result {
      case .document(var document) where document.deleted:
        document.body = [:]
        return .ok(.document(document))
      case .revisions(let answers):
        return .ok(
          .revisions(answers.map { $0.mapRecords { if $0.deleted { $0.body = [:] } } }))
      default: return .ok(result)
      }
    },
    answering(
      "hidden-tombstones", "READ-004", sentence: "Reading a tombstone by its revision is notFound."
    ) {
      _, result, _ in
      guard case .document(let document) = result, document.deleted else { return .ok(result) }
      return .error(DatastoreError(.notFound(.deleted)))
    },
    answering(
      "list-in-utf16-order", "UNI-003",
      sentence: "The list is ordered by UTF-16 code units of the ids."
    ) { operation, result, _ in
      guard case .list(let rows) = result, case .list(_, _, let descending) = operation.action
      else { return .ok(result) }
      let sorted = rows.sorted { left, right in
        left.id.text.string.utf16.lexicographicallyPrecedes(right.id.text.string.utf16)
      }
      return .ok(.list(descending ? sorted.reversed() : sorted))
    },
    answering(
      "list-begins-behind-from", "LIST-003", sentence: "The list omits the id in `from`."
    ) {
      operation, result, store throws(HarnessError) in
      guard case .list(let from?, let limit, let descending) = operation.action else {
        return .ok(result)
      }
      // One row more takes the place of the omitted one.
      let longer = StoreAction.list(
        from: from, limit: limit.map { min($0, .max - 1) + 1 }, descending: descending)
      guard case .ok(.list(let rows)) = try store.ask(operation.store, longer) else {
        return .ok(result)
      }
      let left = rows.filter { $0.id != from }
      return .ok(.list(Array(left.prefix(limit.map { Int($0) } ?? left.count))))
    },
    answering(
      "from-must-exist", "LIST-003",
      sentence: "A list from an id without a document is empty."
    ) { operation, result, store throws(HarnessError) in
      guard case .list = result, case .list(let from?, _, false) = operation.action,
        try store.leaves(operation.store, from).isEmpty
      else { return .ok(result) }
      return .ok(.list([]))
    },
    answering(
      "records-once-each", "REC-002", sentence: "getRevisions returns a repeated revision once."
    ) {
      _, result, _ in
      guard case .revisions(let answers) = result else { return .ok(result) }
      var seen: Set<[JSONString]> = []
      return .ok(.revisions(answers.filter { seen.insert([$0.id.text, $0.rev.text]).inserted }))
    },
    answering(
      "named-roots-are-missing", "DIFF-003",
      sentence: "A stub root without a body is reported as missing."
    ) { operation, result, store throws(HarnessError) in
      guard case .revsDiff(var found) = result, case .revsDiff(let queries) = operation.action,
        case .ok(.revisions(let answers)) = try store.ask(operation.store, .getRevisions(queries))
      else { return .ok(result) }
      for answer in answers where answer.found == .bodyMissing && answer.rev.generation == 1 {
        if let place = found.firstIndex(where: { $0.id == answer.id }) {
          found[place].missing.append(answer.rev)
        } else {
          found.append(Difference(id: answer.id, missing: [answer.rev], possibleAncestors: []))
        }
      }
      return .ok(.revsDiff(found))
    },
    answering(
      "ancestors-live-only", "DIFF-004", sentence: "possibleAncestors omits tombstones."
    ) { operation, result, store throws(HarnessError) in
      guard case .revsDiff(var differences) = result else { return .ok(result) }
      for place in differences.indices {
        let live = try store.leaves(operation.store, differences[place].id).filter { !$0.deleted }
        differences[place].possibleAncestors.removeAll { rev in
          !live.contains { $0.rev == rev }
        }
      }
      return .ok(.revsDiff(differences))
    },
    answering(
      "edits-of-losers-refused", "EDIT-006",
      sentence: "An edit of a losing leaf is stored, and reported as a conflict."
    ) { operation, result, store throws(HarnessError) in
      guard case .written(let id, let rev) = result, case .update = operation.action,
        try store.leaves(operation.store, id).first?.rev != rev
      else { return .ok(result) }
      return .error(DatastoreError(.conflict))
    },
    answering(
      "counts-tombstones", "STORE-007",
      sentence: "A live document with a deleted leaf is also counted as deleted."
    ) { operation, result, store throws(HarnessError) in
      guard case .info(var info) = result else { return .ok(result) }
      info.deletedDocuments = Int64(
        try store.feed(operation.store).count { $0.leaves.contains { $0.deleted } })
      return .ok(.info(info))
    },
    answering(
      "incarnation-is-name", "STORE-005", sentence: "The incarnation of a store is its name."
    ) {
      operation, result, _ in
      guard case .info(var info) = result else { return .ok(result) }
      info.incarnation = operation.store.text
      return .ok(.info(info))
    },
    bodies("floats", "NUM-002", sentence: "Doubles are stored with 24 bits of precision.") { body in
      body.mapScalars {
        if case .double(let value) = $0 { .double(Double(Float(value))) } else { $0 }
      }
    },
    bodies("booleans-are-numbers", "NUM-003", sentence: "true and false are stored as 1 and 0.") {
      body in
      body.mapScalars { if case .bool(let value) = $0 { .integer(value ? 1 : 0) } else { $0 } }
    },
    bodies("integers-of-32-bits", "NUM-001", sentence: "Integers are stored with 32 bits.") {
      body in
      body.mapScalars {
        if case .integer(let value) = $0 { .integer(Int64(Int32(clamping: value))) } else { $0 }
      }
    },
    bodies("nulls-vanish", "BODY-004", sentence: "Members with the value null are dropped.") {
      body in
      guard let object = body.objectValue else { return body }
      let kept = object.members.filter { $0.value != .null }
      return .object(JSONObject(kept.map { ($0.name, $0.value) }))
    },
  ]

  private static func textually(_ leaves: [Leaf]) -> [Leaf] {
    var leaves = leaves
    leaves.orderTextually()
    return leaves
  }
}

extension [Leaf] {
  /// Live ones first, then the ids as text, the highest first.
  fileprivate mutating func orderTextually() {
    sort { left, right in
      if left.deleted != right.deleted { return right.deleted }
      return right.rev.text.utf8.lexicographicallyPrecedes(left.rev.text.utf8)
    }
  }
}
