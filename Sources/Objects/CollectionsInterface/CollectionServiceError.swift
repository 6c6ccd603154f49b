#if HTTP
  internal import HTTPServer
  internal import JSON

  /// A response with `error`, `description` and `debug`, as Kinvey has them.
  struct CollectionServiceError: Error {
    let status: Int
    let name: JSONString
    let description: JSONString
    var debug: JSONString = ""

    init(
      _ status: Int, _ name: JSONString, description: JSONString, debug: JSONString = ""
    ) {
      self.status = status
      self.name = name
      self.description = description
      self.debug = debug
    }

    static let noResource = CollectionServiceError(
      404, "ResourceNotFound", description: "no resource at this path")
    static let invalidCredentials = CollectionServiceError(
      401, "InvalidCredentials", description: "the name or the password is wrong")
    static let insufficientCredentials = CollectionServiceError(
      401, "InsufficientCredentials",
      description: "the credentials do not permit this request")

    static func invalidQuery(_ debug: JSONString) -> CollectionServiceError {
      CollectionServiceError(
        400, "InvalidQuerySyntax", description: "the query of the request is not valid",
        debug: debug)
    }

    func response(appKey: JSONString) -> ServerResponse {
      var response = ServerResponse.json(
        status,
        [
          "error": .string(name), "description": .string(description), "debug": .string(debug),
        ])
      if status == 401 {
        response.headers.append(("WWW-Authenticate", #"Basic realm="\#(appKey)""#))
      }
      return response
    }
  }

  extension ServerResponse {
    /// A response in JSON.
    static func json(_ status: Int, _ body: JSONValue) -> ServerResponse {
      ServerResponse(
        status, headers: [("Content-Type", "application/json")], body: body.serializedBytes())
    }
  }
#endif
