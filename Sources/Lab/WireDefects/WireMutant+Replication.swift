internal import JSON
internal import WireConformance

extension WireMutant {
  private static let purge = When("POST", .part("_purge"))
  /// Writes of a replicator.
  private static let write = When(
    "POST", .part("_bulk_docs"), where: { $0.json?["new_edits"] == false })

  /// Changes the documents that a replicator writes.
  private static func written(
    _ name: String, _ clause: String, says sentence: String,
    change: @escaping @Sendable (WireCall, [JSONValue]) -> [JSONValue]
  ) -> WireMutant {
    .request(name, clause, says: sentence, on: write) { call in
      call.with(json: { $0["docs"] = .array(change(call, $0["docs"].arrayValue ?? [])) })
    }
  }

  static let ofReplication: [WireMutant] = [
    .value(
      "purge-unreported", "WIR-288", says: "_purge does not list what it removed.", on: purge,
      at: "purged"
    ) { _ in [:] },
    WireMutant(
      "purge-deletes", "WIR-289", says: "_purge deletes documents and keeps the deletions."
    ) { call, server throws(WireFailure) in
      guard purge(call), let requested = call.json?.objectValue else {
        return try server.send(call.request)
      }
      for member in requested.members {
        for case let rev? in member.value.arrayValue?.map(\.textValue) ?? [] {
          _ = try server.send(
            WireRequest(
              "DELETE", JSONString("\(call.database)/\(member.name)"),
              query: JSONString("rev=\(rev)")))
        }
      }
      return WireResponse(201, json: ["purged": .object(requested)])
    },
    WireMutant(
      "purge-any", "WIR-290", says: "_purge removes the leaf of any revision."
    ) { call, server throws(WireFailure) in
      guard purge(call), let requested = call.json?.objectValue else {
        return try server.send(call.request)
      }
      var leaves: JSONObject = [:]
      for member in requested.members {
        leaves[member.name] = [try server.json("\(call.database)/\(member.name)")["_rev"]]
      }
      return try server.send("POST", call.request.path.string, json: .object(leaves))
    },
    .instead(
      "purge-known", "WIR-291", says: "_revs_diff keeps purged revisions.",
      on: When("POST", .part("_revs_diff"), after: .part("_purge"))
    ) { _ in WireResponse(200, json: [:]) },
    .status(
      "purge-whole", "WIR-292", says: "_purge of a leaf removes the document.",
      on: When("GET", .document, after: .part("_purge")), from: 200, to: 404),
    .value(
      "checkpoint-no-history", "WIR-295", says: "A checkpoint is read without its history.",
      on: When("GET", .local), at: "history"
    ) { _ in nil },
    .value(
      "replicated-no-ancestors", "WIR-296", says: "A replicator gets no ancestors.",
      on: When("POST", .part("_bulk_get")), at: "results.*.docs.*.ok._revisions"
    ) { _ in nil },
    reportsAll(
      "replicated-always-missing", "WIR-297", says: "Replicated revisions stay missing."),
    .value(
      "replicated-conflicts-lost", "WIR-298", says: "Replicated conflicts are not listed.",
      on: When("GET", .document), at: "_conflicts"
    ) { _ in nil },
    written(
      "replicated-deletion-lost", "WIR-299", says: "Deletions are not replicated."
    ) { _, documents in documents.filter { $0["_deleted"] != true } },
    written(
      "replicated-revpos-lost", "WIR-300", says: "Replicated attachments lose their revpos."
    ) { _, documents in
      documents.map { document in
        var document = document
        document.change(at: ["_attachments", "*", "revpos"]) { _ in nil }
        return document
      }
    },
    .ignores(
      "checkpoint-from-start", "WIR-301", says: "The feed begins at its start after a checkpoint.",
      on: When("GET", .part("_changes"), after: .local), parameter: "since"),
    .value(
      "replicated-winner-only", "WIR-302", says: "Only the winner of replicated leaves stays.",
      on: When("GET", .document, with: "open_revs")
    ) { $0.prefix(1) },
    listsLocal(
      "replicated-local", "WIR-303", says: "The feed of a replicator lists local documents."),
    .ignores(
      "replicated-outdated", "WIR-304", says: "A replicator gets the outdated revision.",
      on: When("POST", .part("_bulk_get")), parameter: "latest"),
    written(
      "replicated-stays-deleted", "WIR-305", says: "A replicated document stays deleted."
    ) { call, documents in
      let deleted = call.earlierDocuments.filter { $0["_deleted"] == true }
      return documents.filter { document in !deleted.contains { $0["_id"] == document["_id"] } }
    },
    written(
      "replicated-one-leaf", "WIR-306", says: "One leaf of a replicated document is stored."
    ) { _, documents in
      documents.enumerated().filter { index, document in
        !documents[..<index].contains { $0["_id"] == document["_id"] }
      }.map(\.element)
    },
  ]
}
