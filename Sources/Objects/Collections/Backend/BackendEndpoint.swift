public import Datastore

/// The destination of the requests of clients: the backend of this process, or a server.
public protocol BackendEndpoint {
  /// Performs a request, and returns its response or the reason that none arrived.
  ///
  /// - Throws: if no further request can be answered.
  func reply(
    to request: BackendRequest, _ environment: RunEnvironment
  ) throws(HarnessError) -> BackendReply
}

extension CollectionBackend: BackendEndpoint {
  public func reply(
    to request: BackendRequest, _ environment: RunEnvironment
  ) throws(HarnessError) -> BackendReply {
    try answer(request, environment).map { .response($0) } ?? .failure(.timedOut)
  }
}
