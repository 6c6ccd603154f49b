internal import Datastore
internal import ReferenceDatastore

extension LegitimateVariant {
  /// Other pages of the feed, which are permitted without the profile `dense-changes`.
  static let pages: [LegitimateVariant] = [
    LegitimateVariant(
      "pages-short", "A page of fewer than 1,000 requested rows has at most half of them.",
      telling: "pouchdb-replication-1"
    ) {
      ShortPages()
    },
    LegitimateVariant(
      "changes-repeated", "A page of the feed begins with a known row.",
      telling: "changes-row-sequence-is-a-position"
    ) {
      RepeatedChanges()
    },
  ]
}

/// Cuts a page with a limit, and returns the rest with the next one. Without a limit every row is
/// returned, and a request of 1,000 rows is served (SIZE-008).
private struct ShortPages: Variation {
  func describe(_ description: inout ImplementationDescription) {
    description.profiles.remove(.denseChanges)
  }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    guard case .changes(let since, let limit?) = operation.action, (2...999).contains(limit) else {
      return store.perform(operation, environment)
    }
    return store.perform(
      StoreOperation(operation.store, .changes(since: since, limit: limit / 2)), environment)
  }
}

/// Begins a page after the sequence of a row with this row again. A page with a limit of 1 repeats
/// nothing, because the feed would never end.
private struct RepeatedChanges: Variation {
  /// The sequence before each returned one; nil before the first.
  private var before: [StoreName: [UpdateSequence: UpdateSequence?]] = [:]

  func describe(_ description: inout ImplementationDescription) {
    description.profiles.remove(.denseChanges)
  }

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    guard case .changes(var since, let limit) = operation.action else {
      return store.perform(operation, environment)
    }
    if let given = since, limit ?? 2 > 1, let earlier = before[operation.store]?[given] {
      since = earlier
    }
    let outcome = store.perform(
      StoreOperation(operation.store, .changes(since: since, limit: limit)), environment)
    guard case .ok(.changes(let page)) = outcome else { return outcome }
    var earlier = since
    for row in page.rows {
      before[operation.store, default: [:]][row.seq] = .some(earlier)
      earlier = row.seq
    }
    return outcome
  }

  mutating func forget() { before = [:] }
}
