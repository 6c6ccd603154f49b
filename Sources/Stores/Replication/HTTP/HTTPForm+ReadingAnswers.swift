public import Datastore
public import JSON

/// Decoding of HTTP responses, as servers of the family send them.
extension HTTPForm {
  /// The typed response; throws if the response cannot be interpreted, which is equivalent to a
  /// lost response.
  public func read(
    _ response: HTTPResponse, to request: PeerRequest
  ) throws(DecodingFailure) -> PeerResponse {
    if case .readAttachment(_, _, let name, let offset, _) = request,
      response.status == 416 || response.status == 200 || response.status == 206
    {
      return .ok(.attachment(try Self.piece(response, of: name, from: offset ?? 0)))
    }
    guard (200...299).contains(response.status) else {
      if let object = response.body?.objectValue, let error = DatastoreError(members: object) {
        return .refused(error)
      }
      return .status(Int(response.status))
    }
    let body = response.body ?? .null
    switch request {
    case .info: return .ok(.info(try Self.info(body)))
    case .changes(let since, let limit, _):
      return .ok(.changes(try Self.page(body, since: since, limit: limit)))
    case .revsDiff: return .ok(.revsDiff(try Self.differences(body)))
    case .getRevisions(let queries):
      return .ok(.revisions(try Self.answers(body, to: queries)))
    case .insertRevisions(let records):
      return .ok(.inserted(try Self.errors(body, of: records)))
    case .readLocal:
      guard case .object(var object) = body else {
        throw DecodingFailure(path: "", expected: "a local document", found: body)
      }
      object["_id"] = nil
      object["_rev"] = nil
      return .ok(.local(body: .object(object)))
    case .writeLocal, .flush: return .ok(.done)
    case .putBlob:
      var reader = try ObjectReader(body)
      return .ok(.held(try reader.integer("held")))
    case .readAttachment:
      throw DecodingFailure(
        path: "", message: "status \(response.status) is not a chunk of content")
    }
  }

  private static func info(_ body: JSONValue) throws(DecodingFailure) -> StoreInfo {
    var reader = try ObjectReader(body)
    return StoreInfo(
      documents: try reader.optionalInteger("doc_count") ?? 0,
      deletedDocuments: try reader.optionalInteger("doc_del_count") ?? 0,
      last: try UpdateSequence(try reader.required("update_seq"), path: "update_seq"),
      incarnation: try reader.text("instance_start_time"))
  }

  private static func page(
    _ body: JSONValue, since: UpdateSequence?, limit: Int64
  ) throws(DecodingFailure) -> ChangesPage {
    var reader = try ObjectReader(body)
    let rows = try reader.elements("results") { (element, path) throws(DecodingFailure) in
      try row(element, path)
    }
    let last = try UpdateSequence(try reader.required("last_seq"), path: "last_seq")
    // Without `pending`, only a full page can have a successor. With a filter, some servers count
    // excluded rows forever, so an empty page that does not advance is the end.
    var more = Int64(rows.count) >= limit
    if let pending = try reader.optionalInteger("pending") {
      more = pending > 0 && !(rows.isEmpty && last == since)
    }
    return ChangesPage(rows: rows, last: last, more: more)
  }

  private static func row(
    _ element: JSONValue, _ path: String
  ) throws(DecodingFailure) -> ChangesRow {
    var reader = try ObjectReader(element, path: path)
    let deleted = try reader.optionalBool("deleted") ?? false
    return ChangesRow(
      seq: try UpdateSequence(try reader.required("seq"), path: reader.path(to: "seq")),
      id: DocumentID(try reader.text("id")), deleted: deleted,
      leaves: Leaves(
        try reader.elements("changes") { (element, path) throws(DecodingFailure) in
          var reader = try ObjectReader(element, path: path)
          // If the winner is deleted, all leaves are. For other leaves the state is unknown;
          // treating them as live only causes a look-up.
          return Leaf(
            rev: RevisionID(try reader.text("rev")),
            deleted: try reader.optionalBool("deleted") ?? deleted)
        }))
  }

  private static func differences(_ body: JSONValue) throws(DecodingFailure) -> [Difference] {
    guard case .object(let object) = body else {
      throw DecodingFailure(path: "", expected: "an object", found: body)
    }
    var differences: [Difference] = []
    for member in object.members {
      var reader = try ObjectReader(member.value, path: member.name.string)
      func revisions(_ name: JSONString) throws(DecodingFailure) -> [RevisionID] {
        try reader.optionalElements(name) { (element, path) throws(DecodingFailure) in
          try RevisionID(element, path: path)
        } ?? []
      }
      differences.append(
        Difference(
          id: DocumentID(member.name), missing: try revisions("missing"),
          possibleAncestors: try revisions("possible_ancestors")))
    }
    return differences
  }

  /// The answer for each requested revision; a revision that is not found has no answer.
  private static func answers(
    _ body: JSONValue, to queries: [RevisionQuery]
  ) throws(DecodingFailure) -> [RevisionAnswer] {
    var reader = try ObjectReader(body)
    let results = try reader.elements("results") { (element, path) throws(DecodingFailure) in
      var reader = try ObjectReader(element, path: path)
      return (id: try reader.text("id"), docs: try reader.array("docs"))
    }
    let asked = queries.flatMap { query in query.revs.map { (query, $0) } }
    // Most servers answer in the order of the request; others group the revisions of a document.
    let isInOrder =
      results.count == asked.count && zip(results, asked).allSatisfy { $0.id == $1.0.id.text }
    var answers: [RevisionAnswer] = []
    for (place, (query, rev)) in asked.enumerated() {
      let docs =
        isInOrder
        ? results[place].docs
        : results.filter { $0.id == query.id.text }.flatMap { $0.docs }
      guard let found = found(rev, of: query, in: docs, isOwn: isInOrder) else { continue }
      answers.append(RevisionAnswer(id: query.id, rev: rev, found: found))
    }
    return answers
  }

  private static func found(
    _ rev: RevisionID, of query: RevisionQuery, in docs: [JSONValue], isOwn: Bool
  ) -> RevisionAnswer.Found? {
    var records: [RevisionRecord] = []
    for doc in docs {
      if let ok = doc.objectValue?["ok"] {
        let record = RevisionRecord(document: ok)
        // A document that cannot be parsed invalidates the answer; it is requested again.
        guard record.id == query.id, !record.path.isEmpty else { return nil }
        let answersThis = query.latest ? record.path.contains(rev) : record.path[0] == rev
        if isOwn || answersThis { records.append(record) }
      } else if let error = doc.objectValue?["error"]?.objectValue,
        isOwn || error["rev"]?.textValue == rev.text
      {
        switch DatastoreError(members: error)?.kind {
        case .notFound(.bodyMissing): return .bodyMissing
        case .notFound: return .missing
        default: return nil
        }
      }
    }
    return records.isEmpty ? nil : .records(records)
  }

  /// One result per record; servers list only the failures.
  private static func errors(
    _ body: JSONValue, of records: [RevisionRecord]
  ) throws(DecodingFailure) -> [DatastoreError?] {
    var errors: [DatastoreError?] = Array(repeating: nil, count: records.count)
    for (place, item) in try body.array(at: "").enumerated() {
      guard let object = item.objectValue, object["error"] != nil else { continue }
      // Any other error may be temporary.
      let error =
        DatastoreError(members: object)
        ?? DatastoreError(.storage(.io), object["error"]?.serialized() ?? "")
      let id = object["id"]?.textValue
      let rev = object["rev"]?.textValue
      let places = records.indices.filter {
        records[$0].id.text == id && (rev == nil || records[$0].path.first?.text == rev)
      }
      guard !places.isEmpty else {
        throw DecodingFailure(
          path: "[\(place)]", message: "an error for a record that was not sent")
      }
      for place in places { errors[place] = error }
    }
    return errors
  }
}
