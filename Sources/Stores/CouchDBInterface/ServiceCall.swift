#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// One request to a service, with the parts of its path and its query.
  struct ServiceCall {
    let service: CouchDBService
    let request: ServerRequest
    let parameters: Parameters
    /// The decoded parts of the path that the pattern of the route names.
    let names: [String: JSONString]

    /// The user who sent the request; nil without credentials.
    var user: JSONString?

    /// The database in the path.
    var database: StoreName { StoreName(names["db"] ?? "") }
    /// The document in the path.
    var id: DocumentID { DocumentID(names["id"] ?? "") }

    /// Runs operations on the database in the path, which must exist, at one moment.
    func withDatabase<Result>(
      _ body: (OpenDatabase) throws(ServiceError) -> Result
    ) throws(ServiceError) -> Result {
      try service.withDatabase(database, body)
    }

    // MARK: Parameters

    func flag(_ name: JSONString, default value: Bool = false) throws(ServiceError) -> Bool {
      switch parameters[name] {
      case nil: return value
      case "true"?: return true
      case "false"?: return false
      case let text?:
        throw .parse(
          JSONString("Invalid boolean parameter: \(JSONValue.string(text).serialized())"))
      }
    }

    /// An integer of at least 0.
    func count(_ name: JSONString) throws(ServiceError) -> Int64? {
      guard let text = parameters[name] else { return nil }
      guard let number = Int64(text.string), number >= 0 else {
        throw .parse(
          JSONString(
            "Invalid value for positive integer: \(JSONValue.string(text).serialized())"))
      }
      return number
    }

    /// A parameter in JSON.
    func json(_ names: JSONString...) throws(ServiceError) -> JSONValue? {
      for name in names {
        guard let text = parameters[name] else { continue }
        guard let value = try? JSONValue.parse(text.utf8) else { throw .badRequest("invalid_json") }
        return value
      }
      return nil
    }

    // MARK: Body

    func requireJSONType() throws(ServiceError) {
      let type = request.headers["content-type"] ?? ""
      let media = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
      guard media.utf8.elementsEqual("application/json".utf8) else {
        throw ServiceError(
          415, "bad_content_type", reason: "Content-Type must be application/json")
      }
    }

    /// The body as JSON.
    func body() throws(ServiceError) -> JSONValue {
      do throws(JSONError) { return try JSONValue.parse(request.body) } catch {
        throw .badRequest("invalid UTF-8 JSON")
      }
    }

    /// The body as an object; an absent body is an empty one.
    func object() throws(ServiceError) -> JSONObject {
      guard !request.body.isEmpty else { return [:] }
      guard case .object(let object) = try body() else {
        throw .badRequest("Request body must be a JSON object")
      }
      return object
    }

    /// The header with the ETags that the client has.
    func matches(etag: String) -> Bool {
      guard let header = request.headers["if-none-match"] else { return false }
      return header.split(separator: ",").contains { part in
        let tag = part.drop { $0 == " " }
        let strong = tag.utf8.starts(with: "W/".utf8) ? tag.dropFirst(2) : tag
        return strong.utf8.elementsEqual(etag.utf8) || strong.utf8.elementsEqual("*".utf8)
      }
    }

    /// Whether the client prefers a type of content over JSON: it names it, or accepts everything and
    /// does not name JSON.
    func prefersMultipart() -> Bool {
      let accept = request.headers["accept"] ?? "*/*"
      if accept.utf8.elementsEqual("*/*".utf8) { return true }
      let kinds = accept.split(separator: ",").map { part in
        part.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
      }
      let place = { (kind: String) in kinds.firstIndex { $0.utf8.elementsEqual(kind.utf8) } }
      let multipart = place("multipart/mixed") ?? place("multipart/*")
      let json = place("application/json")
      guard let multipart else { return json == nil && place("*/*") != nil }
      return json.map { multipart < $0 } ?? true
    }
  }
#endif
