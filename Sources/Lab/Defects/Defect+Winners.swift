internal import Datastore
internal import JSON

// Mutants in the choice of the winner.

extension Defect {
  static let winners: [Defect] = [
    answering(
      "long-tombstones-win", "WIN-001",
      sentence: "A tombstone two generations above a live leaf wins."
    ) { operation, result, store throws(HarnessError) in
      guard case .read(let id, nil) = operation.action, case .document(let winner) = result,
        let generation = winner.rev.generation
      else { return .ok(result) }
      let isBeaten = try store.leaves(operation.store, id).contains {
        $0.deleted && $0.rev.generation ?? 0 >= generation + 2
      }
      return isBeaten ? .error(DatastoreError(.notFound(.deleted))) : .ok(result)
    },
    answering(
      "tombstones-by-suffix", "WIN-002",
      sentence: "Of several tombstones the one with the higher suffix wins."
    ) { _, result, _ in
      guard case .leaves(var leaves) = result, leaves.allSatisfy({ $0.deleted }) else {
        return .ok(result)
      }
      leaves.sort { $1.rev.suffix.isBelow($0.rev.suffix) }
      return .ok(.leaves(leaves))
    },
    answering(
      "leaves-lower-suffix-first", "WIN-003",
      sentence: "Of two live leaves of one generation the one with the lower suffix is first."
    ) { _, result, _ in
      guard case .leaves(var leaves) = result, leaves.count > 1, !leaves[1].deleted,
        leaves[0].rev.generation == leaves[1].rev.generation
      else { return .ok(result) }
      leaves.swapAt(0, 1)
      return .ok(.leaves(leaves))
    },
    answering(
      "longer-history-wins", "WIN-004",
      sentence: "Of two live leaves the one with the longer history wins."
    ) { operation, result, store throws(HarnessError) in
      guard case .leaves(let id) = operation.action, case .leaves(var leaves) = result,
        leaves.count > 1, !leaves[1].deleted,
        try store.path(operation.store, id, rev: leaves[0].rev).count
          < store.path(operation.store, id, rev: leaves[1].rev).count
      else { return .ok(result) }
      leaves.swapAt(0, 1)
      return .ok(.leaves(leaves))
    },

    remembering(
      "deleted-ancestors-win", "WIN-005",
      sentence: "A revision that arrives together with its tombstone may still win.",
      answer: { operation, outcome, store, memory throws(HarnessError) in
        switch (operation.action, outcome) {
        case (.insertRevisions(let records), .ok):
          for live in records where !live.deleted {
            guard let tip = live.path.first else { continue }
            let isDeleted = records.contains {
              $0.deleted && $0.id == live.id && $0.path.dropFirst().contains(tip)
            }
            if isDeleted { memory.marks.insert(operation.key(live.id.text, tip.text)) }
          }
        case (.read(let id, nil), .ok(.document(let winner))):
          let better = memory.marks.filter { mark in
            let rev = RevisionID(mark[2])
            return mark.starts(with: operation.key(id.text))
              && rev.generation == winner.rev.generation && winner.rev.suffix.isBelow(rev.suffix)
          }
          if let mark = better.first {
            return try store.ask(operation.store, .read(id: id, rev: RevisionID(mark[2])))
          }
        default: break
        }
        return outcome
      }),
    remembering(
      "deleted-winner-ends-document", "WIN-006",
      sentence: "A document whose winner was deleted reads as deleted, despite other live leaves.",
      hear: { operation, store, memory throws(HarnessError) in
        if case .delete(let id, let rev, _) = operation.action,
          case let leaves = try store.leaves(operation.store, id), leaves.count > 1,
          leaves[0].rev == rev
        {
          memory.marks.insert(operation.key(id.text))
        }
        return operation
      },
      answer: { operation, outcome, _, memory in
        guard case .read(let id, nil) = operation.action, case .ok = outcome,
          memory.marks.contains(operation.key(id.text))
        else { return outcome }
        return .error(DatastoreError(.notFound(.deleted)))
      }),
  ]
}
