internal import ConcurrentClients
internal import Diagnosis
internal import ReferenceDatastore

extension ProductFile {
  /// Deviations that one client can see, and that change what several clients see.
  private static let promises: [Deviation.ID: Set<ConsistencyPromise>] = [
    "edit-of-unknown-document-accepted": [.purges], "purge-keeps-live-flag": [.purges],
    "limit-cuts-at-refused-edit": [.limits],
  ]

  /// The guarantees about several clients that the product does not give, by its deviations.
  var missingPromises: Set<ConsistencyPromise> {
    var missing: Set<ConsistencyPromise> = []
    for deviation in deviations {
      if deviation.mayAnswerStale { missing.formUnion(ConsistencyPromise.allCases) }
      missing.formUnion(deviation.missingPromises.compactMap { ConsistencyPromise(rawValue: $0) })
      missing.formUnion(Self.promises[deviation.id] ?? [])
    }
    return missing
  }
}
