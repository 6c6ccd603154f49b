#if HTTP
  /// The pages of other origins that may use a server (CORS).
  public struct CrossOrigin: Sendable {
    /// The origin of the pages, or `*` for all.
    private let allowed: String

    /// Allows pages of an origin, or of all for `*`.
    public init(_ allowed: String) { self.allowed = allowed }

    /// The response to the question of a browser before a request; nil for any other request.
    public func preflight(_ request: ServerRequest) -> ServerResponse? {
      guard request.method == "OPTIONS",
        request.headers["access-control-request-method"] != nil
      else { return nil }
      return applied(
        to: ServerResponse(
          204,
          headers: [
            ("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE, COPY"),
            (
              "Access-Control-Allow-Headers",
              request.headers["access-control-request-headers"] ?? "content-type"
            ), ("Access-Control-Max-Age", "600"),
          ]), request)
    }

    /// The response with the headers that let the page read it.
    public func applied(to response: ServerResponse, _ request: ServerRequest) -> ServerResponse {
      guard let origin = request.headers["origin"],
        allowed == "*" || allowed.utf8.elementsEqual(origin.utf8)
      else { return response }
      var response = response
      response.headers += [
        ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true"),
        (
          "Access-Control-Expose-Headers",
          "content-type, cache-control, accept-ranges, etag, server, location, retry-after"
        ), ("Vary", "Origin"),
      ]
      return response
    }
  }
#endif
