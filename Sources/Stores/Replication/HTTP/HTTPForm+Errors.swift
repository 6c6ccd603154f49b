package import Datastore
package import JSON

/// An error kind and the corresponding response of servers of the family.
///
/// If CouchDB has a response for the error, it is that response. Fields of an error are sent as its
/// reason.
private struct Refusal {
  let kind: DatastoreError.Kind
  let status: Int64
  let name: JSONString
  /// Nil if the name is sufficient.
  let reason: JSONString?

  static let all: [Refusal] = [
    Refusal(kind: .badName, status: 400, name: "illegal_database_name", reason: nil),
    Refusal(kind: .badID, status: 400, name: "illegal_docid", reason: nil),
    Refusal(kind: .badRevision, status: 400, name: "bad_request", reason: "Invalid rev format"),
    Refusal(kind: .badBody, status: 400, name: "doc_validation", reason: nil),
    Refusal(
      kind: .badSequence, status: 400, name: "bad_request",
      reason: "Malformed sequence supplied in 'since' parameter."),
    Refusal(kind: .conflict, status: 409, name: "conflict", reason: nil),
    Refusal(kind: .notFound(.missing), status: 404, name: "not_found", reason: "missing"),
    Refusal(kind: .notFound(.deleted), status: 404, name: "not_found", reason: "deleted"),
    Refusal(kind: .notFound(.bodyMissing), status: 404, name: "not_found", reason: "body missing"),
    Refusal(
      kind: .noSuchStore, status: 404, name: "not_found", reason: "Database does not exist."),
    Refusal(kind: .forbidden, status: 403, name: "forbidden", reason: nil),
    Refusal(kind: .forbidden, status: 401, name: "unauthorized", reason: nil),
    Refusal(kind: .missingStub, status: 412, name: "missing_stub", reason: nil),
    Refusal(kind: .badAttachment, status: 400, name: "bad_attachment", reason: nil),
    Refusal(kind: .busy, status: 503, name: "busy", reason: nil),
    Refusal(kind: .storage(.full), status: 507, name: "insufficient_storage", reason: nil),
    Refusal(kind: .storage(.io), status: 500, name: "storage", reason: "io"),
    Refusal(kind: .storage(.corrupt), status: 500, name: "storage", reason: "corrupt"),
    Refusal(kind: .storage(.newerVersion), status: 500, name: "storage", reason: "newerVersion"),
    Refusal(kind: .storage(.readOnly), status: 500, name: "storage", reason: "readOnly"),
  ]
}

extension DatastoreError {
  /// The HTTP status of the error.
  package var status: Int64 {
    switch kind {
    case .badRequest: 400
    case .tooLarge: 413
    case .unsupported: 501
    default: Refusal.all.first { $0.kind == kind }?.status ?? 500
    }
  }

  /// The members `error` and `reason` of the response.
  package var members: [(JSONString, JSONValue)] {
    switch kind {
    case .badRequest(let path): return [("error", "bad_request"), ("reason", .text(path))]
    case .tooLarge(let limit):
      return [("error", "document_too_large"), ("reason", .text(String(limit)))]
    case .unsupported(let what): return [("error", "not_implemented"), ("reason", .text(what))]
    default:
      let refusal = Refusal.all.first { $0.kind == kind }
      let reason = refusal?.reason ?? JSONString(message.isEmpty ? kind.description : message)
      return [("error", .string(refusal?.name ?? "error")), ("reason", .string(reason))]
    }
  }

  /// The error for an object with `error` and `reason`; nil if it is not an error of the contract.
  package init?(members object: JSONObject) {
    guard let name = object["error"]?.textValue else { return nil }
    let reason = object["reason"]?.textValue ?? ""
    let named = Refusal.all.filter { $0.name == name }
    if let refusal = named.first(where: { $0.reason == nil || $0.reason == reason }) {
      self.init(refusal.kind, reason.string)
      return
    }
    switch name {
    case "bad_request": self.init(.badRequest(path: reason.string), reason.string)
    case "document_too_large", "too_large", "max_document_size_exceeded":
      self.init(.tooLarge(limit: Int64(reason.string) ?? 0), reason.string)
    case "not_implemented": self.init(.unsupported(what: reason.string), reason.string)
    case "no_db_file": self.init(.noSuchStore, reason.string)
    case "not_found": self.init(.notFound(.missing), reason.string)
    default: return nil
    }
  }
}
