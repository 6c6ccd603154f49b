internal import Datastore
internal import ReferenceDatastore
internal import Replication

extension LegitimateVariant {
  /// Stores that cannot perform a part of what they offer, and declare it.
  static let restrictions: [LegitimateVariant] = [
    LegitimateVariant(
      "find-without-sort", "Queries with a sort are unsupported.",
      telling: "find-sort-keys"
    ) { WithoutSort() },
    LegitimateVariant(
      "changes-from-start", "The feed is always read from its start.",
      telling: "changes-row-sequence-is-a-position"
    ) { WithoutSince() },
    LegitimateVariant(
      "history-limit-at-creation", "Only a new store accepts a history limit.",
      telling: "history-limit-raised"
    ) { LimitAtCreation() },
    LegitimateVariant(
      "own-digests", "Attachments have no SHA-256 digests.",
      telling: "attachment-bad-digest"
    ) { WithoutDigests() },
    LegitimateVariant(
      "purge-moves-no-row", "A purge leaves the rows of the feed where they are.",
      telling: "dense-changes-purge-moves-row"
    ) { UnmovedRows() },
    LegitimateVariant(
      "checkpoints-on-one-side",
      "The store's own replicator writes checkpoints at the source only.",
      telling: "session-target-forgets-checkpoint",
      makeStore: {
        ReplicatingDatastore(
          VariedDatastore(
            ReferenceDatastore(), DeclaredCheckpoints()),
          makeMachine: { OneSidedReplicator($0) })
      }),
  ]
}

/// Rejects queries with a sort.
private struct WithoutSort: Variation {
  func describe(_ description: inout ImplementationDescription) {
    description.restrictions = [.findWithoutSort]
  }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    switch operation.action {
    case .finding(.find(let request)) where !request.sort.isEmpty,
      .finding(.explain(let request)) where !request.sort.isEmpty:
      .unsupported("sort")
    default: store.perform(operation, environment)
    }
  }
}

/// Rejects requests for changes after a sequence.
private struct WithoutSince: Variation {
  func describe(_ description: inout ImplementationDescription) {
    description.restrictions = [.changesFromStart]
  }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    if case .changes(_?, _) = operation.action { return .unsupported("since") }
    return store.perform(operation, environment)
  }
}

/// Rejects a history limit after any other operation on a new store.
private struct LimitAtCreation: Variation {
  private var used: Set<StoreName> = []

  func describe(_ description: inout ImplementationDescription) {
    description.restrictions = [.historyLimitAtCreation]
  }

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    switch operation.action {
    case .open: break
    case .destroy: used.remove(operation.store)
    case .historyLimit where used.contains(operation.store): return .unsupported("historyLimit")
    default: used.insert(operation.store)
    }
    return store.perform(operation, environment)
  }

  mutating func forget() { used = [] }
}

/// Returns attachments without digests, and rejects operations with one.
private struct WithoutDigests: Variation {
  func describe(_ description: inout ImplementationDescription) {
    description.restrictions = [.ownDigests]
    description.capabilities.remove(.attachmentPieces)
  }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    let action = operation.action
    guard !action.capabilities.contains(.attachmentPieces) else {
      return .unsupported(action.name)
    }
    guard action == action.within([.ownDigests]) else { return .unsupported("digest") }
    let outcome = store.perform(operation, environment)
    guard case .ok(let result) = outcome else { return outcome }
    return .ok(Self.withoutDigests(result))
  }

  private static func withoutDigests(_ result: OperationResult) -> OperationResult {
    switch result {
    case .document(var document):
      document.attachments = document.attachments.withoutDigests
      return .document(document)
    case .attachment(var piece):
      piece.attachment.digest = nil
      return .attachment(piece)
    case .revisions(let answers):
      return .revisions(
        answers.map { answer in
          guard case .records(var records) = answer.found else { return answer }
          for place in records.indices {
            records[place].attachments = records[place].attachments.withoutDigests
          }
          return RevisionAnswer(id: answer.id, rev: answer.rev, found: .records(records))
        })
    default: return result
    }
  }
}

/// Omits rows from later pages of the feed whose latest change was a purge, and shows them early in
/// the whole feed.
private struct UnmovedRows: Variation {
  /// The sequences of these rows.
  private var purged: [StoreName: [DocumentID: UpdateSequence]] = [:]

  func describe(_ description: inout ImplementationDescription) {
    description.restrictions = [.purgeMovesNoRow]
  }

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    let outcome = store.perform(operation, environment)
    switch (operation.action, outcome) {
    case (.purge(let id, _), .ok):
      let feed = store.perform(StoreOperation(operation.store, .changes()), environment)
      if case .ok(.changes(let page)) = feed {
        purged[operation.store, default: [:]][id] = page.rows.first { $0.id == id }?.seq
      }
    case (.changes(let since, let limit), .ok(.changes(var page))):
      let unmoved = page.rows.filter { purged[operation.store]?[$0.id] == $0.seq }
      page.rows.removeAll { unmoved.contains($0) }
      if since == nil, limit == nil { page.rows = unmoved + page.rows }
      return .ok(.changes(page))
    default: break
    }
    return outcome
  }

  mutating func forget() { purged = [:] }
}

/// Declares the checkpoints of a replicator above.
private struct DeclaredCheckpoints: Variation {
  func describe(_ description: inout ImplementationDescription) {
    description.restrictions = [.checkpointsOnOneSide]
  }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    store.perform(operation, environment)
  }
}

extension Outcome {
  /// The outcome of an operation that the store cannot perform.
  fileprivate static func unsupported(_ what: String) -> Outcome {
    .error(DatastoreError(.unsupported(what: what)))
  }
}
