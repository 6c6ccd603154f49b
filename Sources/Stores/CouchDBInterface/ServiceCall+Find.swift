#if HTTP
  internal import Datastore
  internal import Digest
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// Queries by content, and their indexes.
  extension ServiceCall {
    func find() throws(ServiceError) -> ServerResponse {
      try withDatabase { _ in }
      try requireJSONType()
      let object = try object()
      let (request, skipped) = try findRequest(object)
      let (documents, isIndexed) = try withDatabase { (database) throws(ServiceError) in
        let request = try database.withoutDesignDocuments(request)
        guard
          case .found(.documents(let documents)) = try database.find(.find(request)),
          case .found(.explanation(let index, _)) = try database.find(.explain(request))
        else { throw .unexpected }
        return (documents, index != nil)
      }
      let rows = documents.map { found -> JSONValue in
        let own: [(JSONString, JSONValue)] = [("_id", found.id.json), ("_rev", found.rev.json)]
        let listed = request.fields.map { fields in own.filter { fields.contains($0.0) } } ?? own
        let body = (found.body.objectValue ?? [:]).members.filter {
          $0.name.utf8.first != UInt8(ascii: "_")
        }
        return .object(JSONObject(listed + body.map { ($0.name, $0.value) }))
      }
      let end = skipped + Int64(rows.count)
      var members: [(JSONString, JSONValue)] = [
        ("docs", .array(rows)),
        ("bookmark", rows.isEmpty ? object["bookmark"] ?? "nil" : .text(Self.bookmark(end))),
      ]
      if !isIndexed {
        members.append(
          ("warning", "No matching index found, create an index to optimize query time."))
      }
      if object["execution_stats"] == true {
        members.append(
          (
            "execution_stats",
            ["results_returned": .integer(Int64(rows.count))]
          ))
      }
      return .json(200, .object(JSONObject(members)))
    }

    func explain() throws(ServiceError) -> ServerResponse {
      try withDatabase { _ in }
      try requireJSONType()
      let object = try object()
      let (request, skipped) = try findRequest(object)
      let (index, plan, definitions) = try withDatabase { (database) throws(ServiceError) in
        guard
          case .found(.explanation(let index, let plan)) = try database.find(.explain(request)),
          case .found(.indexes(let definitions)) = try database.perform(.finding(.listIndexes))
        else { throw .unexpected }
        return (index, plan, definitions)
      }
      let used = definitions.first { $0.name == index }
      return .json(
        200,
        [
          "dbname": database.json, "index": used.map { Self.json($0) } ?? Self.allDocsIndex,
          "selector": request.selector, "limit": .integer(request.limit ?? 25),
          "skip": .integer(skipped),
          "fields": request.fields.map { .array($0.map { .string($0) }) }
            ?? "all_fields", "opts": [:], "plan": plan ?? .null,
        ])
    }

    private static let limitDefault: Int64 = 25

    private func findRequest(
      _ object: JSONObject
    ) throws(ServiceError) -> (FindRequest, skipped: Int64) {
      guard let given = object["selector"] else {
        throw ServiceError(400, "missing_required_key", reason: "Missing required key: selector")
      }
      let selector = SelectorDialect.translated(given)
      var fields: [JSONString]?
      if let value = object["fields"], value != "all_fields" {
        guard let list = value.arrayValue, list.allSatisfy({ $0.textValue != nil }) else {
          throw ServiceError(400, "invalid_fields_json", reason: "fields must be a list of strings")
        }
        fields = list.compactMap { $0.textValue }
        if fields?.isEmpty == true { fields = nil }
      }
      var sort: [SortKey] = []
      for key in object["sort"]?.arrayValue ?? [] {
        if let path = key.textValue {
          sort.append(SortKey(path))
        } else if let member = key.objectValue?.members.first, key.objectValue?.count == 1,
          let order = member.value.textValue, ["asc", "desc"].contains(order)
        {
          sort.append(SortKey(member.name, descending: order == "desc"))
        } else {
          throw ServiceError(400, "invalid_sort_json", reason: "sort is not a list of fields")
        }
      }
      let limit = try Self.count(object["limit"], "limit") ?? Self.limitDefault
      var skip = try Self.count(object["skip"], "skip") ?? 0
      if let bookmark = object["bookmark"]?.textValue, !["nil", ""].contains(bookmark) {
        guard let text = Base64.decode(bookmark.utf8),
          let start = Int64(String(decoding: text, as: UTF8.self)), start >= 0
        else { throw ServiceError(400, "invalid_bookmark", reason: "Invalid bookmark value") }
        skip = start
      }
      let own: [JSONString] = ["_id", "_rev"]
      let wanted = fields?.filter { !own.contains($0) }
      var request = FindRequest(
        selector, sort: sort, skip: skip > 0 ? skip : nil, limit: limit, fields: fields)
      // A store reduces bodies; `_id` and `_rev` are not in them.
      if let wanted, wanted.isEmpty { request.fields = own }
      return (request, skip)
    }

    private static func count(_ value: JSONValue?, _ name: String) throws(ServiceError) -> Int64? {
      guard let value else { return nil }
      guard let number = value.integerValue, number >= 0 else {
        throw ServiceError(
          400, JSONString("invalid_\(name)"),
          reason: "Invalid value: expected an integer of at least 0")
      }
      return number
    }

    private static func bookmark(_ position: Int64) -> String {
      Base64.encode(String(position).utf8)
    }

    // MARK: Indexes

    func indexes() throws(ServiceError) -> ServerResponse {
      try withDatabase { _ in }
      guard request.method.utf8.elementsEqual("POST".utf8) else {
        let definitions = try withDatabase { (database) throws(ServiceError) in
          try database.indexes()
        }
        let rows = [Self.allDocsIndex] + definitions.map { Self.json($0) }
        return .json(200, ["total_rows": .integer(Int64(rows.count)), "indexes": .array(rows)])
      }
      try requireJSONType()
      let object = try object()
      guard let index = object["index"]?.objectValue,
        let fields = index["fields"]?.arrayValue, !fields.isEmpty
      else {
        throw ServiceError(
          400, "missing_required_key", reason: "Missing required key: index.fields")
      }
      if index["partial_filter_selector"] != nil { throw .notImplemented("partial indexes") }
      var paths: [JSONString] = []
      for field in fields {
        guard let path = field.textValue ?? field.objectValue?.members.first?.name else {
          throw ServiceError(400, "invalid_index", reason: "an index has a list of fields")
        }
        paths.append(path)
      }
      let kind: IndexDefinition.Kind = object["type"] == "text" ? .text : .json
      let seed = JSONValue.array(paths.map { .string($0) }).serializedBytes()
      let name =
        object["name"]?.textValue
        ?? JSONString(DigestAlgorithm.sha1.digest(of: seed).hexadecimal)
      let ddoc = object["ddoc"]?.textValue
      let document = ddoc.map { $0.dropping(prefix: "_design/") ?? $0 } ?? name
      let definition = IndexDefinition(
        JSONString("\(document)/\(name)"), kind, fields: paths)
      let isNew = try withDatabase { (database) throws(ServiceError) in
        guard
          case .found(.created(let isNew)) = try database.perform(
            .finding(.createIndex(definition)))
        else { throw .unexpected }
        return isNew
      }
      return .json(
        200,
        [
          "result": isNew ? "created" : "exists", "id": .text("_design/\(document)"),
          "name": .string(name),
        ])
    }

    /// `DELETE /db/_index/DDOC/json/NAME`, also with `_design/` before the name of the document.
    func deleteIndex() throws(ServiceError) -> ServerResponse {
      let parts = (names["name"] ?? "").utf8.split(separator: UInt8(ascii: "/")).map {
        JSONString(validating: $0) ?? ""
      }
      // `_design/ddoc/json/name`, or without the prefix.
      let path = parts.first == "_design" ? Array(parts.dropFirst()) : parts
      guard path.count == 3 else { throw .notFound("index not found") }
      try drop(JSONString("\(path[0])/\(path[2])"))
      return .json(200, ["ok": true])
    }

    func deleteIndexes() throws(ServiceError) -> ServerResponse {
      var (success, failed): ([JSONValue], [JSONValue]) = ([], [])
      for id in try object()["docids"]?.arrayValue ?? [] {
        guard let text = id.textValue else { continue }
        let document = text.dropping(prefix: "_design/") ?? text
        do throws(ServiceError) {
          let names = try withDatabase { (database) throws(ServiceError) in
            try database.indexes().map(\.name)
          }
          let own = names.filter { $0.dropping(prefix: JSONString("\(document)/")) != nil }
          guard !own.isEmpty else { throw .notFound("missing") }
          for name in own { try drop(name) }
          success.append(["id": id, "ok": true])
        } catch {
          failed.append(["id": id, "error": .string(error.name)])
        }
      }
      return .json(200, ["success": .array(success), "fail": .array(failed)])
    }

    private func drop(_ name: JSONString) throws(ServiceError) {
      try withDatabase { (database) throws(ServiceError) in
        _ = try database.perform(.finding(.dropIndex(name: name)))
      }
    }

    private static let allDocsIndex: JSONValue = [
      "ddoc": .null, "name": "_all_docs", "type": "special", "def": ["fields": [["_id": "asc"]]],
    ]

    /// The name of an index in the store is the one of its design document, a slash, and its own.
    private static func json(_ definition: IndexDefinition) -> JSONValue {
      let parts = definition.name.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).map {
        JSONString(validating: $0) ?? ""
      }
      return [
        "ddoc": .text("_design/\(parts.first ?? "")"),
        "name": .string(parts.last ?? definition.name),
        "type": .text(definition.type.rawValue), "partitioned": false,
        "def": [
          "fields": .array(
            definition.fields.map { .object(JSONObject([($0, JSONValue.text("asc"))])) })
        ],
      ]
    }
  }

  extension OpenDatabase {
    /// A query; an operator that the store does not have is an invalid one for the client.
    fileprivate func find(_ action: FindAction) throws(ServiceError) -> OperationResult {
      do throws(ServiceError) { return try perform(.finding(action)) } catch {
        guard error.status == 501, error.reason.utf8.first == UInt8(ascii: "$") else { throw error }
        throw ServiceError(
          400, "invalid_operator", reason: JSONString("Invalid operator: \(error.reason)"))
      }
    }

    /// The query without design documents, which CouchDB never finds.
    fileprivate func withoutDesignDocuments(
      _ request: FindRequest
    ) throws(ServiceError) -> FindRequest {
      guard case .list(let rows) = try perform(.list(from: "_design/", limit: 1)),
        rows.first?.id.text.utf8.starts(with: "_design/".utf8) ?? false
      else { return request }
      var request = request
      let others: JSONValue = [
        "$or": [["_id": ["$lt": "_design/"]], ["_id": ["$gte": "_design0"]]]
      ]
      request.selector = ["$and": [request.selector, others]]
      return request
    }

    fileprivate func indexes() throws(ServiceError) -> [IndexDefinition] {
      guard case .found(.indexes(let definitions)) = try perform(.finding(.listIndexes)) else {
        throw .unexpected
      }
      return definitions
    }
  }
#endif
