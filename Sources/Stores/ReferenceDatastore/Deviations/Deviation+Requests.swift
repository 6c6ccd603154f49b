internal import Datastore
internal import JSON

// Deviations in the arguments that a store accepts.

extension Deviation {
  static let requests: [Deviation] = [
    Deviation(
      "negative-limit-ignored", "The store ignores a negative limit of `changes`.",
      breaks: ["CHG-007"], of: [.couchDB],
      .request { operation, _ in
        guard case .changes(let since, let limit?) = operation.action, limit < 0 else { return nil }
        return StoreOperation(operation.store, .changes(since: since))
      }),
    Deviation(
      "smallest-double-is-0", "The store reads the number 5e-324 as 0.",
      breaks: ["NUM-002"], of: [.couchDB],
      .request { operation, _ in
        let action = operation.action.mappingBodies { body in
          body.mappingDoubles { $0.magnitude == .leastNonzeroMagnitude ? 0 : $0 }
        }
        return StoreOperation(operation.store, action)
      }),
    Deviation(
      "special-members-removed-from-records",
      "The store removes the special members of CouchDB from the body of a record instead of "
        + "rejecting the record.",
      breaks: ["BODY-002"], of: [.cdtDatastore],
      .request { operation, _ in
        guard case .insertRevisions = operation.action else { return nil }
        let action = operation.action.mappingBodies { body in
          guard let object = body.objectValue else { return body }
          let kept = object.members.filter { !specialMembers.contains($0.name) }
          return .object(JSONObject(kept.map { ($0.name, $0.value) }))
        }
        return StoreOperation(operation.store, action)
      }),
    Deviation(
      "names-of-extensions-rejected", "The store rejects a store name that ends in `_extensions`.",
      breaks: ["NAME-001"], of: [.cdtDatastore],
      .response { performance in
        guard case .open = performance.operation.action,
          performance.operation.store.text.utf8.reversed().starts(
            with: "_extensions".utf8.reversed())
        else { return }
        performance.fail(.badName)
      }),
    Deviation(
      "find-limit-0-ignored", "The store ignores a limit of 0 of `find`.",
      breaks: ["FIND-024"], of: [.cdtDatastore],
      .request { operation, _ in
        guard case .finding(.find(var request)) = operation.action, request.limit == 0 else {
          return nil
        }
        request.limit = nil
        return StoreOperation(operation.store, .finding(.find(request)))
      }),
    Deviation(
      "failed-stub-fails-all-records",
      "A record with a missing stub fails the whole `insertRevisions`, which then stores nothing.",
      breaks: ["ATT-022", "REC-005"], of: [.couchDB],
      .response { performance in
        guard case .inserted(let results)? = performance.result,
          results.contains(where: { $0?.kind == .missingStub })
        else { return }
        performance.fail(.missingStub)
      }),
  ]

  private static let specialMembers: Set<JSONString> = [
    "_id", "_rev", "_attachments", "_deleted", "_revisions", "_revs_info", "_conflicts",
    "_deleted_conflicts", "_local_seq",
  ]
}
