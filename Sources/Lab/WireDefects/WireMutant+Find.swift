internal import JSON
internal import WireConformance

extension WireMutant {
  private static let find = When("POST", .part("_find"))

  /// Ignores a member of the body of _find.
  private static func ignores(
    _ name: String, _ clause: String, says sentence: String, member: JSONString
  ) -> WireMutant {
    .request(name, clause, says: sentence, on: find) { call in
      call.with(json: { $0 = $0.without(member) })
    }
  }

  /// Performs an operator as another one.
  private static func replaces(
    _ name: String, _ clause: String, says sentence: String,
    operators: KeyValuePairs<String, String>
  ) -> WireMutant {
    let names = operators.map { (JSONString($0.key), JSONString($0.value)) }
    return .request(name, clause, says: sentence, on: find) { call in
      call.with(json: { json in
        json = json.renamed { name in names.first { $0.0 == name }?.1 ?? name }
      })
    }
  }

  static let ofFind: [WireMutant] = [
    .value(
      "find-no-rev", "WIR-270", says: "Found documents have no _rev.", on: find,
      at: "docs.*._rev"
    ) { _ in nil },
    ignores("find-all-fields", "WIR-271", says: "fields is ignored.", member: "fields"),
    ignores("find-no-skip", "WIR-272", says: "skip is ignored.", member: "skip"),
    ignores("find-unsorted", "WIR-273", says: "sort is ignored.", member: "sort"),
    .status(
      "find-everything", "WIR-274", says: "_find needs no selector.", on: find, from: 400, to: 200),
    .value(
      "index-always-created", "WIR-275", says: "An existing index is created again.",
      on: When("POST", .part("_index")), at: "result"
    ) { _ in "created" },
    .value(
      "index-unlisted", "WIR-276", says: "Only the index of ids is listed.",
      on: When("GET", .part("_index")), at: "indexes"
    ) { $0.prefix(1) },
    .instead(
      "index-not-deleted", "WIR-277", says: "The removal of an index has no effect.",
      on: When("DELETE", .part("_index"))
    ) { _ in WireResponse(200, json: ["ok": true]) },
    .request(
      "explain-finds", "WIR-278", says: "_explain answers as _find.",
      on: When("POST", .part("_explain"))
    ) { call in
      var request = call.request
      request.path = JSONString("\(call.database)/_find")
      return request
    },
    .status(
      "find-operators-unchecked", "WIR-279", says: "An unknown operator matches nothing.",
      on: find, from: 400, to: 200),
    WireMutant(
      "find-deleted", "WIR-280", says: "Deleted documents are found."
    ) { call, server throws(WireFailure) in
      var response = try server.send(call.request)
      guard find(call) else { return response }
      let feed = try server.json("\(call.database)/_changes", query: "include_docs=true")
      let deleted = (feed["results"].arrayValue ?? []).map { $0["doc"] }
        .filter { $0["_deleted"] == true }
      response.edit { $0["docs"] = .array(($0["docs"].arrayValue ?? []) + deleted) }
      return response
    },
    replaces(
      "find-inclusive", "WIR-281", says: "`$gt` and `$lt` include the value.",
      operators: ["$gt": "$gte", "$lt": "$lte"]),
    replaces(
      "find-or-and", "WIR-282", says: "`$or` requires all selectors.",
      operators: ["$or": "$and"]),
    replaces(
      "find-all-first", "WIR-283", says: "`$all` is `$in`, and `$size` is ignored.",
      operators: ["$all": "$in", "$size": "$ne"]),
    .request(
      "find-literal-paths", "WIR-284", says: "A path with dots is the name of one member.",
      on: find
    ) { call in
      call.with(json: { json in
        json["selector"] = json["selector"].renamed { name in
          JSONString(
            String(
              decoding: Array(name.utf8).replacing(".", with: "\\."), as: UTF8.self))
        }
      })
    },
  ]
}
