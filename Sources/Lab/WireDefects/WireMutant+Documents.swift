internal import JSON
internal import WireConformance

extension WireMutant {
  /// Whether a request names the revision that it edits.
  private static let namesRevision: @Sendable (WireCall) -> Bool = {
    $0.parameter("rev") != nil || ($0.json?["_rev"] ?? .null) != .null
  }

  /// Members that begin with `_` and that a document may have.
  private static let special: [JSONString] = [
    "_id", "_rev", "_deleted", "_attachments", "_revisions",
  ]

  static let ofDocuments: [WireMutant] = [
    .status(
      "document-created-200", "WIR-040", says: "PUT of a new document answers 200.",
      on: When("PUT", .document), from: 201, to: 200),
    .header(
      "put-no-etag", "WIR-041", says: "The response to PUT has no ETag.",
      on: When("PUT", .document), field: "etag", to: nil),
    .retry(
      "put-overwrites", "WIR-042", says: "PUT without a revision overwrites the document.",
      on: When("PUT", .document, where: { !namesRevision($0) }), after: 409,
      change: withCurrentRevision),
    .request(
      "put-body-rev-ignored", "WIR-043", says: "The revision in the body is ignored.",
      on: When("PUT", .document, where: { $0.parameter("new_edits") == nil })
    ) { call in call.with(json: { $0 = $0.without("_rev") }) },
    .ignores(
      "put-query-rev-ignored", "WIR-044", says: "The revision in the query of PUT is ignored.",
      on: When("PUT", .document), parameter: "rev"),
    .ignores(
      "put-if-match-ignored", "WIR-045", says: "If-Match of PUT is ignored.",
      on: When("PUT", .document), header: "if-match"),
    .ignores(
      "put-disagreement-ignored", "WIR-046",
      says: "Of two different revisions, the one in the body counts.",
      on: When("PUT", .document, where: { ($0.json?["_rev"] ?? .null) != .null }),
      parameter: "rev"),
    .retry(
      "put-stale-overwrites", "WIR-047", says: "PUT with an outdated revision overwrites.",
      on: When("PUT", .document, where: namesRevision), after: 409, change: withCurrentRevision),
    .value(
      "get-no-id", "WIR-048", says: "A document is read without its id.",
      on: When("GET", .document), at: "_id"
    ) { _ in nil },
    .response(
      "etag-unquoted", "WIR-049", says: "The ETag of a document has no quotation marks.",
      on: When("GET", .document)
    ) { _, response in
      guard let etag = response.header("etag") else { return }
      response.set("etag", JSONString(String(etag.string.filter { $0 != "\"" })))
    },
    .ignores(
      "get-if-none-match-ignored", "WIR-050", says: "If-None-Match is ignored.",
      on: When("GET", .document), header: "if-none-match"),
    .instead(
      "get-always-unmodified", "WIR-051", says: "Every conditional GET answers 304.",
      on: When("GET", .document, where: { $0.request.header("if-none-match") != nil })
    ) { _ in WireResponse(304) },
    .response(
      "get-missing-null", "WIR-052", says: "An unknown document is read as null.",
      on: When("GET", .document)
    ) { _, response in
      if response.status == 404 { response = WireResponse(200, json: .null) }
    },
    .header(
      "head-no-etag", "WIR-054", says: "HEAD of a document has no ETag.",
      on: When("HEAD", .document), field: "etag", to: nil),
    .value(
      "delete-no-rev", "WIR-055", says: "The response to DELETE has no revision.",
      on: When("DELETE", .document), at: "rev"
    ) { _ in nil },
    .ignores(
      "delete-if-match-ignored", "WIR-056", says: "If-Match of DELETE is ignored.",
      on: When("DELETE", .document), header: "if-match"),
    .retry(
      "delete-stale", "WIR-057", says: "DELETE needs no current revision.",
      on: When("DELETE", .document), after: 409, change: withCurrentRevision),
    .status(
      "delete-missing", "WIR-058", says: "DELETE of an unknown document succeeds.",
      on: When("DELETE", .document), from: 404, to: 200),
    .response(
      "get-deleted", "WIR-059", says: "A deleted document is read as its deletion.",
      on: When("GET", .document, where: { $0.parameter("rev") == nil })
    ) { _, response in
      guard response.json["reason"] == "deleted" else { return }
      response = WireResponse(200, json: ["_deleted": true])
    },
    .value(
      "get-deletion-unmarked", "WIR-060", says: "The revision of a deletion has no mark.",
      on: When("GET", .document, with: "rev"), at: "_deleted"
    ) { _ in nil },
    .request(
      "put-deleted-ignored", "WIR-061", says: "The member _deleted is ignored.",
      on: When("PUT", .document)
    ) { call in call.with(json: { $0 = $0.without("_deleted") }) },
    .request(
      "put-deleted-empty", "WIR-062", says: "A deletion loses its body.", on: When("PUT", .document)
    ) { call in
      call.with(json: { json in
        guard json["_deleted"] == true, let object = json.objectValue else { return }
        json = .object(
          JSONObject(
            object.members.filter { special.contains($0.name) }.map { ($0.name, $0.value) }))
      })
    },
    .response(
      "recreation-from-1", "WIR-063", says: "A recreated document begins at generation 1.",
      on: When("PUT", .document, where: { !namesRevision($0) })
    ) { _, response in
      response.edit { json in
        guard let rev = json["rev"].textValue?.string,
          let hyphen = rev.utf8.firstIndex(of: UInt8(ascii: "-"))
        else { return }
        json["rev"] = .text("1" + rev[hyphen...])
      }
    },
    .value(
      "post-no-id", "WIR-064", says: "The response to POST does not name the new id.",
      on: When("POST", .database), at: "id"
    ) { _ in nil },
    .request(
      "post-id-ignored", "WIR-065", says: "POST ignores the id of the document.",
      on: When("POST", .database)
    ) { call in call.with(json: { $0 = $0.without("_id") }) },
    .request(
      "post-any-type", "WIR-066", says: "POST accepts every type.", on: When("POST", .database)
    ) { call in call.with(header: "content-type", "application/json") },
    .request(
      "invalid-json-empty", "WIR-067", says: "A body that is not valid JSON is an empty document.",
      on: When("PUT", .document, where: { $0.json == nil && $0.request.body != nil })
    ) { call in
      var request = call.request
      request.body = Array("{}".utf8)
      return request
    },
    .request(
      "values-wrapped", "WIR-068", says: "A body that is no object is stored in a member.",
      on: When("PUT", .document)
    ) { call in
      call.with(json: { if $0.objectValue == nil { $0 = ["value": $0] } })
    },
    .request(
      "special-members-dropped", "WIR-069", says: "Unknown members with _ are dropped.",
      on: When("PUT", .document)
    ) { call in
      call.with(json: { json in
        guard let object = json.objectValue else { return }
        let kept = object.members.filter {
          $0.name.utf8.first != UInt8(ascii: "_") || special.contains($0.name)
        }
        json = .object(JSONObject(kept.map { ($0.name, $0.value) }))
      })
    },
    .instead(
      "nested-underscores", "WIR-070", says: "Nested members with _ are rejected.",
      on: When(
        "PUT", .document,
        where: { call in
          call.json?.objectValue?.members.contains { member in
            member.value.objectValue?.members.contains {
              $0.name.utf8.first == UInt8(ascii: "_")
            } == true && !special.contains(member.name)
          } == true
        })
    ) { _ in .failure(400, "doc_validation") },
    .status(
      "reserved-ids", "WIR-071", says: "Reserved ids of documents are accepted.",
      on: When("PUT|POST", where: { $0.resource == .database || $0.segments.count == 2 }),
      from: 400, to: 201),
    .status(
      "malformed-rev-conflict", "WIR-072", says: "A malformed revision is a conflict.",
      on: When("PUT|GET", .document), from: 400, to: 409),
    .request(
      "ids-not-decoded", "WIR-073", says: "Ids of paths are not decoded.",
      on: When("PUT|GET", .document)
    ) { call in
      var request = call.request
      request.path = JSONString(
        String(
          decoding: Array(call.request.path.utf8).replacing("%", with: "%25"), as: UTF8.self))
      return request
    },
    WireMutant(
      "copy-moves", "WIR-074", says: "COPY removes the source."
    ) { call, server throws(WireFailure) in
      let response = try server.send(call.request)
      guard call.request.method == "COPY", response.status == 201,
        let rev = try server.winner(of: call)["_rev"].textValue
      else { return response }
      _ = try server.send(
        WireRequest("DELETE", call.request.path, query: JSONString("rev=\(rev)")))
      return response
    },
    .request(
      "copy-rev-ignored", "WIR-075", says: "COPY ignores the revision of the destination.",
      on: When("COPY", .document)
    ) { call in
      let place = call.request.header("destination")?.string.split(separator: "?").first ?? ""
      return call.with(header: "destination", JSONString(String(place)))
    },
    .ignores(
      "get-rev-ignored", "WIR-076", says: "GET always reads the winner.",
      on: When("GET", .document), parameter: "rev"),
    .retry(
      "get-unknown-rev-winner", "WIR-077", says: "An unknown revision is read as the winner.",
      on: When("GET", .document, with: "rev"), after: 404
    ) { call, _ in call.with("rev", nil) },
    .header(
      "document-allow-get", "WIR-079", says: "Allow lists only GET.", on: When("*", .document),
      field: "allow", to: "GET"),
    .value(
      "nulls-dropped", "WIR-080", says: "Members with null are dropped.",
      on: When("GET", .document), at: "*"
    ) { $0 == .null ? nil : $0 },
    .ignores(
      "put-new-edits-ignored", "WIR-081", says: "PUT ignores new_edits.",
      on: When("PUT", .document), parameter: "new_edits"),
  ]
}
