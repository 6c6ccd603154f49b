#if HTTP
  internal import HTTPServer
  internal import JSON

  /// The replication runs of a service.
  final class ReplicationJobs: Sendable {
    var tasks: [JSONValue] { [] }
    func stop() {}
  }

  extension ServiceCall {
    func replicate() throws(ServiceError) -> ServerResponse { throw .notImplemented("x") }
    func schedulerJobs() throws(ServiceError) -> ServerResponse { throw .notImplemented("x") }
    func schedulerDocs() throws(ServiceError) -> ServerResponse { throw .notImplemented("x") }
  }
#endif
