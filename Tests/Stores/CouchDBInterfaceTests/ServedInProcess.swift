#if HTTP
  import CouchDBInterface
  import Datastore
  import HTTPServer
  import JSON
  import ReferenceDatastore
  import WireConformance

  /// A service without sockets.
  final class ServedInProcess: WireTransport {
    let service: CouchDBService

    init(
      _ implementation: any ImplementationUnderTest = ReferenceDatastore(),
      _ options: CouchDBService.Options = CouchDBService.Options()
    ) throws {
      service = try CouchDBService(implementation, options)
    }

    func send(_ request: WireRequest) throws(WireFailure) -> WireResponse {
      var headers: [String: String] = [:]
      for header in request.headers { headers[header.name.string] = header.value.string }
      let response = service.response(
        to: ServerRequest(
          method: request.method.string, target: request.target, headers: headers,
          body: request.body ?? [], connection: 1))
      var body: [UInt8] = []
      switch response.body {
      case .bytes(let bytes): body = bytes
      case .stream(_, let next):
        reading: while true {
          switch next() {
          case .bytes(let bytes): body += bytes
          case .end: break reading
          case .cut: throw .noResponse("the body is cut")
          }
        }
      }
      // libmicrohttpd sends no body to a HEAD request.
      return WireResponse(
        Int64(response.status),
        headers: response.headers.map { WireHeader(JSONString($0.name), JSONString($0.value)) }
          + [WireHeader("content-length", JSONString(String(body.count)))],
        body: request.method == "HEAD" ? [] : body)
    }

    /// The status and the body of a request in JSON.
    func ask(
      _ method: JSONString, _ path: JSONString, _ body: JSONValue? = nil,
      headers: [(JSONString, JSONString)] = [("content-type", "application/json")]
    ) throws -> (status: Int64, body: JSONValue, headers: [WireHeader]) {
      let parts = path.string.split(separator: "?", maxSplits: 1)
      let response = try send(
        WireRequest(
          method, JSONString(String(parts[0])),
          query: parts.count > 1 ? JSONString(String(parts[1])) : nil,
          headers: headers.map { WireHeader($0.0, $0.1) }, body: body?.serializedBytes()))
      return (response.status, (try? JSONValue.parse(response.body)) ?? .null, response.headers)
    }
  }
#endif
