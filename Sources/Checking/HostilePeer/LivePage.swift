#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Replication
  internal import Synchronization

  /// A page with the current exchanges, which updates itself.
  enum LivePage {
    static let page = ServerResponse(
      200,
      headers: [
        ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
        (
          "Content-Security-Policy",
          "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"
        ),
      ], body: PackageResources.LivePage_html)

    private static let pauseMicroseconds: UInt32 = 500_000
    /// Pauses without an exchange after which a comment shows that the connection is open.
    private static let pausesPerComment = 20
    private static let itemsMax = 60
    private static let conflictsMax = 8

    /// The data of the page: an event after each half second in which something happened.
    static func events(
      _ peer: HostilePeer, _ control: ControlEndpoint, as request: ServerRequest
    ) -> ServerResponse {
      let shown = Mutex<Int?>(nil)
      return ServerResponse(
        200,
        headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]
      ) {
        for _ in 0..<pausesPerComment {
          guard !peer.log.isClosed else { return .end }
          let version = peer.log.version
          let isNew = shown.withLock { shown in
            defer { shown = version }
            return shown != version
          }
          if isNew {
            return .bytes(
              Array("data: ".utf8) + data(peer, control, as: request).serializedBytes()
                + Array("\n\n".utf8))
          }
          BackgroundThread.pause(microseconds: pauseMicroseconds)
        }
        return .bytes(Array(":\n\n".utf8))
      }
    }

    /// The current state, as the page reads it.
    private static func data(
      _ peer: HostilePeer, _ control: ControlEndpoint, as request: ServerRequest
    ) -> JSONValue {
      let recent = peer.log.recent
      var clients: [String] = []
      for exchange in recent where !clients.contains(exchange.client) {
        clients.append(exchange.client)
      }
      let lanes = clients.map { client -> JSONValue in
        let items = recent.filter { $0.client == client }.suffix(itemsMax).map { item($0) }
        return ["client": .text(client), "items": .array(items)]
      }
      let faults = peer.log.faults
      let listed = WireFault.allCases.compactMap { fault -> JSONValue? in
        guard let count = faults[fault] else { return nil }
        return [
          "name": .text(fault.rawValue), "words": .text(fault.words),
          "count": .integer(Int64(count)),
        ]
      }
      let names = (peer.send("GET", "/_all_dbs", as: request)?.body.arrayValue ?? [])
        .compactMap { $0.textValue }.filter { $0.utf8.first != UInt8(ascii: "_") }
      var conflicts: [JSONValue] = []
      for name in names where conflicts.count < conflictsMax {
        conflicts += trees(of: name, peer, request).prefix(conflictsMax - conflicts.count)
      }
      var verdict = JSONValue.null
      if peer.log.tracksWrites {
        let found = control.verdict(headers: request.headers)
        verdict = ["passed": .bool(found.isPassed), "text": .text(found.text)]
      }
      return [
        "requests": .integer(Int64(peer.log.count)), "plan": .text(peer.plan.text),
        "lanes": .array(lanes), "faults": .array(listed), "verdict": verdict,
        "databases": .array(names.map { .string($0) }), "conflicts": .array(conflicts),
      ]
    }

    private static func item(_ exchange: Exchange) -> JSONValue {
      let took = exchange.endMilliseconds - exchange.startMilliseconds
      return [
        "n": .integer(Int64(exchange.number)), "kind": .text(RequestKind(exchange.request).name),
        "status": .integer(Int64(exchange.response?.status ?? 0)),
        "fault": exchange.fault.map { .text($0.rawValue) } ?? .null,
        "ms": .integer(Int64(exchange.startMilliseconds)), "took": .integer(Int64(took)),
      ]
    }

    /// The documents with conflicts among the latest changes, with the path of each leaf.
    private static func trees(
      of database: JSONString, _ peer: HostilePeer, _ request: ServerRequest
    ) -> [JSONValue] {
      let name = database.percentEncoded
      let target = "/\(name)/_changes?style=all_docs&descending=true&limit=200"
      let rows = peer.send("GET", target, as: request)?.body.objectValue?["results"]?.arrayValue
      var found: [JSONValue] = []
      for row in rows ?? [] where found.count < conflictsMax {
        guard let object = row.objectValue, let id = object["id"]?.textValue,
          let changes = object["changes"]?.arrayValue, changes.count > 1
        else { continue }
        let winner = changes.first?.objectValue?["rev"]
        let path = "/\(name)/\(id.percentEncoded)?open_revs=all&revs=true"
        let leaves = peer.send("GET", path, as: request)?.body.arrayValue ?? []
        found.append([
          "database": .string(database), "id": .string(id),
          "leaves": .array(leaves.compactMap { leaf(of: $0, winner: winner) }),
        ])
      }
      return found
    }

    private static func leaf(of entry: JSONValue, winner: JSONValue?) -> JSONValue? {
      guard let document = entry.objectValue?["ok"]?.objectValue, let rev = document["_rev"],
        let revisions = document["_revisions"]?.objectValue,
        let start = revisions["start"]?.integerValue, let ids = revisions["ids"]?.arrayValue
      else { return nil }
      let path = ids.prefix(30).enumerated().map { place, id -> JSONValue in
        .text("\(start - Int64(place))-\(id.textValue?.string ?? "")")
      }
      return [
        "path": .array(path), "winner": .bool(rev == winner),
        "deleted": .bool(document["_deleted"] == true),
      ]
    }
  }
#endif
