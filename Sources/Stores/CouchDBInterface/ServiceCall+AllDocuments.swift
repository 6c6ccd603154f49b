#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// `_all_docs` and `_design_docs`.
  extension ServiceCall {
    func allDocuments(prefix: JSONString?) throws(ServiceError) -> ServerResponse {
      try withDatabase { _ in }
      let isPost = request.method.utf8.elementsEqual("POST".utf8)
      let query = try ListQuery(self, body: isPost ? try object() : [:], prefix: prefix)
      return .json(
        200,
        try withDatabase { (database) throws(ServiceError) in try database.list(query) })
    }

    func allDocumentsQueries() throws(ServiceError) -> ServerResponse {
      try withDatabase { _ in }
      guard let queries = try object()["queries"]?.arrayValue else {
        throw .badRequest("`queries` member must exist.")
      }
      var results: [JSONValue] = []
      for one in queries {
        let query = try ListQuery(self, body: one.objectValue ?? [:], prefix: nil)
        results.append(
          try withDatabase { (database) throws(ServiceError) in try database.list(query) })
      }
      return .json(200, ["results": .array(results)])
    }
  }

  /// The parameters of a list of documents, from the query and from the body.
  struct ListQuery {
    var start: JSONString?
    var end: JSONString?
    var includesEnd = true
    var isDescending = false
    var limit = Int64.max
    var skip: Int64 = 0
    var keys: [JSONValue]?
    var includesDocuments = false
    var includesSequence = false
    var options = ReadingOptions()
    /// The beginning of all listed ids.
    let prefix: JSONString?
    /// A key that no id equals, because it is not a string.
    var isEmpty = false

    init(_ call: ServiceCall, body: JSONObject, prefix: JSONString?) throws(ServiceError) {
      self.prefix = prefix
      func value(_ names: JSONString...) throws(ServiceError) -> JSONValue? {
        for name in names {
          if let value = body[name] { return value }
          if let text = call.parameters[name] {
            guard let value = try? JSONValue.parse(text.utf8) else {
              throw .badRequest("invalid UTF-8 JSON")
            }
            return value
          }
        }
        return nil
      }
      func flag(_ name: JSONString, _ value: Bool = false) throws(ServiceError) -> Bool {
        if case .bool(let given)? = body[name] { return given }
        return try call.flag(name, default: value)
      }
      if try call.flag("reduce") {
        throw .parse("Reduce is invalid for map-only views.")
      }
      if try call.flag("group") { throw .parse("Invalid use of grouping on a map view.") }
      func count(_ name: JSONString) throws(ServiceError) -> Int64? {
        if let given = body[name]?.integerValue, given >= 0 { return given }
        return try call.count(name)
      }
      isDescending = try flag("descending")
      includesEnd = try flag("inclusive_end", true)
      includesDocuments = try flag("include_docs")
      includesSequence = try flag("update_seq")
      options.conflicts = try flag("conflicts")
      if try flag("attachments") { options.attachmentsSince = [] }
      limit = try count("limit") ?? .max
      skip = try count("skip") ?? 0
      if let list = try value("keys") {
        guard let found = list.arrayValue else {
          throw .badRequest("`keys` body member must be an array.")
        }
        keys = found
      }
      if let key = try value("key") {
        (start, end) = (key.textValue, key.textValue)
        isEmpty = key.textValue == nil
      }
      start = try value("start_key", "startkey", "start_key_doc_id")?.textValue ?? start
      end = try value("end_key", "endkey", "end_key_doc_id")?.textValue ?? end
      if let prefix {
        // The ids with a prefix lie between it and the next text of its length.
        let last = JSONString(prefix.string.dropLast() + "0")
        let (first, second) = isDescending ? (last, prefix) : (prefix, last)
        start = start ?? first
        end = end ?? second
        if end == last || end == prefix { includesEnd = false }
      }
    }

    func isAfterEnd(_ id: JSONString) -> Bool {
      guard let end else { return false }
      if id == end { return !includesEnd }
      return isDescending ? id.precedesBytewise(end) : end.precedesBytewise(id)
    }
  }

  extension OpenDatabase {
    func list(_ query: ListQuery) throws(ServiceError) -> JSONValue {
      let info = try info()
      var rows: [JSONValue] = []
      var offset: JSONValue = .null
      if let keys = query.keys {
        for key in keys { rows.append(try row(forKey: key, query)) }
        rows = Array(
          rows.dropFirst(Int(min(query.skip, 1 << 31))).prefix(Int(min(query.limit, 1 << 31))))
      } else if query.isEmpty {
        offset = .integer(info.documents)
      } else {
        (rows, offset) = try page(query)
      }
      var members: [(JSONString, JSONValue)] = [
        ("total_rows", .integer(info.documents)), ("offset", offset), ("rows", .array(rows)),
      ]
      if query.includesSequence { members.append(("update_seq", info.last.json)) }
      return .object(JSONObject(members))
    }

    private static let pageRows: Int64 = 1000

    /// The rows between the keys, and the number of documents before them.
    private func page(_ query: ListQuery) throws(ServiceError) -> ([JSONValue], JSONValue) {
      var rows: [JSONValue] = []
      var skipped: Int64 = 0
      try each(from: query.start, descending: query.isDescending) { (row) throws(ServiceError) in
        if let prefix = query.prefix, !row.id.text.utf8.starts(with: prefix.utf8) {
          return !query.isAfterEnd(row.id.text)
        }
        guard !query.isAfterEnd(row.id.text), Int64(rows.count) < query.limit else { return false }
        guard skipped >= query.skip else {
          skipped += 1
          return true
        }
        rows.append(try self.row(of: row.id, row.rev, query))
        return true
      }
      var before: Int64 = 0
      if let start = query.start {
        try each(from: nil, descending: query.isDescending) { (row) throws(ServiceError) in
          let id = row.id.text
          let isBefore =
            query.isDescending ? start.precedesBytewise(id) : id.precedesBytewise(start)
          if isBefore { before += 1 }
          return isBefore
        }
      }
      return (rows, .integer(before + skipped))
    }

    /// Passes the live documents from an id on, until the closure returns false.
    private func each(
      from start: JSONString?, descending: Bool,
      _ body: (ListRow) throws(ServiceError) -> Bool
    ) throws(ServiceError) {
      var from = start.map { DocumentID($0) }
      var isFirst = true
      while true {
        let limit = isFirst ? Self.pageRows : Self.pageRows + 1
        guard
          case .list(let rows) = try perform(
            .list(from: from, limit: limit, descending: descending))
        else { throw .unexpected }
        // A page begins with the last row of the page before it.
        for row in isFirst ? rows[...] : rows.dropFirst() {
          guard try body(row) else { return }
        }
        guard Int64(rows.count) == limit, let last = rows.last else { return }
        (from, isFirst) = (last.id, false)
      }
    }

    private func row(
      of id: DocumentID, _ rev: RevisionID, _ query: ListQuery
    ) throws(ServiceError) -> JSONValue {
      var row: JSONObject = ["id": id.json, "key": id.json, "value": ["rev": rev.json]]
      if query.includesDocuments {
        let found = try found(id, nil, latest: false, readsDeleted: false, with: query.options)
        row["doc"] = .object(found.document)
      }
      return .object(row)
    }

    private func row(forKey key: JSONValue, _ query: ListQuery) throws(ServiceError) -> JSONValue {
      guard let id = key.textValue, let winner = try leaves(DocumentID(id))?.first else {
        return ["key": key, "error": "not_found"]
      }
      guard winner.deleted else { return try row(of: DocumentID(id), winner.rev, query) }
      var row: JSONObject = [
        "id": key, "key": key, "value": ["rev": winner.rev.json, "deleted": true],
      ]
      if query.includesDocuments { row["doc"] = .null }
      return .object(row)
    }
  }
#endif
