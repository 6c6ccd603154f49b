#if HTTP
  internal import CouchDBInterface
  internal import Datastore
  internal import HTTPClient
  internal import HTTPPeer
  internal import HTTPServer
  internal import JSON
  internal import Replication
  internal import SQLiteDatastore

  /// One session that transfers all documents between two servers over loopback.
  ///
  /// The servers are in this process, each with its own connections to the files. The baseline is that
  /// of a session without servers.
  final class ServedReplicationContest: Contest {
    private let direct: ReplicationContest
    private let workbench: Workbench
    /// The servers of the current run: they hold the stores open, which only their owner may empty.
    private var servers: [HTTPServer] = []
    private var services: [CouchDBService] = []

    /// As many documents with a path of two revisions as `count`.
    init(_ workbench: Workbench, count: Int) throws(BenchmarkError) {
      self.workbench = workbench
      direct = try ReplicationContest(workbench, count: count)
    }

    deinit {
      for server in servers { server.stop() }
      for service in services { service.endFeeds() }
    }

    private func startServers() throws(BenchmarkError) {
      for _ in 0..<2 {
        let service = try Self.service(workbench)
        services.append(service)
        do throws(HTTPServerFailure) {
          servers.append(try HTTPServer { service.response(to: $0) })
        } catch {
          throw .storage("\(error)")
        }
      }
    }

    private func stopServers() throws(BenchmarkError) {
      for server in servers { server.stop() }
      do throws(HarnessError) {
        for service in services { try service.stop() }
      } catch {
        throw .harness(error)
      }
      (servers, services) = ([], [])
    }

    private static func service(_ workbench: Workbench) throws(BenchmarkError) -> CouchDBService {
      do throws(HarnessError) {
        return try CouchDBService(SQLiteDatastore(storage: workbench.storage))
      } catch {
        throw .harness(error)
      }
    }

    func prepareStore(run: Int) throws(BenchmarkError) {
      try direct.prepareStore(run: run)
      try startServers()
      // The database of the server is the store itself: it is opened again.
      for (place, name) in ["source", "subject"].enumerated() {
        _ = try peer(place, name, path: "").1.sendOrFail("PUT", "/\(name)")
      }
    }

    private func peer(
      _ place: Int, _ name: String, path: String
    ) throws(BenchmarkError) -> (ServerPeer, HTTPClient) {
      do throws(HTTPFailure) {
        let address = try ServerAddress.reading(
          "http://127.0.0.1:\(servers[place].port)\(path)"
        ).address
        let client = try HTTPClient(address)
        return (ServerPeer(client, database: ""), client)
      } catch {
        throw .storage("\(error)")
      }
    }

    func runStore() throws(BenchmarkError) -> Tally {
      var configuration = ReplicatorConfiguration()
      configuration.pageRows = 1000
      configuration.batchRevisions = 500
      configuration.flushesTarget = true
      let source = try peer(0, "source", path: "/source").0
      let target = try peer(1, "subject", path: "/subject").0
      let report = try workbench.replicate(from: source, to: target, configuration)
      direct.checkpoint = report.checkpoint
      var tally = Tally()
      for _ in 0..<report.processed { tally.addRow() }
      return tally
    }

    func prepareFloor(run: Int) throws(BenchmarkError) {
      try stopServers()
      try direct.prepareFloor(run: run)
    }

    func runFloor() throws(BenchmarkError) -> Tally { try direct.runFloor() }
  }

  extension HTTPClient {
    /// Sends a request; a database that exists already is no failure.
    fileprivate func sendOrFail(
      _ method: JSONString, _ path: String
    ) throws(BenchmarkError) -> HTTPResponse {
      do throws(HTTPFailure) { return try send(HTTPRequest(method, JSONString(path))) } catch {
        throw .storage("\(error)")
      }
    }
  }
#endif
