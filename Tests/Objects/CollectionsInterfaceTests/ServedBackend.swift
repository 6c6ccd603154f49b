#if HTTP
  import Collections
  import CollectionsInterface
  import Datastore
  import HTTPClient
  import HTTPServer
  import JSON
  import ReferenceDatastore
  import Synchronization

  /// A backend behind Kinvey's REST interface on a port of its own, whose connections can be cut.
  final class ServedBackend: Sendable {
    private let server: HTTPServer
    private let log: RequestLog

    /// The requests so far, as `GET /appdata/…`.
    var requests: [String] { log.lines.withLock { $0 } }
    var url: String { "http://127.0.0.1:\(server.port)" }

    private final class RequestLog: Sendable {
      let lines = Mutex<[String]>([])
    }

    /// - Parameter isCut: whether the connection of a performed request is cut before the response.
    init(
      _ backend: CollectionBackend, _ options: CollectionService.Options = Options(),
      isCut: @escaping @Sendable (_ line: String) -> Bool = { _ in false }
    ) throws(HTTPServerFailure) {
      let service = CollectionService(backend, options)
      let log = RequestLog()
      self.log = log
      server = try HTTPServer { request in
        let line = "\(request.method) \(request.target)"
        log.lines.withLock { $0.append(line) }
        let response = service.response(to: request)
        return isCut(line) ? nil : response
      }
    }

    typealias Options = CollectionService.Options

    deinit { server.stop() }

    func client(
      _ credentials: Credentials? = nil, limitSeconds: Int = 20
    ) throws(HTTPFailure) -> ServerBackend {
      try ServerBackend(
        url: url, appKey: Options().appKey, credentials: credentials, limitSeconds: limitSeconds)
    }
  }

  extension CollectionBackend {
    /// A backend on a new store.
    static func new() -> CollectionBackend {
      let store = ReferenceDatastore()
      _ = store.perform(StoreOperation("backend", .open()), RunEnvironment(seed: 1))
      return CollectionBackend(store, store: "backend")
    }
  }
#endif
