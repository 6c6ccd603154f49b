#if HTTP
  import CouchDBDatastore
  import Datastore
  import Dispatch
  import HTTPClient
  import HTTPServer
  import JSON
  import Synchronization

  /// A server with CouchDB's interface whose replicator sends the requests of a script.
  final class FakeServer: Sendable {
    /// The requests of the replicator: it receives the address of the remote store, and returns the
    /// response to `_replicate`.
    typealias Script = @Sendable (HTTPClient) -> HTTPResponse

    private let server: HeldRequests
    private let script: Script
    private let sessions = Mutex<[JSONValue]>([])
    private let cancellations = DispatchSemaphore(value: 0)

    init(_ script: @escaping Script) throws {
      server = try HeldRequests()
      self.script = script
      DispatchQueue.global().async { [server, weak self] in
        while let request = server.next(withinMilliseconds: 60_000) {
          guard let self else { return }
          self.answer(request)
        }
      }
    }

    var address: ServerAddress {
      get throws { try ServerAddress.reading("http://127.0.0.1:\(server.port)").address }
    }

    /// The bodies of `_replicate`.
    var started: [JSONValue] { sessions.withLock { $0 } }

    func stop() { server.stop() }

    private func answer(_ request: HeldRequest) {
      switch (request.method, request.target) {
      case ("GET", "/"):
        request.respond(200, ["couchdb": "Welcome", "version": "0"])
      case ("POST", "/_replicate"):
        let body = (try? JSONValue.parse(request.body)) ?? .null
        sessions.withLock { $0.append(body) }
        if body.objectValue?["cancel"] == true {
          cancellations.signal()
          request.respond(200, ["ok": true])
          return
        }
        DispatchQueue.global().async { [script, cancellations] in
          let sides = ["source", "target"].compactMap {
            body.objectValue?[$0]?.objectValue?["url"]?.textValue?.string
          }
          let proxy = sides.first { $0.utf8.count > 0 && $0.contains("/s1/") } ?? ""
          guard let address = try? ServerAddress.reading(proxy).address,
            let client = try? HTTPClient(address, limitSeconds: 30)
          else {
            request.respond(500, ["error": "no remote"])
            return
          }
          var response = script(client)
          if response.status == 0 {
            cancellations.wait()
            response = HTTPResponse(404, body: ["error": "not_found"])
          }
          request.respond(Int(response.status), response.body ?? [:])
        }
      default: request.respond(200, ["ok": true, "instance_start_time": "1"])
      }
    }
  }

  extension HeldRequest {
    fileprivate func respond(_ status: Int, _ body: JSONValue) {
      respond(
        ServerResponse(
          status, headers: [("Content-Type", "application/json")], body: body.serializedBytes()))
    }
  }
#endif
