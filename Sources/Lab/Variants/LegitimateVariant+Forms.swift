internal import Datastore
internal import JSON
internal import ReferenceDatastore

extension LegitimateVariant {
  /// Other orders of lists without an order.
  static let orders: [LegitimateVariant] = [
    LegitimateVariant(
      "leaves-reversed", "Losing leaves are listed in the reverse order.",
      telling: "resolve-keep-loser"
    ) {
      VaryingResults { _, result in
        switch result {
        case .leaves(let leaves): return .leaves(leaves.reversedAfterFirst)
        case .changes(var page):
          for place in page.rows.indices {
            page.rows[place].leaves = Leaves(page.rows[place].leaves.array.reversedAfterFirst)
          }
          return .changes(page)
        default: return result
        }
      }
    },
    LegitimateVariant(
      "differences-reversed", "Missing revisions are listed in reverse.",
      telling: "history-limit-middle-leaf"
    ) {
      VaryingResults { _, result in
        guard case .revsDiff(let differences) = result else { return result }
        return .revsDiff(
          differences.reversed().map { difference in
            var difference = difference
            difference.missing.reverse()
            difference.possibleAncestors.reverse()
            return difference
          })
      }
    },
    LegitimateVariant(
      "writes-reversed", "Tombstones and purged revisions come in reverse.",
      telling: "resolve-leaves-as-set"
    ) {
      VaryingResults { _, result in
        switch result {
        case .resolved(let rev, let tombstones):
          .resolved(rev: rev, tombstones: tombstones.reversed())
        case .purged(let revs): .purged(revs.reversed())
        default: result
        }
      }
    },
    LegitimateVariant(
      "records-reversed", "The latest leaves of a revision come in reverse.",
      telling: "record-latest-descendants"
    ) {
      VaryingResults { operation, result in
        guard case .getRevisions(let queries) = operation.action,
          case .revisions(var answers) = result
        else { return result }
        let latest = queries.flatMap { query in query.revs.map { _ in query.latest } }
        for (place, isLatest) in zip(answers.indices, latest) where isLatest {
          guard case .records(let records) = answers[place].found else { continue }
          answers[place].found = .records(records.reversed())
        }
        return .revisions(answers)
      }
    },
  ]

  /// Other forms of bodies and messages.
  static let bodies: [LegitimateVariant] = [
    LegitimateVariant(
      "members-reversed", "Members of bodies are in the reverse order.",
      telling: "body-many-members"
    ) {
      VaryingResults { _, result in
        switch result {
        case .document(var document):
          document.body = document.body.reversedMembers
          return .document(document)
        case .local(let body): return .local(body: body.reversedMembers)
        case .revisions(let answers):
          return .revisions(
            answers.map { answer in
              guard case .records(var records) = answer.found else { return answer }
              for place in records.indices {
                records[place].body = records[place].body.reversedMembers
              }
              return RevisionAnswer(id: answer.id, rev: answer.rev, found: .records(records))
            })
        default: return result
        }
      }
    },
    LegitimateVariant(
      "errors-bare", "Errors have no message.",
      telling: "batch-first-fails"
    ) { Messages(text: "") },
    LegitimateVariant(
      "errors-explained", "Errors have long messages.",
      telling: "batch-first-fails"
    ) {
      Messages(text: String(repeating: "é \"\u{1f4a5}\" ", count: 100))
    },
  ]
}

/// Replaces the messages of errors.
private struct Messages: Variation {
  let text: String

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    switch store.perform(operation, environment) {
    case .error(var error):
      error.message = text
      return .error(error)
    case .ok(.inserted(let errors)):
      return .ok(
        .inserted(
          errors.map { error in
            guard var error else { return nil }
            error.message = text
            return error
          }))
    case let outcome: return outcome
    }
  }
}

extension Array {
  /// The first element, and the others in the reverse order.
  fileprivate var reversedAfterFirst: [Element] { prefix(1) + dropFirst().reversed() }
}

extension JSONValue {
  fileprivate var reversedMembers: JSONValue {
    guard let object = objectValue else { return self }
    return .object(JSONObject(object.members.reversed().map { ($0.name, $0.value) }))
  }
}
