internal import Datastore
internal import JSON

// Mutants in the operations of replication: differences and records.

extension Defect {
  static let replication: [Defect] = differences + records

  private static let differences: [Defect] = [
    answering(
      "missing-roots-left-out", "DIFF-001",
      sentence: "revsDiff omits a missing root if a later revision is missing, too."
    ) { _, result, _ in
      guard case .revsDiff(var found) = result else { return .ok(result) }
      for place in found.indices where found[place].missing.count > 1 {
        found[place].missing.removeAll { $0.generation == 1 }
      }
      return .ok(.revsDiff(found))
    },
    answering(
      "tombstones-are-missing", "DIFF-002",
      sentence: "revsDiff reports a stored tombstone as missing."
    ) {
      operation, result, store throws(HarnessError) in
      guard case .revsDiff(var found) = result, case .revsDiff(let queries) = operation.action
      else { return .ok(result) }
      for query in queries {
        let dead = try store.leaves(operation.store, query.id).filter {
          $0.deleted && query.revs.contains($0.rev)
        }
        guard !dead.isEmpty else { continue }
        found.append(
          Difference(id: query.id, missing: dead.map { $0.rev }, possibleAncestors: []))
      }
      return .ok(.revsDiff(found))
    },
    answering(
      "complete-documents-listed", "DIFF-005",
      sentence: "revsDiff lists documents with no missing revisions."
    ) { operation, result, _ in
      guard case .revsDiff(let found) = result, case .revsDiff(let queries) = operation.action
      else { return .ok(result) }
      let complete = queries.filter { query in !found.contains { $0.id == query.id } }
      return .ok(
        .revsDiff(
          found + complete.map { Difference(id: $0.id, missing: [], possibleAncestors: []) }))
    },
    remembering(
      "differences-cached", "DIFF-007",
      sentence: "A repeated request of revsDiff returns its earlier result.",
      answer: { operation, outcome, _, memory in
        guard case .revsDiff = operation.action else { return outcome }
        let answer = memory.answers[operation] ?? outcome
        memory.answers[operation] = answer
        return answer
      }),
  ]

  private static let records: [Defect] = [
    answering(
      "tombstones-without-ancestors", "REC-001",
      sentence: "The record of a tombstone has no ancestors."
    ) { _, result, _ in
      guard case .revisions(let answers) = result else { return .ok(result) }
      return .ok(
        .revisions(
          answers.map { answer in
            answer.mapRecords { record in
              if record.deleted, record.path.first == answer.rev {
                record.path = Array(record.path.prefix(1))
              }
            }
          }))
    },
    answering(
      "names-are-unknown", "REC-003",
      sentence: "A stub revision without a body is reported as missing."
    ) { _, result, _ in
      guard case .revisions(let answers) = result else { return .ok(result) }
      return .ok(
        .revisions(
          answers.map {
            $0.found == .bodyMissing ? RevisionAnswer(id: $0.id, rev: $0.rev, found: .missing) : $0
          }))
    },
    answering(
      "repeated-record-is-conflict", "REC-006",
      sentence: "A record repeated in one call is a conflict."
    ) { operation, result, _ in
      guard case .insertRevisions(let records) = operation.action,
        case .inserted(var results) = result
      else { return .ok(result) }
      for place in records.indices where records[..<place].contains(records[place]) {
        results[place] = DatastoreError(.conflict)
      }
      return .ok(.inserted(results))
    },
    answering(
      "ancestor-behind-descendant-refused", "REC-007",
      sentence: "A record of an ancestor after its descendant in one call is refused."
    ) { operation, result, _ in
      guard case .insertRevisions(let records) = operation.action,
        case .inserted(var results) = result
      else { return .ok(result) }
      for (place, record) in records.enumerated() {
        let isLate = records[..<place].contains { earlier in
          earlier.id == record.id && earlier.path.dropFirst().contains { $0 == record.path.first }
        }
        if isLate { results[place] = DatastoreError(.conflict) }
      }
      return .ok(.inserted(results))
    },
    remembering(
      "foreign-edits-lose-ancestors", "REC-009",
      sentence: "A revision from another store arrives without its ancestors.",
      hear: { operation, _, memory in
        operation.mapRecords { record in
          guard let tip = record.path.first,
            let home = memory.paths[[record.id.text, tip.text]],
            home != [RevisionID(operation.store.text)]
          else { return }
          record.path = [tip]
        }
      },
      answer: { operation, outcome, _, memory in
        if case .ok(.written(let id, let rev)) = outcome {
          memory.paths[[id.text, rev.text]] = [RevisionID(operation.store.text)]
        }
        return outcome
      }),
    refusing(
      "empty-path-refuses-call", "REC-010",
      sentence: "A record without a path refuses the whole call."
    ) { operation, _ in
      guard case .insertRevisions(let records) = operation.action else { return nil }
      return records.contains { $0.path.isEmpty } ? .badRevision : nil
    },
  ]
}
