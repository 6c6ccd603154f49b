internal import JSON

/// An exchange whose client, database and resource are known.
final class Flow {
  let exchange: Exchange
  let place: Place
  let target: RequestTarget
  let endpoint: RequestTarget.Endpoint
  let client: ClientState
  let database: DatabaseState
  /// The time of the request in the order of requests and responses.
  let tick: Int32
  /// The feed of a request for changes.
  var feed: Feed?

  init(
    _ exchange: Exchange, at place: Place, tick: Int32, target: RequestTarget,
    endpoint: RequestTarget.Endpoint, client: ClientState, database: DatabaseState
  ) {
    self.exchange = exchange
    self.place = place
    self.tick = tick
    self.target = target
    self.endpoint = endpoint
    self.client = client
    self.database = database
  }

  var method: JSONString { exchange.request.method }
  var contact: Contact { client.contact(database) }
  var requestBody: JSONObject? { exchange.request.body.json?.objectValue }
  var status: Int64 { exchange.response?.status ?? 0 }
  var isSuccess: Bool { (200...299).contains(status) }
}
