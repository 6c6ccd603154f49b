internal import JSON
internal import WireConformance

extension WireMutant {
  private static let feed = When("GET|POST", .part("_changes"))

  private static func feed(_ name: String, is value: String) -> When {
    When("GET|POST", .part("_changes"), where: { $0.parameter(name) == value })
  }

  /// Adds a row for each local document that was written.
  static func listsLocal(
    _ name: String, _ clause: String, says sentence: String
  ) -> WireMutant {
    .response(name, clause, says: sentence, on: feed) { call, response in
      let local = call.earlier.filter {
        $0.resource == .local && $0.request.method == "PUT" && $0.database == call.database
      }
      response.edit { json in
        guard let rows = json["results"].arrayValue else { return }
        let more = local.map { call -> JSONValue in
          [
            "seq": 0, "id": .text(call.segments.dropFirst().joined(separator: "/")),
            "changes": [["rev": "0-1"]],
          ]
        }
        json["results"] = .array(rows + more)
      }
    }
  }

  /// Adds a row of the last replicated document to a feed without rows.
  static func repeatsRow(
    _ name: String, _ clause: String, says sentence: String
  ) -> WireMutant {
    .response(name, clause, says: sentence, on: feed) { call, response in
      guard let last = call.earlierDocuments.last else { return }
      response.edit { json in
        guard json["results"] == [] else { return }
        json["results"] = [
          ["seq": 0, "id": last["_id"] ?? .null, "changes": [["rev": last["_rev"] ?? .null]]]
        ]
      }
    }
  }

  static let ofChanges: [WireMutant] = [
    .value(
      "changes-no-seq", "WIR-160", says: "Rows have no sequence.", on: feed, at: "results.*.seq"
    ) { _ in nil },
    .value(
      "changes-every-edit", "WIR-161", says: "The feed keeps a row for each edit.", on: feed,
      at: "results"
    ) { rows in .array((rows.arrayValue ?? []).flatMap { [$0, $0] }) },
    .value(
      "changes-unmarked", "WIR-162", says: "Rows of deleted documents are not marked.", on: feed,
      at: "results.*.deleted"
    ) { _ in nil },
    .ignores(
      "changes-from-start", "WIR-163", says: "Every feed begins at its start.", on: feed,
      parameter: "since"),
    .ignores(
      "changes-now-is-0", "WIR-164", says: "since=now is the start of the feed.",
      on: feed("since", is: "now"), parameter: "since"),
    .ignores(
      "changes-unlimited", "WIR-165", says: "limit is ignored.", on: feed, parameter: "limit"),
    WireMutant(
      "changes-page-end", "WIR-166",
      says: "last_seq of a limited feed is the sequence of the database."
    ) { call, server throws(WireFailure) in
      var response = try server.send(call.request)
      guard feed(call), call.parameter("limit") != nil else { return response }
      let whole = try server.send(call.with("limit", nil)).json
      response.edit { $0["last_seq"] = whole["last_seq"] }
      return response
    },
    .value(
      "changes-deleted-null", "WIR-168", says: "The document of a deletion is null.", on: feed,
      at: "results.*.doc"
    ) { $0["_deleted"] == true ? .null : $0 },
    .ignores(
      "changes-main-only", "WIR-169", says: "style is ignored.", on: feed, parameter: "style"),
    .request(
      "changes-all-leaves", "WIR-170", says: "The feed always lists all leaves.", on: feed
    ) { $0.with("style", "all_docs") },
    .ignores(
      "changes-unfiltered-ids", "WIR-171", says: "The filter _doc_ids is ignored.",
      on: feed("filter", is: "_doc_ids"), parameter: "filter"),
    .ignores(
      "changes-unfiltered-selector", "WIR-172", says: "The filter _selector is ignored.",
      on: feed("filter", is: "_selector"), parameter: "filter"),
    .retry(
      "changes-since-unchecked", "WIR-173", says: "A malformed since is the start of the feed.",
      on: feed, after: 400
    ) { call, _ in call.with("since", nil) },
    .request(
      "changes-longpoll-later", "WIR-174", says: "longpoll waits for changes after the request.",
      on: feed("feed", is: "longpoll")
    ) { call in WireCall(call.with("since", "now")).with("timeout", "200") },
    .response(
      "changes-longpoll-no-end", "WIR-175", says: "longpoll without rows has no last_seq.",
      on: feed("feed", is: "longpoll")
    ) { _, response in
      response.edit { if $0["results"] == [] { $0 = $0.without("last_seq") } }
    },
    .ignores(
      "changes-continuous-normal", "WIR-176", says: "feed=continuous answers the normal feed.",
      on: feed("feed", is: "continuous"), parameter: "feed"),
    .response(
      "changes-continuous-no-end", "WIR-177", says: "feed=continuous ends without last_seq.",
      on: feed("feed", is: "continuous")
    ) { _, response in
      let lines = response.body.split(separator: UInt8(ascii: "\n"))
      let rows = lines.filter { (try? JSONValue.parse($0))?["last_seq"] == .null }
      response.body = rows.flatMap { $0 + [UInt8(ascii: "\n")] }
    },
    listsLocal("changes-local", "WIR-178", says: "Local documents have rows."),
    repeatsRow(
      "changes-known-again", "WIR-179",
      says: "A replicated write of a known revision moves the row of the document."),
    .value(
      "changes-losing-unseen", "WIR-180", says: "A leaf that does not win moves no row.",
      on: When("GET", .part("_changes"), with: "since"), at: "results"
    ) { rows in rows.filtered { $0["changes"].arrayValue?.count == 1 } },
    .retry(
      "changes-feed-unchecked", "WIR-181", says: "An unknown feed is the normal one.", on: feed,
      after: 400
    ) { call, _ in call.with("feed", nil) },
    .ignores(
      "changes-unfiltered-design", "WIR-182", says: "The filter _design is ignored.",
      on: feed("filter", is: "_design"), parameter: "filter"),
    .request(
      "changes-post-query", "WIR-184", says: "POST of _changes ignores the query.",
      on: When("POST", .part("_changes"))
    ) { call in
      var request = call.request
      request.query = nil
      return request
    },
    .ignores(
      "changes-no-conflicts", "WIR-185", says: "The feed ignores conflicts.", on: feed,
      parameter: "conflicts"),
  ]
}
