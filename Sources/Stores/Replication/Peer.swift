public import Datastore

/// Serves the requests of replicators for one store of any implementation.
///
/// The peer adds only the filter of `changes`. It is stateless, so any number of replicators can
/// send requests at the same time.
public struct Peer {
  public let implementation: any ImplementationUnderTest
  public let store: StoreName

  public init(_ implementation: any ImplementationUnderTest, store: StoreName) {
    self.implementation = implementation
    self.store = store
  }

  /// Performs the request; nil if its outcome is unknown.
  public func answer(
    _ request: PeerRequest, _ environment: RunEnvironment
  ) throws(HarnessError) -> PeerResponse? {
    let operation = StoreOperation(store, request.action)
    return Self.response(to: request, try implementation.perform(operation, environment))
  }

  /// The outcome as the response to a request, with the filter applied; nil if it is unknown.
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
