#if HTTP
  import Datastore
  import Foundation
  import HTTPClient
  import JSON

  /// A server that answers as a recorded one did: each request must be the next recorded one.
  final class RecordedServer: HTTPTransport {
    /// A request with its response, as in the files of `Recorded`.
    struct Exchange: Equatable {
      let request: HTTPRequest
      let response: HTTPResponse

      var json: JSONValue { ["request": request.json, "response": response.json] }

      init(_ request: HTTPRequest, _ response: HTTPResponse) {
        (self.request, self.response) = (request, response)
      }

      init(_ json: JSONValue) throws {
        var reader = try ObjectReader(json)
        request = try HTTPRequest(try reader.required("request"), path: "request")
        response = try HTTPResponse(try reader.required("response"), path: "response")
      }
    }

    let address = (try? ServerAddress.reading("http://127.0.0.1:5984").address)!
    private(set) var left: ArraySlice<Exchange>
    /// The first request that differs from the recorded one.
    private(set) var difference: String?

    init(_ exchanges: [Exchange]) { left = exchanges[...] }

    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
      guard let next = left.popFirst(), next.request == request else {
        if difference == nil { difference = request.json.serialized() }
        throw .interrupted("nothing is recorded for this request")
      }
      return next.response
    }
  }

  /// A server whose answers are recorded.
  final class RecordingServer: HTTPTransport {
    private let server: any HTTPTransport
    private(set) var exchanges: [RecordedServer.Exchange] = []

    init(_ server: any HTTPTransport) { self.server = server }

    var address: ServerAddress { server.address }

    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
      var response = try server.send(request)
      // The date differs at each request, and nothing reads it.
      response.headers = [:]
      exchanges.append(RecordedServer.Exchange(request, response))
      return response
    }
  }
#endif
