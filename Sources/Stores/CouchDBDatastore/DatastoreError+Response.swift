#if HTTP
  internal import Datastore
  internal import JSON
  internal import Replication

  extension DatastoreError {
    /// The error in a response of CouchDB; nil for one that the contract does not have.
    init?(response object: JSONObject) {
      let reason = object["reason"]?.textValue ?? ""
      let known = Self.known.first { known in
        object["error"]?.textValue == known.error && reason.utf8.starts(with: known.reason.utf8)
      }
      if let known {
        self.init(known.kind, reason.string)
      } else {
        self.init(members: object)
      }
    }

    /// Responses that say more than their `error`, by the beginning of their `reason`.
    private static let known: [(error: JSONString, reason: JSONString, kind: Kind)] = [
      ("bad_request", "Document must be a JSON object", .badBody),
      ("bad_request", "invalid UTF-8 JSON", .badBody),
      ("bad_request", "Invalid rev format", .badRevision),
      ("bad_request", "Invalid attachment data", .badAttachment),
      ("bad_request", "Attachment name", .badAttachment),
      ("not_found", "missing_rev", .conflict),
      // The only number among the parameters.
      ("query_parse_error", "Invalid value for positive integer", .badRequest(path: "limit")),
      ("query_parse_error", "", .badRequest(path: "")),
    ]
  }
#endif
