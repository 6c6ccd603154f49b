#if HTTP
  import Collections
  import Conformance
  import Datastore
  import ObjectOperations
  import ReferenceDatastore
  import Testing
  import TouchstoneKit

  /// The vectors of collections, whose clients reach the backend through a socket.
  struct CollectionVectorsTests {
    /// The servers of the backends of one run.
    private final class Servers {
      var all: [ServedBackend] = []

      func connect(_ backend: CollectionBackend) throws(HarnessError) -> any BackendEndpoint {
        do {
          let served = try ServedBackend(backend)
          all.append(served)
          return try served.client()
        } catch {
          throw HarnessError("no server for the backend: \(error)")
        }
      }
    }

    private static func vectors() throws -> [CorpusVector] {
      try Corpus.standard().vectors.filter { $0.vector.capabilities.contains(.collections) }
    }

    @Test func allVectorsPassOverASocket() throws {
      var requests = 0
      for vector in try Self.vectors() {
        let servers = Servers()
        let datastore = CollectionDatastore(
          ContextDatastore(ReferenceDatastore()), connect: servers.connect)
        do { try vector.check(datastore) } catch { Issue.record("\(vector.id): \(error)") }
        requests += servers.all.reduce(0) { $0 + $1.requests.count }
      }
      #expect(try Self.vectors().count >= 80)
      #expect(requests >= 400)
    }
  }
#endif
