#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// A response to a request that cannot be performed, with `error` and `reason` as CouchDB has them.
  struct ServiceError: Error {
    let status: Int
    let name: JSONString
    let reason: JSONString
    var headers: [(name: String, value: String)] = []

    init(_ status: Int, _ name: JSONString, reason: JSONString) {
      (self.status, self.name, self.reason) = (status, name, reason)
    }

    static func badRequest(_ reason: JSONString) -> ServiceError {
      ServiceError(400, "bad_request", reason: reason)
    }

    static func parse(_ reason: JSONString) -> ServiceError {
      ServiceError(400, "query_parse_error", reason: reason)
    }

    static func notFound(_ reason: JSONString) -> ServiceError {
      ServiceError(404, "not_found", reason: reason)
    }

    static func specialMember(_ name: JSONString) -> ServiceError {
      ServiceError(
        400, "doc_validation", reason: JSONString("Bad special document member: \(name)"))
    }

    static let conflict = ServiceError(409, "conflict", reason: "Document update conflict.")
    static let noDatabase = notFound("Database does not exist.")
    static let invalidRev = badRequest("Invalid rev format")

    /// A feature of CouchDB that needs its query server, or another store.
    static func notImplemented(_ feature: JSONString) -> ServiceError {
      ServiceError(501, "not_implemented", reason: JSONString("not offered: \(feature)"))
    }

    /// The error of a store.
    init(_ error: DatastoreError) {
      let body = JSONObject(error.members)
      var reason = body["reason"]?.textValue ?? ""
      if case .badSelector(let name, _) = error.kind {
        self.init(400, "invalid_operator", reason: JSONString("Invalid operator: \(name)"))
        return
      }
      switch error.kind {
      case .conflict: reason = "Document update conflict."
      case .badRevision: reason = "Invalid rev format"
      case .badID where error.message.isEmpty: reason = "Document id is not valid"
      case .badName:
        reason = JSONString(
          "Only lowercase characters (a-z), digits (0-9), and any of the characters "
            + "_, $, (, ), +, -, and / are allowed. Must begin with a letter.")
      default: break
      }
      self.init(
        Int(error.status), body["error"]?.textValue ?? "error", reason: reason)
    }

    var body: JSONValue { ["error": .string(name), "reason": .string(reason)] }

    var response: ServerResponse {
      var response = ServerResponse.json(status, body)
      response.headers += headers
      return response
    }
  }

  extension ServerResponse {
    /// A response in JSON, on one line.
    static func json(
      _ status: Int, _ body: JSONValue, headers: [(name: String, value: String)] = []
    ) -> ServerResponse {
      var bytes = body.serializedBytes()
      bytes.append(UInt8(ascii: "\n"))
      return ServerResponse(
        status, headers: [("Content-Type", "application/json")] + headers, body: bytes)
    }
  }
#endif
