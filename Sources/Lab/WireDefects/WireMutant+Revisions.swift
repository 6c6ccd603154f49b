internal import JSON
internal import WireConformance

extension WireMutant {
  /// Reads a document without a revision, as another leaf than the correct winner.
  private static func winner(
    _ name: String, _ clause: String, says sentence: String,
    choose: @escaping @Sendable (WireCall, _ document: JSONValue) -> JSONString?
  ) -> WireMutant {
    WireMutant(name, clause, says: sentence) { call, server throws(WireFailure) in
      let when = When("GET", .document, where: { $0.parameter("rev") == nil })
      guard when(call), let other = choose(call, try server.winner(of: call)) else {
        return try server.send(call.request)
      }
      return try server.send(call.with("rev", other.string))
    }
  }

  static let ofRevisions: [WireMutant] = [
    .value(
      "revisions-oldest-first", "WIR-090", says: "The ancestors are listed oldest first.",
      on: When("GET", .document), at: "_revisions.ids"
    ) { $0.reversed },
    .value(
      "revs-info-available", "WIR-091", says: "Every ancestor is called available.",
      on: When("GET", .document), at: "_revs_info.*.status"
    ) { _ in "available" },
    .value(
      "conflicts-reversed", "WIR-092", says: "The worst conflict is listed first.",
      on: When("GET", .document), at: "_conflicts"
    ) { $0.reversed },
    .ignores(
      "deleted-conflicts-ignored", "WIR-093", says: "deleted_conflicts is ignored.",
      on: When("GET", .document), parameter: "deleted_conflicts"),
    .ignores(
      "meta-ignored", "WIR-094", says: "meta is ignored.", on: When("GET", .document),
      parameter: "meta"),
    .response(
      "conflicts-empty", "WIR-095", says: "A document without conflicts has an empty list of them.",
      on: When("GET", .document, with: "conflicts")
    ) { _, response in
      response.edit { if $0["_conflicts"] == .null { $0["_conflicts"] = [] } }
    },
    .value(
      "open-revs-live", "WIR-096", says: "open_revs=all leaves deleted leaves out.",
      on: When("GET", .document, where: { $0.parameter("open_revs") == "all" })
    ) { leaves in leaves.filtered { $0["ok"]["_deleted"] != true } },
    .value(
      "open-revs-known", "WIR-097", says: "open_revs leaves unknown revisions out.",
      on: When("GET", .document, with: "open_revs")
    ) { leaves in leaves.filtered { $0["missing"] == .null } },
    .ignores(
      "latest-ignored", "WIR-098", says: "latest is ignored.", on: When("GET", .document),
      parameter: "latest"),
    .request(
      "open-revs-json", "WIR-099", says: "open_revs always answers JSON.",
      on: When("GET", .document, with: "open_revs")
    ) { call in call.with(header: "accept", "application/json") },
    .status(
      "open-revs-unknown", "WIR-100", says: "open_revs=all of an unknown document answers 200.",
      on: When("GET", .document, with: "open_revs"), from: 404, to: 200),
    .status(
      "open-revs-malformed", "WIR-101", says: "Malformed open_revs answer 500.",
      on: When("GET", .document, with: "open_revs"), from: 400, to: 500),
    winner(
      "winner-loses", "WIR-102", says: "The best conflict is read in place of the winner."
    ) { _, document in document["_conflicts"].arrayValue?.first?.textValue },
    .status(
      "losing-leaf-missing", "WIR-103", says: "A leaf that does not win cannot be read.",
      on: When("GET", .document, with: "rev"), from: 200, to: 404),
    winner(
      "winner-first-stored", "WIR-104", says: "The first stored leaf wins."
    ) { call, _ in
      call.earlierDocuments.first { $0["_id"] == .text(call.segments[1]) }?["_rev"]?.textValue
    },
    .response(
      "multipart-missing-unmarked", "WIR-105", says: "The part of an unknown revision has no mark.",
      on: When("GET", .document, with: "open_revs")
    ) { _, response in
      response.body = response.body.replacing("; error=\"true\"", with: "")
    },
  ]
}
