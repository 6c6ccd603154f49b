public import Datastore
public import JSON

/// Encoding of typed responses as HTTP.
extension HTTPForm {
  /// The response as HTTP; throws if a body or a path cannot be encoded, or if it is not a response
  /// to this request.
  public func response(
    _ response: PeerResponse, to request: PeerRequest
  ) throws(DecodingFailure) -> HTTPResponse {
    switch response {
    case .status(let code): return HTTPResponse(Int64(code))
    case .refused(let error):
      return HTTPResponse(error.status, body: .object(JSONObject(error.members)))
    case .ok(let result):
      switch (request, result) {
      case (.info, .info(let info)): return HTTPResponse(200, body: body(info))
      case (.changes, .changes(let page)): return HTTPResponse(200, body: Self.body(page))
      case (.revsDiff, .revsDiff(let differences)):
        return HTTPResponse(200, body: Self.body(differences))
      case (.getRevisions, .revisions(let answers)):
        return HTTPResponse(200, body: try Self.body(answers))
      case (.insertRevisions(let records), .inserted(let errors)):
        return HTTPResponse(201, body: Self.body(errors, records))
      case (.readLocal(let id), .local(.object(var object))):
        object["_id"] = .text("_local/\(id.text)")
        object["_rev"] = "0-1"
        return HTTPResponse(200, body: .object(object))
      case (.writeLocal(let id, _), .done):
        return HTTPResponse(
          201, body: ["ok": true, "id": .text("_local/\(id.text)"), "rev": "0-1"])
      case (.flush, .done): return HTTPResponse(201, body: ["ok": true])
      case (.readAttachment, .attachment(let piece)): return Self.response(piece)
      case (.putBlob, .held(let count)):
        return HTTPResponse(200, body: ["ok": true, "held": .integer(count)])
      default:
        throw DecodingFailure(
          path: "", message: "\(result) is not a response to \(request.action.name)")
      }
    }
  }

  private func body(_ info: StoreInfo) -> JSONValue {
    [
      "db_name": .string(database.dropping(prefix: "/") ?? database),
      "doc_count": .integer(info.documents), "doc_del_count": .integer(info.deletedDocuments),
      "update_seq": info.last.json, "instance_start_time": .string(info.incarnation),
    ]
  }

  private static func body(_ page: ChangesPage) -> JSONValue {
    let rows = page.rows.map { row -> JSONValue in
      var object: JSONObject = [
        "seq": row.seq.json, "id": row.id.json,
        // Servers state only for the winner whether it is deleted; additional information is
        // harmless.
        "changes": .array(
          row.leaves.map {
            $0.deleted ? ["rev": $0.rev.json, "deleted": true] : ["rev": $0.rev.json]
          }),
      ]
      if row.deleted { object["deleted"] = true }
      return .object(object)
    }
    return [
      "results": .array(rows), "last_seq": page.last.json, "pending": page.more ? 1 : 0,
    ]
  }

  private static func body(_ differences: [Difference]) -> JSONValue {
    var object = JSONObject()
    for difference in differences {
      var entry: JSONObject = ["missing": .array(difference.missing.map { $0.json })]
      if !difference.possibleAncestors.isEmpty {
        entry["possible_ancestors"] = .array(difference.possibleAncestors.map { $0.json })
      }
      object[difference.id.text] = .object(entry)
    }
    return .object(object)
  }

  private static func body(_ answers: [RevisionAnswer]) throws(DecodingFailure) -> JSONValue {
    var results: [JSONValue] = []
    for answer in answers {
      var docs: [JSONValue] = []
      switch answer.found {
      case .records(let records):
        for record in records { docs.append(["ok": try record.document(path: "results")]) }
      case .missing: docs.append(answer.error(.missing))
      case .bodyMissing: docs.append(answer.error(.bodyMissing))
      }
      results.append(["id": answer.id.json, "docs": .array(docs)])
    }
    return ["results": .array(results)]
  }

  /// Only failures are listed, as servers do for replicated documents.
  private static func body(
    _ errors: [DatastoreError?], _ records: [RevisionRecord]
  ) -> JSONValue {
    var items: [JSONValue] = []
    for (record, error) in zip(records, errors) {
      guard let error else { continue }
      var members: [(JSONString, JSONValue)] = [("id", record.id.json)]
      if let rev = record.path.first { members.append(("rev", rev.json)) }
      items.append(.object(JSONObject(members + error.members)))
    }
    return .array(items)
  }
}

extension RevisionAnswer {
  fileprivate func error(_ absence: DatastoreError.Absence) -> JSONValue {
    let members: [(JSONString, JSONValue)] = [("id", id.json), ("rev", rev.json)]
    return [
      "error": .object(JSONObject(members + DatastoreError(.notFound(absence)).members))
    ]
  }
}
