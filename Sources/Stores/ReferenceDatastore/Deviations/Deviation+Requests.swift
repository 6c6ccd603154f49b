internal import Datastore
internal import JSON

// Deviations in the arguments that a store accepts.

extension Deviation {
  static let requests: [Deviation] = [
    Deviation(
      "negative-limit-ignored", "The store ignores a negative limit of `changes`.",
      breaks: ["CHG-007"], of: [.couchDB],
      effect: .request { operation, _ in
        guard case .changes(let since, let limit?) = operation.action, limit < 0 else { return nil }
        return StoreOperation(operation.store, .changes(since: since))
      }),
    Deviation(
      "negative-list-limit-is-0", "The store reads a negative limit of `list` as 0.",
      breaks: ["LIST-004"], of: [.pouchDB],
      effect: .request { operation, _ in
        guard case .list(let from, let limit?, let descending) = operation.action, limit < 0 else {
          return nil
        }
        return StoreOperation(
          operation.store, .list(from: from, limit: 0, descending: descending))
      }),
    Deviation(
      "smallest-double-is-0", "The store reads the number 5e-324 as 0.",
      breaks: ["NUM-002"], of: [.couchDB],
      effect: .request { operation, _ in
        let action = operation.action.mapping(bodies: { body in
          body.mappingDoubles { $0.magnitude == .leastNonzeroMagnitude ? 0 : $0 }
        })
        return StoreOperation(operation.store, action)
      }),
    Deviation(
      "names-of-extensions-rejected", "The store rejects a store name that ends in `_extensions`.",
      breaks: ["NAME-001"], of: [.cdtDatastore],
      effect: .response { performance in
        guard case .open = performance.operation.action,
          performance.operation.store.text.utf8.reversed().starts(
            with: "_extensions".utf8.reversed())
        else { return }
        performance.fail(.badName)
      }),
    Deviation(
      "find-limit-0-ignored", "The store ignores a limit of 0 of `find`.",
      breaks: ["FIND-024"], of: [.cdtDatastore],
      effect: .request { operation, _ in
        guard case .finding(.find(var request)) = operation.action, request.limit == 0 else {
          return nil
        }
        request.limit = nil
        return StoreOperation(operation.store, .finding(.find(request)))
      }),
    Deviation(
      "find-absent-fields-are-null", "`find` returns null for a requested field that is absent.",
      breaks: ["FIND-025"], of: [.cdtDatastore],
      effect: .response { performance in
        guard case .finding(.find(let request)) = performance.operation.action,
          let fields = request.fields, case .found(.documents(let found))? = performance.result
        else { return }
        // The product allows names of members only, and no paths.
        let names = fields.compactMap { FieldPath($0)?.names }.filter { $0.count == 1 }.map {
          $0[0]
        }
        performance.result = .found(
          .documents(
            found.map { document in
              var document = document
              guard var body = document.body.objectValue else { return document }
              for name in names where body[name] == nil { body[name] = .null }
              document.body = .object(body)
              return document
            }))
      }),
    Deviation(
      "failed-stub-fails-all-records",
      "A record with a missing stub fails the whole `insertRevisions`, which then stores nothing. For "
        + "stubs beside other records of the document this is not predicted.",
      breaks: ["ATT-022", "REC-005"], of: [.couchDB],
      effect: .response { performance in
        guard case .insertRevisions(let records) = performance.operation.action,
          case .inserted(let results)? = performance.result
        else { return }
        // A call with an invalid record is refused, and then each record is a call of its own.
        guard results.allSatisfy({ $0 == nil || $0?.kind == .missingStub }) else { return }
        if results.contains(where: { $0?.kind == .missingStub }) {
          performance.fail(.missingStub)
        } else if records.contains(where: { $0.attachments.contains { $0.content == .stub } }),
          Set(records.map(\.id)).count < records.count
        {
          performance.leaveUnpredictable(
            records.map(\.id), because: "failed-stub-fails-all-records")
        }
      }),
  ]
}
