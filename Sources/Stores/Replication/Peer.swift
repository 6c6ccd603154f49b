public import Datastore

/// Answers the requests of replicators for one store of any implementation.
///
/// The peer adds nothing to the store but the filter of `changes`; it keeps no state, so that any
/// number of replicators can ask it at the same time.
public struct Peer {
  public let implementation: any ImplementationUnderTest
  public let store: StoreName

  public init(_ implementation: any ImplementationUnderTest, store: StoreName) {
    self.implementation = implementation
    self.store = store
  }

  /// Performs the request; nil when the store does not know what came of it.
  public func answer(
    _ request: PeerRequest, _ environment: RunEnvironment
  ) throws(HarnessError) -> PeerResponse? {
    let operation = StoreOperation(store, request.action)
    return Self.response(to: request, try implementation.perform(operation, environment))
  }

  /// The outcome as the answer to a request, with the filter applied; nil when nobody knows it.
  public static func response(to request: PeerRequest, _ outcome: Outcome) -> PeerResponse? {
    switch outcome {
    case .unknown: return nil
    case .error(let error): return .refused(error)
    case .ok(.changes(var page)):
      guard case .changes(_, _, let filter?) = request else { return .ok(.changes(page)) }
      page.rows = page.rows.compactMap { row in
        var row = row
        row.leaves.array.removeAll { !filter.mayAdmit(row.id, $0) }
        return row.leaves.isEmpty ? nil : row
      }
      return .ok(.changes(page))
    case .ok(let result): return .ok(result)
    }
  }
}
