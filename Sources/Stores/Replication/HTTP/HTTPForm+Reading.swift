public import Datastore
package import JSON

/// An error response that needs no store.
public struct HTTPRefusal: Error, Hashable, Sendable {
  public let response: HTTPResponse

  init(_ status: Int64, _ name: JSONString, reason: JSONString) {
    response = HTTPResponse(
      status, body: ["error": .string(name), "reason": .string(reason)])
  }

  static func badRequest(_ reason: JSONString) -> HTTPRefusal {
    HTTPRefusal(400, "bad_request", reason: reason)
  }
}

/// The parameters of a query; if a name occurs twice, the last value counts.
package struct Parameters: Sendable {
  package var all: [(name: JSONString, value: JSONString)] = []

  package subscript(name: JSONString) -> JSONString? { all.last { $0.name == name }?.value }

  /// No parameters.
  package static let none = Parameters()

  private init() {}

  /// Reads a query; nil for an invalid escape.
  package init?(query: JSONString?) {
    for part in query?.utf8.split(separator: UInt8(ascii: "&")) ?? [] {
      let halves = part.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let decoded = halves.map { half in
        JSONString(validating: half.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })?
          .percentDecoded
      }
      guard let name = decoded[0], let value = decoded.count > 1 ? decoded[1] : "" else {
        return nil
      }
      all.append((name, value))
    }
  }
}

/// Decoding of HTTP requests, as replicators of the family send them.
extension HTTPForm {
  /// The typed request; a request with another meaning is rejected, never partly interpreted.
  public func read(_ request: HTTPRequest) throws(HTTPRefusal) -> PeerRequest {
    guard let rest = request.path.dropping(prefix: database) else {
      throw HTTPRefusal(404, "not_found", reason: "Database does not exist.")
    }
    guard let parameters = Parameters(query: request.query) else {
      throw HTTPRefusal.badRequest("the query is not valid")
    }
    if let id = rest.dropping(prefix: "/_local/") {
      guard let id = id.percentDecoded else {
        throw .badRequest("the id of the local document is not valid")
      }
      return try local(DocumentID(id), request)
    }
    if let content = try content(rest, request, parameters: parameters) { return content }
    switch (rest, request.method) {
    case ("", "GET"), ("/", "GET"): return .info
    case ("/_changes", "GET"), ("/_changes", "POST"):
      return try changes(parameters, request.body)
    case ("/_revs_diff", "POST"): return .revsDiff(try revsDiff(request.body))
    case ("/_bulk_get", "POST"): return .getRevisions(try bulkGet(parameters, request.body))
    case ("/_bulk_docs", "POST"): return .insertRevisions(try bulkDocs(request.body))
    case ("/_ensure_full_commit", "POST"): return .flush
    case ("", _), ("/", _), ("/_changes", _), ("/_revs_diff", _), ("/_bulk_get", _),
      ("/_bulk_docs", _), ("/_ensure_full_commit", _):
      throw HTTPRefusal(405, "method_not_allowed", reason: request.method)
    default: throw HTTPRefusal(404, "not_found", reason: "unknown endpoint")
    }
  }

  private func local(
    _ id: DocumentID, _ request: HTTPRequest
  ) throws(HTTPRefusal) -> PeerRequest {
    switch request.method {
    case "GET": return .readLocal(id: id)
    case "PUT":
      guard case .object(var body)? = request.body else {
        throw .badRequest("expected an object as local document")
      }
      // CouchDB's replicator sends `_revisions` with every checkpoint after the first.
      for name: JSONString in ["_id", "_rev", "_revisions"] { body[name] = nil }
      return .writeLocal(id: id, body: .object(body))
    default: throw HTTPRefusal(405, "method_not_allowed", reason: request.method)
    }
  }

  /// Parameters that do not change the meaning of a request.
  private static let ignorable: Set<JSONString> = [
    "feed", "heartbeat", "timeout", "attachments", "conflicts", "seq_interval", "batch_size",
    "_nonce",
  ]

  private func changes(
    _ parameters: Parameters, _ body: JSONValue?
  ) throws(HTTPRefusal) -> PeerRequest {
    var limit = Self.limitMax
    var filter: Filter?
    for (name, value) in parameters.all where !Self.ignorable.contains(name) {
      switch (name, value) {
      case ("since", _): break
      case ("style", "all_docs"): break
      case ("limit", _):
        guard let number = Int64(value.string), number >= 0 else {
          throw .badRequest("limit is not a number")
        }
        limit = min(number, Self.limitMax)
      case ("filter", "_doc_ids"):
        guard let ids = body?.objectValue?["doc_ids"]?.arrayValue?.texts else {
          throw .badRequest("doc_ids is not a list of ids")
        }
        filter = .documentIDs(ids.map { DocumentID($0) })
      default: throw .badRequest(JSONString("\(name)=\(value) is not supported"))
      }
    }
    guard parameters["style"] != nil else { throw .badRequest("style=all_docs is required") }
    guard ["normal", "longpoll", nil].contains(parameters["feed"]) else {
      throw .badRequest("only finite feeds are supported")
    }
    return .changes(
      since: parameters["since"].flatMap { UpdateSequence(parameter: $0) }, limit: limit,
      filter: filter)
  }

  /// The value of an absent limit: more rows than any store here has.
  private static let limitMax: Int64 = 1 << 31

  private func revsDiff(_ body: JSONValue?) throws(HTTPRefusal) -> [RevisionQuery] {
    var queries: [RevisionQuery] = []
    for member in body?.objectValue?.members ?? [] {
      guard let revs = member.value.arrayValue?.texts else {
        throw .badRequest("the revisions of a document must be a list of strings")
      }
      queries.append(
        RevisionQuery(id: DocumentID(member.name), revs: revs.map { RevisionID($0) }))
    }
    return queries
  }

  private func bulkGet(
    _ parameters: Parameters, _ body: JSONValue?
  ) throws(HTTPRefusal) -> [RevisionQuery] {
    guard parameters["revs"] == "true" else { throw .badRequest("revs=true is required") }
    let latest = parameters["latest"] == "true"
    let hasAttachments = parameters["attachments"] == "true"
    var queries: [RevisionQuery] = []
    for element in body?.objectValue?["docs"]?.arrayValue ?? [] {
      guard let object = element.objectValue, let id = object["id"]?.textValue,
        let rev = object["rev"]?.textValue
      else { throw .badRequest("docs requires id and rev") }
      var since: [RevisionID]? = hasAttachments ? [] : nil
      if let said = object["atts_since"] {
        guard let revs = said.arrayValue?.texts else {
          throw .badRequest("atts_since must be a list of strings")
        }
        since = revs.map { RevisionID($0) }
      }
      if queries.last?.id.text == id, queries.last?.attachmentsSince == since {
        queries[queries.count - 1].revs.append(RevisionID(rev))
      } else {
        queries.append(
          RevisionQuery(
            id: DocumentID(id), revs: [RevisionID(rev)], latest: latest, attachmentsSince: since))
      }
    }
    return queries
  }

  private func bulkDocs(_ body: JSONValue?) throws(HTTPRefusal) -> [RevisionRecord] {
    guard let object = body?.objectValue, object["new_edits"] == false,
      let docs = object["docs"]?.arrayValue
    else { throw .badRequest("docs with new_edits=false are required") }
    return docs.map { RevisionRecord(document: $0) }
  }
}

extension [JSONValue] {
  /// The elements of a list of texts; nil if another element is in it.
  fileprivate var texts: [JSONString]? {
    var texts: [JSONString] = []
    for element in self {
      guard let text = element.textValue else { return nil }
      texts.append(text)
    }
    return texts
  }
}
