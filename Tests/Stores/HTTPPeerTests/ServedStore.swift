#if HTTP
  import CouchDBInterface
  import Datastore
  import HTTPServer
  import JSON
  import ReferenceDatastore
  import Synchronization

  /// A store behind CouchDB's interface on a port of its own, whose connections can be cut.
  final class ServedStore: Sendable {
    /// What happens to a request.
    enum Fate: Sendable {
      case answered
      /// The connection is cut before or after the store performed the request.
      case cut(isPerformed: Bool)
      case replaced(ServerResponse)
    }

    private let service: CouchDBService
    private let server: HTTPServer
    private let count: Counter

    /// The number of requests so far.
    var requestCount: Int { count.value.withLock { $0 } }
    /// The URL of a database that exists.
    var url: String { "http://127.0.0.1:\(server.port)/notes" }

    private final class Counter: Sendable {
      let value = Mutex(0)

      func next() -> Int {
        value.withLock {
          $0 += 1
          return $0
        }
      }
    }

    /// - Parameter fate: by the line of the request and its ordinal, from 1.
    init(
      _ options: CouchDBService.Options = CouchDBService.Options(),
      fate: @escaping @Sendable (_ line: String, _ ordinal: Int) -> Fate = { _, _ in .answered }
    ) throws {
      let service = try CouchDBService(ReferenceDatastore(), options)
      let count = Counter()
      self.service = service
      self.count = count
      server = try HTTPServer { request in
        let ordinal = count.next()
        switch fate("\(request.method) \(request.target)", ordinal) {
        case .answered: return service.response(to: request)
        case .cut(let isPerformed):
          if isPerformed { _ = service.response(to: request) }
          return nil
        case .replaced(let response): return response
        }
      }
    }

    deinit { server.stop() }
  }
#endif
