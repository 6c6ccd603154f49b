internal import Datastore
internal import JSON

/// An error response of the backend.
struct BackendError: Error {
  var status: Int64
  var name: JSONString
  var message: String
  /// The field and the violated rule.
  var rule: (field: JSONString, rule: JSONString)?

  init(
    _ status: Int64, _ name: JSONString, message: String,
    rule: (field: JSONString, rule: JSONString)? = nil
  ) {
    self.status = status
    self.name = name
    self.message = message
    self.rule = rule
  }

  var response: BackendResponse {
    var body: JSONObject = ["error": .string(name), "description": .text(message)]
    if let rule {
      body["field"] = .string(rule.field)
      body["rule"] = .string(rule.rule)
    }
    return BackendResponse(status, .object(body))
  }

  static let notFound = BackendError(
    404, "EntityNotFound", message: "the collection does not contain the entity")

  static func badQuery(_ error: QueryError) -> BackendError {
    BackendError(
      400, error.reason == .unsupported ? "FeatureUnavailable" : "InvalidQuerySyntax",
      message: error.description)
  }

  /// The response for an error of the store below the backend.
  init(_ error: DatastoreError) {
    switch error.kind {
    case .tooLarge, .badBody, .badID, .badSelector:
      self.init(400, "BadRequest", message: error.description)
    case .busy: self.init(503, "ServerBusy", message: error.description)
    default: self.init(500, "InternalServerError", message: error.description)
    }
  }
}
