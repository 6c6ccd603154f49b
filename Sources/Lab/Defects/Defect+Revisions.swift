internal import Datastore
internal import JSON

// Mutants in revision ids and in the revision tree.

extension Defect {
  static let revisions: [Defect] = spelling + trees

  private static let spelling: [Defect] = [
    mishearing(
      "suffix-made-up", "REV-001", sentence: "A revision id without a suffix gets one."
    ) {
      operation, _ in
      operation.mapRecords { record in
        guard record.path.count == 1, record.path[0].text.string.hasSuffix("-") else { return }
        record.path[0] = RevisionID(JSONString(record.path[0].text.string + "made-up"))
      }
    },
    excusing(
      "last-generation-is-conflict", "REV-004",
      sentence: "An edit of a revision of the largest generation is a conflict."
    ) { operation, kind, _ in
      guard case .update(_, let rev, _) = operation.action, kind == .badRevision,
        rev.generation == 9_007_199_254_740_991
      else { return nil }
      return .error(DatastoreError(.conflict))
    },
    mishearing("hyphens-refused", "REV-005", sentence: "A suffix with a hyphen is refused.") {
      operation, _ in
      operation.mapRecords { record in
        if record.path.first?.suffix.utf8.contains(UInt8(ascii: "-")) == true { record.path = [] }
      }
    },
    answering(
      "generations-of-32-bits", "REV-006", sentence: "Only 32 bits of a generation are compared."
    ) {
      _, result, _ in
      guard case .leaves(var leaves) = result, leaves.count > 1,
        leaves[0].deleted == leaves[1].deleted, let first = leaves[0].rev.generation,
        let second = leaves[1].rev.generation, first > second,
        case let (low, other) = (
          UInt32(truncatingIfNeeded: first), UInt32(truncatingIfNeeded: second)
        ),
        low < other || low == other && leaves[0].rev.suffix.isBelow(leaves[1].rev.suffix)
      else { return .ok(result) }
      leaves.swapAt(0, 1)
      return .ok(.leaves(leaves))
    },
    mishearing(
      "hexadecimal-suffixes-folded", "REV-009",
      sentence: "A suffix of 32 hexadecimal digits is folded to lower case in every store."
    ) { operation, _ in
      operation.mapRecords { record in
        record.path = record.path.map { rev in
          let isDigest = rev.suffix.utf8.count == 32 && rev.suffix.allSatisfy(\.isHexDigit)
          return isDigest ? RevisionID(JSONString(rev.text.string.lowercased())) : rev
        }
      }
    },
    remembering(
      "digest-of-document", "REV-011",
      sentence: "The revision id of an edit depends on the document id.",
      answer: { operation, outcome, _, memory in
        guard case .create(_, let body) = operation.action,
          case .ok(.written(let id, let rev)) = outcome
        else { return outcome }
        let key = operation.key(rev.text, JSONString(body.serialized()))
        let first = memory.paths[key] ?? [RevisionID(id.text)]
        memory.paths[key] = first
        guard first != [RevisionID(id.text)] else { return outcome }
        return .ok(.written(id: id, rev: RevisionID(JSONString(rev.text.string + "0"))))
      }),
    answering(
      "suffixes-without-case", "REV-007", sentence: "Suffixes are compared without case."
    ) {
      _, result, _ in
      guard case .leaves(var leaves) = result, leaves.count > 1 else { return .ok(result) }
      let (first, second) = (leaves[0], leaves[1])
      if first.deleted == second.deleted, first.rev.generation == second.rev.generation,
        first.rev.suffix.utf8.count == second.rev.suffix.utf8.count,
        second.rev.suffix.isBelow(first.rev.suffix),
        first.rev.suffix.lowercased().isBelow(second.rev.suffix.lowercased())
      {
        leaves.swapAt(0, 1)
      }
      return .ok(.leaves(leaves))
    },
  ]

  private static let trees: [Defect] = [
    answering(
      "inner-revisions-forgotten", "TREE-001",
      sentence: "The inner unknown revisions of a path are not stored."
    ) { operation, result, store throws(HarnessError) in
      guard case .revsDiff(var found) = result, case .revsDiff(let queries) = operation.action
      else { return .ok(result) }
      for query in queries {
        for rev in query.revs {
          let path = try store.path(operation.store, query.id, rev: rev)
          let hasBody = try store.document(operation.store, query.id, rev: rev) != nil
          guard path.count > 1, !hasBody else { continue }
          found.append(Difference(id: query.id, missing: [rev], possibleAncestors: []))
        }
      }
      return .ok(.revsDiff(found))
    },
    mishearing(
      "deleted-leaves-stay-live", "TREE-002",
      sentence: "A tombstone that arrives for a leaf becomes a sibling, and the leaf stays a leaf."
    ) { operation, store throws(HarnessError) in
      try operation.mapRecords { (record) throws(HarnessError) in
        guard record.deleted, record.path.count > 1 else { return }
        let leaves = try store.leaves(operation.store, record.id)
        if leaves.contains(where: { $0.rev == record.path[1] }) {
          record.path = Array(record.path.prefix(1))
        }
      }
    },
    excusing(
      "revisions-of-all-documents", "TREE-011",
      sentence: "A revision id of another document is found."
    ) { operation, kind, store throws(HarnessError) in
      guard case .read(_, let rev?) = operation.action, kind == .notFound(.missing) else {
        return nil
      }
      for row in try store.feed(operation.store) {
        if let document = try store.document(operation.store, row.id, rev: rev) {
          return .ok(.document(document))
        }
      }
      return nil
    },
    mishearing(
      "roots-grafted", "TREE-003",
      sentence: "A path without a known revision is attached to a leaf one generation below it."
    ) { operation, store throws(HarnessError) in
      try operation.mapRecords { (record) throws(HarnessError) in
        guard let below = record.path.last?.generation.map({ $0 - 1 }) else { return }
        let leaves = try store.leaves(operation.store, record.id)
        let missing = try store.missing(operation.store, record.id, revs: record.path)
        guard missing.count == record.path.count,
          let leaf = leaves.first(where: { $0.rev.generation == below })
        else { return }
        record.path.append(leaf.rev)
      }
    },
    mishearing(
      "one-tree-grows", "TREE-004",
      sentence: "A path extends only the tree of the winner; elsewhere its new part becomes a root."
    ) { operation, store throws(HarnessError) in
      try operation.mapRecords { (record) throws(HarnessError) in
        let missing = try store.missing(operation.store, record.id, revs: record.path)
        guard let known = record.path.first(where: { !missing.contains($0) }),
          known != record.path.first,
          let winner = try store.leaves(operation.store, record.id).first,
          try store.path(operation.store, record.id, rev: known).last
            != store.path(operation.store, record.id, rev: winner.rev).last
        else { return }
        record.path = Array(record.path.prefix { $0 != known })
      }
    },
    dropping(
      "late-branches-dropped", "TREE-008",
      sentence: "A live branch that arrives after a tombstone at least as long is dropped."
    ) { record, name, store throws(HarnessError) in
      guard !record.deleted, let generation = record.path.first?.generation,
        let winner = try store.leaves(name, record.id).first, winner.deleted
      else { return false }
      return generation <= winner.rev.generation ?? 0
    },
    remembering(
      "paths-as-they-came", "TREE-009",
      sentence: "Ancestors below the end of a truncated path are forgotten.",
      answer: { operation, outcome, _, memory in
        switch (operation.action, outcome) {
        case (.insertRevisions(let records), .ok):
          for record in records {
            guard let tip = record.path.first else { continue }
            memory.paths[operation.key(record.id.text, tip.text)] = record.path
          }
        case (.getRevisions, .ok(let result)):
          let paths = memory.paths
          return .ok(
            result.mapRecords { record in
              guard let tip = record.path.first,
                let came = paths[operation.key(record.id.text, tip.text)]
              else { return }
              record.path = Array(record.path.prefix(came.count))
            })
        default: break
        }
        return outcome
      }),
    answering(
      "late-tombstones-live", "TREE-012",
      sentence: "A tombstone whose body arrives late is read as a live revision."
    ) { operation, result, store throws(HarnessError) in
      guard case .document(var document) = result,
        try !store.leaves(operation.store, document.id).contains(where: { $0.rev == document.rev })
      else { return .ok(result) }
      document.deleted = false
      return .ok(.document(document))
    },
    dropping(
      "suffixes-once-each", "TREE-010",
      sentence: "A suffix that a leaf of another generation has is taken for the same revision."
    ) { record, name, store throws(HarnessError) in
      guard let tip = record.path.first else { return false }
      return try store.leaves(name, record.id).contains {
        $0.rev.suffix == tip.suffix && $0.rev != tip
      }
    },
    answering(
      "flags-by-suffix", "TREE-010",
      sentence: "A tombstone is live if an ancestor has the same suffix."
    ) { operation, result, store throws(HarnessError) in
      guard case .leaves(let id) = operation.action, case .leaves(var leaves) = result else {
        return .ok(result)
      }
      for place in leaves.indices where leaves[place].deleted {
        let rev = leaves[place].rev
        let ancestors = try store.path(operation.store, id, rev: rev).dropFirst()
        if ancestors.contains(where: { $0.suffix == rev.suffix }) { leaves[place].deleted = false }
      }
      return .ok(.leaves(leaves))
    },
    remembering(
      "late-ancestors-are-leaves", "TREE-014",
      sentence: "An ancestor whose body arrives after its descendants becomes a leaf.",
      hear: { operation, store, memory throws(HarnessError) in
        guard case .insertRevisions(let records) = operation.action else { return operation }
        for record in records {
          guard let tip = record.path.first else { continue }
          let key = operation.key(record.id.text, tip.text)
          let isKnown = try store.missing(operation.store, record.id, revs: [tip]).isEmpty
          if memory.paths.updateValue(record.path, forKey: key) == nil, isKnown,
            try !store.leaves(operation.store, record.id).contains(where: { $0.rev == tip })
          {
            memory.marks.insert(key)
          }
        }
        return operation
      },
      answer: { operation, outcome, _, memory in
        guard case .leaves(let id) = operation.action, case .ok(.leaves(let leaves)) = outcome
        else { return outcome }
        let late = memory.marks.filter { $0.starts(with: operation.key(id.text)) }
        return .ok(.leaves(leaves + late.map { Leaf(rev: RevisionID($0[2])) }))
      }),
    mishearing(
      "tombstones-have-no-children", "TREE-016",
      sentence:
        "A child of a deleted leaf becomes a root, and the tombstone stays a leaf."
    ) { operation, store throws(HarnessError) in
      try operation.mapRecords { (record) throws(HarnessError) in
        let dead = try store.leaves(operation.store, record.id).filter { $0.deleted }
        guard let place = record.path.firstIndex(where: { rev in dead.contains { $0.rev == rev } }),
          place > 0
        else { return }
        record.path.removeSubrange(place...)
      }
    },
  ]
}
