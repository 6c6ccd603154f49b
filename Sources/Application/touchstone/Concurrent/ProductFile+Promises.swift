internal import ConcurrentClients
internal import Diagnosis
internal import ReferenceDatastore

extension ProductFile {
  /// The guarantees about several clients that the product does not give, by its deviations.
  var missingPromises: Set<ConsistencyPromise> {
    var missing: Set<ConsistencyPromise> = []
    for deviation in deviations {
      if deviation.mayAnswerStale { missing.formUnion(ConsistencyPromise.allCases) }
      missing.formUnion(deviation.missingPromises.compactMap { ConsistencyPromise(rawValue: $0) })
    }
    return missing
  }
}
