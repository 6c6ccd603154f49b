public import Datastore
public import JSON

/// Encoding of typed requests as HTTP.
extension HTTPForm {
  /// The request as HTTP; throws if a body or a path cannot be encoded.
  public func request(_ request: PeerRequest) throws(DecodingFailure) -> HTTPRequest {
    switch request {
    case .info: return HTTPRequest("GET", database)
    case .changes(let since, let limit, let filter):
      var query = "style=all_docs&limit=\(limit)"
      if let since { query += "&since=\(since.parameter.percentEncoded)" }
      guard case .documentIDs(let ids)? = filter else {
        return HTTPRequest("GET", path("_changes"), query: JSONString(query))
      }
      return HTTPRequest(
        "POST", path("_changes"), query: JSONString("filter=_doc_ids&\(query)"),
        body: ["doc_ids": .array(ids.map { $0.json })])
    case .revsDiff(let queries):
      var object = JSONObject()
      for query in queries {
        let before = object[query.id.text]?.arrayValue ?? []
        object[query.id.text] = .array(before + query.revs.map { $0.json })
      }
      return HTTPRequest("POST", path("_revs_diff"), body: .object(object))
    case .getRevisions(let queries):
      // The protocol has only one value for the complete request.
      let latest = queries.contains { $0.latest } ? "&latest=true" : ""
      let attachments =
        queries.contains { $0.attachmentsSince != nil } ? "&attachments=true" : ""
      let docs = queries.flatMap { query in
        query.revs.map { rev -> JSONValue in
          var doc: JSONObject = ["id": query.id.json, "rev": rev.json]
          if let since = query.attachmentsSince, !since.isEmpty {
            doc["atts_since"] = .array(since.map { $0.json })
          }
          return .object(doc)
        }
      }
      return HTTPRequest(
        "POST", path("_bulk_get"), query: JSONString("revs=true" + latest + attachments),
        body: ["docs": .array(docs)])
    case .insertRevisions(let records):
      var docs: [JSONValue] = []
      for (place, record) in records.enumerated() {
        docs.append(try record.document(path: "records[\(place)]"))
      }
      return HTTPRequest(
        "POST", path("_bulk_docs"), body: ["new_edits": false, "docs": .array(docs)])
    case .readLocal(let id): return HTTPRequest("GET", local(id))
    case .writeLocal(let id, let body):
      guard case .object(let object) = body, object["_id"] == nil, object["_rev"] == nil else {
        throw DecodingFailure(path: "body", message: "this local document cannot be sent")
      }
      return HTTPRequest("PUT", local(id), body: body)
    case .flush: return HTTPRequest("POST", path("_ensure_full_commit"), body: [:])
    case .readAttachment(let id, let rev, let name, let offset, let limit):
      return HTTPRequest(
        "GET", path(JSONString("\(id.text.percentEncoded)/\(name.percentEncoded)")),
        query: rev.map { JSONString("rev=\($0.text.percentEncoded)") },
        headers: try Self.range(offset, limit))
    case .putBlob(let digest, let offset, let bytes):
      return HTTPRequest(
        "PUT", path(JSONString("_blobs/\(digest.percentEncoded)")),
        query: JSONString("offset=\(offset)"),
        bytes: bytes)
    }
  }

  func path(_ endpoint: JSONString) -> JSONString { JSONString("\(database)/\(endpoint)") }

  private func local(_ id: DocumentID) -> JSONString {
    path(JSONString("_local/\(id.text.percentEncoded)"))
  }
}

extension UpdateSequence {
  /// The sequence as the parameter `since`: a text is sent unchanged, unless it looks like JSON.
  package var parameter: JSONString {
    switch self {
    case .integer(let value): JSONString(String(value))
    case .text(let text):
      (try? JSONValue.parse(text.utf8)) == nil && !text.isEmpty
        ? text : JSONString(json.serialized())
    case .array: JSONString(json.serialized())
    }
  }

  /// Parses the parameter; nil for the beginning, which is 0 in every store of the family.
  package init?(parameter: JSONString) {
    switch try? JSONValue.parse(parameter.utf8) {
    case .integer(0)?: return nil
    case .integer(let value)?: self = .integer(value)
    case .string(let text)?: self = .text(text)
    case let json?:
      guard let sequence = try? UpdateSequence(json, path: "since") else { fallthrough }
      self = sequence
    default: self = .text(parameter)
    }
  }
}
