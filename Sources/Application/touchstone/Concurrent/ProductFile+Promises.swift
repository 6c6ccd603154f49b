internal import ConcurrentClients
internal import Diagnosis
internal import ReferenceDatastore

extension ProductFile {
  /// The guarantees about several clients that the product does not give, by its deviations.
  var missingPromises: Set<ConsistencyPromise> {
    deviations.contains(where: \.mayAnswerStale) ? Set(ConsistencyPromise.allCases) : []
  }
}
