internal import JSON
internal import WireConformance

extension WireMutant {
  private static let bulk = When("POST", .part("_bulk_docs"))
  private static let bulkGet = When("POST", .part("_bulk_get"))
  /// Edits of clients.
  private static let edits = When(
    "POST", .part("_bulk_docs"), where: { $0.json?["new_edits"] != false })
  /// Writes of a replicator.
  private static let replicated = When(
    "POST", .part("_bulk_docs"), where: { $0.json?["new_edits"] == false })

  /// The request with changed documents.
  private static func documents(
    _ call: WireCall, _ change: ([JSONValue]) -> [JSONValue]
  ) -> WireRequest {
    call.with(json: { json in
      guard let documents = json["docs"].arrayValue else { return }
      json["docs"] = .array(change(documents))
    })
  }

  /// The first document with each id.
  private static func firsts(_ documents: [JSONValue]) -> [JSONValue] {
    documents.enumerated().filter { index, document in
      !documents[..<index].contains { $0["_id"] == document["_id"] }
    }.map(\.element)
  }

  static let ofBulk: [WireMutant] = [
    .value(
      "bulk-reversed", "WIR-120", says: "The results of _bulk_docs are in another order.",
      on: bulk
    ) { $0.reversed },
    .response(
      "bulk-conflict-fails", "WIR-121", says: "One conflict fails the whole _bulk_docs.", on: bulk
    ) { _, response in
      let hasConflict = response.json.arrayValue?.contains { $0["error"] == "conflict" } == true
      if hasConflict { response = .failure(409, "conflict") }
    },
    WireMutant(
      "bulk-stores-valid", "WIR-122", says: "The well-formed documents are stored in any case."
    ) { call, server throws(WireFailure) in
      let response = try server.send(call.request)
      guard bulk(call), response.status == 400 else { return response }
      for document in call.json?["docs"].arrayValue ?? [] {
        _ = try server.send(
          "POST", call.request.path.string, json: ["docs": [document]])
      }
      return response
    },
    .status(
      "bulk-no-docs", "WIR-123", says: "_bulk_docs without documents succeeds.", on: bulk,
      from: 400, to: 201),
    .instead(
      "bulk-empty-fails", "WIR-124", says: "_bulk_docs with no documents is a bad request.",
      on: When("POST", .part("_bulk_docs"), where: { $0.json?["docs"] == [] })
    ) { _ in .failure(400, "bad_request") },
    .instead(
      "bulk-needs-ids", "WIR-125", says: "_bulk_docs rejects documents without an id.",
      on: When(
        "POST", .part("_bulk_docs"),
        where: { $0.json?["docs"].arrayValue?.contains { $0["_id"] == .null } == true })
    ) { _ in .failure(400, "bad_request") },
    .response(
      "bulk-replicated-listed", "WIR-126", says: "Replicated writes are answered one by one.",
      on: replicated
    ) { call, response in
      let documents = call.json?["docs"].arrayValue ?? []
      response.edit {
        $0 = .array(documents.map { ["ok": true, "id": $0["_id"], "rev": $0["_rev"]] })
      }
    },
    repeatsRow("bulk-again-row", "WIR-127", says: "A repeated replicated write has a new row."),
    .response(
      "bulk-replaces-body", "WIR-128", says: "A replicated write replaces the body of a revision.",
      on: When("GET", .document)
    ) { call, response in
      let last = call.earlierDocuments.last { $0["_id"] == .text(call.segments[1]) }
      response.edit { json in
        for member in last?.members ?? [] where member.name.utf8.first != UInt8(ascii: "_") {
          json[member.name] = member.value
        }
      }
    },
    .request(
      "bulk-no-rev-edits", "WIR-129",
      says: "A replicated document without a revision is stored as an edit.", on: replicated
    ) { call in
      call.with(json: { json in
        let lacksRevision = json["docs"].arrayValue?.contains { $0["_rev"] == .null } == true
        if lacksRevision { json["new_edits"] = true }
      })
    },
    .request(
      "bulk-forgets-ancestors", "WIR-130", says: "Replicated revisions have no ancestors.",
      on: replicated
    ) { call in documents(call) { $0.map { $0.without("_revisions") } } },
    .request(
      "bulk-first-of-id", "WIR-131", says: "Of several revisions, the first is stored.",
      on: replicated
    ) { call in documents(call, firsts) },
    .request(
      "bulk-deletes-nothing", "WIR-132", says: "_bulk_docs ignores _deleted of edits.", on: edits
    ) { call in documents(call) { $0.map { $0.without("_deleted") } } },
    WireMutant(
      "bulk-last-of-id", "WIR-133", says: "Of two new documents with one id, the last is stored."
    ) { call, server throws(WireFailure) in
      guard edits(call) else { return try server.send(call.request) }
      var response = try server.send(documents(call) { $0.reversed() })
      response.edit { $0 = $0.reversed }
      return response
    },
    WireMutant(
      "bulk-replicated-conflict", "WIR-134", says: "A replicated conflict is rejected."
    ) { call, server throws(WireFailure) in
      guard replicated(call), let document = call.json?["docs"].arrayValue?.first,
        let id = document["_id"].textValue,
        try server.json("\(call.database)/\(id)")["_rev"].textValue != nil
      else { return try server.send(call.request) }
      return WireResponse(201, json: [["id": .string(id), "error": "conflict"]])
    },
    .status(
      "bulk-method", "WIR-135", says: "GET of _bulk_docs answers 404.",
      on: When("GET", .part("_bulk_docs")), to: 404),
    .status(
      "bulk-json", "WIR-136", says: "_bulk_docs with malformed JSON answers 500.", on: bulk,
      from: 400, to: 500),
    .value(
      "bulk-get-reversed", "WIR-140", says: "The results of _bulk_get are in another order.",
      on: bulkGet, at: "results"
    ) { $0.reversed },
    .value(
      "bulk-get-known", "WIR-141", says: "_bulk_get leaves unknown revisions out.", on: bulkGet,
      at: "results.*.docs"
    ) { documents in documents.filtered { $0["error"] == .null } },
    .value(
      "bulk-get-one", "WIR-142", says: "_bulk_get answers one leaf.", on: bulkGet,
      at: "results.*.docs"
    ) { $0.prefix(1) },
    .ignores(
      "bulk-get-revs", "WIR-143", says: "_bulk_get ignores revs.", on: bulkGet, parameter: "revs"),
    .ignores(
      "bulk-get-latest", "WIR-144", says: "_bulk_get ignores latest.", on: bulkGet,
      parameter: "latest"),
    .ignores(
      "bulk-get-attachments", "WIR-145", says: "_bulk_get ignores attachments.", on: bulkGet,
      parameter: "attachments"),
    .status(
      "bulk-get-no-docs", "WIR-146", says: "_bulk_get without documents succeeds.", on: bulkGet,
      from: 400, to: 200),
    .value(
      "bulk-get-deleted", "WIR-147", says: "_bulk_get does not mark deletions.", on: bulkGet,
      at: "results.*.docs.*.ok._deleted"
    ) { _ in nil },
  ]

  private static let diff = When("POST", .part("_revs_diff"))

  /// Answers that all requested revisions are missing.
  static func reportsAll(_ name: String, _ clause: String, says sentence: String) -> WireMutant {
    .response(name, clause, says: sentence, on: diff) { call, response in
      let requested = call.json?.objectValue?.members ?? []
      response.edit {
        $0 = .object(JSONObject(requested.map { ($0.name, ["missing": $0.value]) }))
      }
    }
  }

  static let ofDifferences: [WireMutant] = [
    .value(
      "diff-first", "WIR-150", says: "_revs_diff lists the first missing revision.", on: diff,
      at: "*.missing"
    ) { $0.prefix(1) },
    reportsAll("diff-all", "WIR-151", says: "_revs_diff lists known revisions, too."),
    .value(
      "diff-no-ancestors", "WIR-152", says: "_revs_diff names no possible ancestors.", on: diff,
      at: "*.possible_ancestors"
    ) { _ in nil },
    .instead(
      "diff-empty", "WIR-153", says: "_revs_diff of nothing is a bad request.",
      on: When("POST", .part("_revs_diff"), where: { $0.json == [:] })
    ) { _ in .failure(400, "bad_request") },
    .status(
      "diff-malformed", "WIR-154", says: "_revs_diff accepts malformed revisions.", on: diff,
      from: 400, to: 200),
    .response(
      "diff-empty-lists", "WIR-155", says: "_revs_diff has empty lists for known documents.",
      on: diff
    ) { call, response in
      let requested = call.json?.objectValue?.members ?? []
      response.edit { json in
        for member in requested where json[member.name] == .null {
          json[member.name] = ["missing": []]
        }
      }
    },
    .value(
      "missing-revs-bare", "WIR-156", says: "_missing_revs answers without missing_revs.",
      on: When("POST", .part("_missing_revs"))
    ) { $0["missing_revs"] },
    WireMutant(
      "diff-bodies", "WIR-157", says: "_revs_diff lists ancestors without a body."
    ) { call, server throws(WireFailure) in
      guard diff(call), let requested = call.json?.objectValue else {
        return try server.send(call.request)
      }
      var result: JSONObject = [:]
      for member in requested.members {
        var missing: [JSONValue] = []
        for case let rev? in member.value.arrayValue?.map(\.textValue) ?? [] {
          let found = try server.json("\(call.database)/\(member.name)", query: "rev=\(rev)")
          if found["_rev"] == .null { missing.append(.string(rev)) }
        }
        if !missing.isEmpty { result[member.name] = ["missing": .array(missing)] }
      }
      return WireResponse(200, json: .object(result))
    },
  ]
}
