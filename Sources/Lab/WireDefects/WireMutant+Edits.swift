internal import JSON
internal import WireConformance

// Documents, continued: edits of leaves.

extension WireMutant {
  /// The revision that a request names.
  private static func revision(_ call: WireCall) -> JSONString? {
    call.parameter("rev").map { JSONString($0) } ?? call.json?["_rev"].textValue
  }

  /// Rejects an edit of a leaf that does not win.
  private static let onlyWinner: Exchange = { call, server throws(WireFailure) in
    let winner = try server.winner(of: call)
    if let revision = revision(call), let other = winner["_rev"].textValue, other != revision {
      return .failure(409, "conflict")
    }
    return try server.send(call.request)
  }

  static let ofEdits: [WireMutant] = [
    WireMutant(
      "same-body-no-edit", "WIR-084", says: "PUT of the current body writes nothing."
    ) { call, server throws(WireFailure) in
      let when = When("PUT", .document)
      guard when(call), let json = call.json, let rev = json["_rev"].textValue,
        try server.json(call.document).without("_id").without("_rev")
          == json.without("_rev")
      else { return try server.send(call.request) }
      return WireResponse(
        201, json: ["ok": true, "id": .text(call.segments[1]), "rev": .string(rev)])
    },
    .instead(
      "born-deleted-missing", "WIR-085", says: "A deletion of an unknown document answers 404.",
      on: When(
        "PUT", .document, where: { $0.json?["_deleted"] == true && $0.json?["_rev"] == .null })
    ) { _ in .failure(404, "not_found") },
    WireMutant(
      "delete-winner-only", "WIR-086", says: "Only the winner can be deleted."
    ) { call, server throws(WireFailure) in
      let when = When("DELETE", .document)
      return try when(call) ? onlyWinner(call, server) : server.send(call.request)
    },
    WireMutant(
      "put-winner-only", "WIR-087", says: "Only the winner can be edited."
    ) { call, server throws(WireFailure) in
      let when = When("PUT", .document, where: { $0.parameter("new_edits") == nil })
      return try when(call) ? onlyWinner(call, server) : server.send(call.request)
    },
    .value(
      "revs-count-only", "WIR-088", says: "A revision depends only on its generation.",
      on: When("PUT", .document), at: "rev"
    ) { rev in
      let generation = rev.textValue?.string.split(separator: "-").first ?? ""
      return .text("\(generation)-00000000000000000000000000000000")
    },
  ]
}
