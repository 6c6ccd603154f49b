internal import JSON
internal import WireConformance

extension WireMutant {
  private static let list = When("GET|POST", .part("_all_docs"))
  private static let keys = When("POST", .part("_all_docs"))

  /// The rows in the order of a text of each.
  private static func sorted(_ rows: JSONValue, by text: (JSONValue) -> String) -> JSONValue {
    .array(
      (rows.arrayValue ?? []).sorted { text($0).utf8.lexicographicallyPrecedes(text($1).utf8) })
  }

  static let ofLists: [WireMutant] = [
    .value(
      "list-no-rev", "WIR-190", says: "Rows have no revision.", on: list, at: "rows.*.value.rev"
    ) { _ in nil },
    .value(
      "list-by-letters", "WIR-191", says: "Ids are ordered without regard to letter case.",
      on: list, at: "rows"
    ) { rows in sorted(rows) { $0["id"].textValue?.string.lowercased() ?? "" } },
    .ignores(
      "list-no-start", "WIR-192", says: "startkey is ignored.", on: list, parameter: "startkey"),
    .ignores(
      "list-inclusive", "WIR-193", says: "inclusive_end is ignored.", on: list,
      parameter: "inclusive_end"),
    .ignores(
      "list-ascending", "WIR-194", says: "descending is ignored.", on: list,
      parameter: "descending"),
    .ignores("list-no-skip", "WIR-195", says: "skip is ignored.", on: list, parameter: "skip"),
    .ignores("list-no-key", "WIR-196", says: "key is ignored.", on: list, parameter: "key"),
    .value(
      "list-keys-sorted", "WIR-197", says: "The rows of keys are in the order of the ids.",
      on: keys, at: "rows"
    ) { rows in sorted(rows) { $0["key"].textValue?.string ?? "" } },
    .value(
      "list-keys-known", "WIR-198", says: "Unknown keys have no row.", on: keys, at: "rows"
    ) { rows in rows.filtered { $0["error"] == .null } },
    .value(
      "list-keys-deleted", "WIR-199", says: "A deleted document is an unknown key.", on: keys,
      at: "rows.*"
    ) { row in
      row["value"]["deleted"] == true ? ["key": row["key"], "error": "not_found"] : row
    },
    .ignores(
      "list-no-documents", "WIR-200", says: "include_docs is ignored.", on: list,
      parameter: "include_docs"),
    WireMutant(
      "list-counts-deleted", "WIR-201", says: "total_rows counts deleted documents."
    ) { call, server throws(WireFailure) in
      var response = try server.send(call.request)
      guard list(call) else { return response }
      let deleted = try server.json(call.database)["doc_del_count"].integerValue ?? 0
      response.edit { json in
        guard let count = json["total_rows"].integerValue else { return }
        json["total_rows"] = .integer(count + deleted)
      }
      return response
    },
    .status(
      "list-keys-unchecked", "WIR-202", says: "Keys that are not JSON are accepted.", on: list,
      from: 400, to: 200),
    .ignores(
      "list-no-conflicts", "WIR-203", says: "Lists ignore conflicts.", on: list,
      parameter: "conflicts"),
    .value(
      "list-no-design", "WIR-204", says: "Design documents are not listed.", on: list, at: "rows"
    ) { rows in rows.filtered { !$0["id"].begins(with: "_design/") } },
    .request(
      "list-design-all", "WIR-207", says: "_design_docs lists all documents.",
      on: When("GET", .part("_design_docs"))
    ) { call in
      var request = call.request
      request.path = JSONString("\(call.database)/_all_docs")
      return request
    },
    .value(
      "list-deleted-no-null", "WIR-209", says: "The row of a deleted document has no doc.",
      on: keys, at: "rows.*.doc"
    ) { $0 == .null ? nil : $0 },
  ]

  private static let local = When("GET", .local)

  static let ofLocalDocuments: [WireMutant] = [
    .value(
      "local-generation-1", "WIR-215", says: "Local documents begin at generation 1.",
      on: When("PUT", .local), at: "rev"
    ) { _ in "1-1" },
    .value(
      "local-no-rev", "WIR-216", says: "A local document is read without _rev.", on: local,
      at: "_rev"
    ) { _ in nil },
    .response(
      "local-missing-empty", "WIR-217", says: "An unknown local document is an empty one.",
      on: local
    ) { _, response in
      if response.status == 404 { response = WireResponse(200, json: [:]) }
    },
    .instead(
      "local-kept", "WIR-218", says: "A local document is written only once.",
      on: When("PUT", .local, where: { ($0.json?["_rev"] ?? .null) != .null })
    ) { call in
      WireResponse(
        201,
        json: [
          "ok": true, "id": .text(call.segments.dropFirst().joined(separator: "/")), "rev": "0-2",
        ])
    },
    .instead(
      "local-not-deleted", "WIR-219", says: "The deletion of a local document has no effect.",
      on: When("DELETE", .local)
    ) { _ in WireResponse(200, json: ["ok": true]) },
    .response(
      "local-counted", "WIR-220", says: "Local documents are counted.", on: When("GET", .database)
    ) { call, response in
      let count = call.earlier.count { $0.resource == .local && $0.request.method == "PUT" }
      response.edit { json in
        json["doc_count"] = .integer((json["doc_count"].integerValue ?? 0) + Int64(count))
      }
    },
    .retry(
      "local-everywhere", "WIR-221", says: "A local document is found without _local/.",
      on: When("GET", .document, after: .local), after: 404
    ) { call, _ in
      var request = call.request
      request.path = JSONString("\(call.database)/_local/\(call.segments[1])")
      return request
    },
    .instead(
      "local-not-in-bulk", "WIR-222", says: "_bulk_docs rejects local documents.",
      on: When(
        "POST", .part("_bulk_docs"),
        where: { call in
          call.json?["docs"].arrayValue?.contains { $0["_id"].begins(with: "_local/") } == true
        })
    ) { _ in .failure(400, "illegal_docid") },
    .value(
      "design-id-short", "WIR-225", says: "The id of a design document has no _design/.",
      on: When("GET|PUT", .design)
    ) { json in
      var json = json
      for name: JSONString in ["id", "_id"] {
        guard json[name].begins(with: "_design/"), let id = json[name].textValue else { continue }
        json[name] = .text(
          String(decoding: id.utf8.dropFirst("_design/".utf8.count), as: UTF8.self))
      }
      return json
    },
    .value(
      "design-no-row", "WIR-227", says: "Design documents have no row in the feed.",
      on: When("GET", .part("_changes")), at: "results"
    ) { rows in rows.filtered { !$0["id"].begins(with: "_design/") } },
    .instead(
      "design-not-deleted", "WIR-228", says: "The deletion of a design document has no effect.",
      on: When("DELETE", .design)
    ) { _ in WireResponse(200, json: ["ok": true, "rev": "2-0"]) },
    .instead(
      "design-no-attachments", "WIR-229", says: "Design documents have no attachments.",
      on: When("PUT", .attachment, where: { $0.segments[1] == "_design" })
    ) { _ in .failure(404, "not_found") },
  ]
}
