package import JSON

extension FindAction {
  /// The arguments in JSON.
  var arguments: [(JSONString, JSONValue)] {
    switch self {
    case .find(let request), .explain(let request): request.members
    case .createIndex(let definition): definition.members
    case .dropIndex(let name): [("name", .string(name))]
    case .listIndexes: []
    }
  }

  /// Reads the arguments of an operation; nil if the name is not that of a find operation.
  init?(_ name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    switch name {
    case "find": self = .find(try FindRequest(&reader))
    case "explain": self = .explain(try FindRequest(&reader))
    case "createIndex": self = .createIndex(try IndexDefinition(&reader))
    case "dropIndex": self = .dropIndex(name: try reader.text("name"))
    case "listIndexes": self = .listIndexes
    default: return nil
    }
  }
}

extension FindRequest {
  fileprivate var members: [(JSONString, JSONValue)] {
    let members: [(JSONString, JSONValue?)] = [
      ("selector", selector),
      ("sort", sort.isEmpty ? nil : .array(sort.map { $0.json })),
      ("skip", skip.map { .integer($0) }), ("limit", limit.map { .integer($0) }),
      ("fields", fields.map { .array($0.map { .string($0) }) }),
    ]
    return members.compactMap { name, value in value.map { (name, $0) } }
  }

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    selector = try reader.required("selector")
    sort =
      try reader.optionalElements("sort") { (element, path) throws(DecodingFailure) in
        try SortKey(element, path: path)
      } ?? []
    skip = try reader.optionalInteger("skip")
    limit = try reader.optionalInteger("limit")
    fields = try reader.optionalElements("fields") { (element, path) throws(DecodingFailure) in
      try element.text(at: path)
    }
  }
}

extension SortKey {
  package var json: JSONValue {
    .object(JSONObject([(path, descending ? "desc" : "asc")]))
  }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    guard let object = json.objectValue, object.count == 1, let member = object.members.first,
      let direction = member.value.textValue, direction == "asc" || direction == "desc"
    else {
      throw DecodingFailure(path: path, message: "expected {\"field\": \"asc\" or \"desc\"}")
    }
    self.init(member.name, descending: direction == "desc")
  }
}

extension IndexDefinition {
  fileprivate var members: [(JSONString, JSONValue)] {
    [
      ("name", .string(name)), ("type", .text(type.rawValue)),
      ("fields", .array(fields.map { .string($0) })),
    ]
  }

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    name = try reader.text("name")
    type = try reader.optionalChoice("type") ?? .json
    fields = try reader.elements("fields") { (element, path) throws(DecodingFailure) in
      try element.text(at: path)
    }
  }
}

extension FindAnswer {
  var json: JSONObject {
    switch self {
    case .documents(let documents): return ["docs": .array(documents.map { $0.json })]
    case .explanation(let index, let plan):
      var json: JSONObject = ["index": index.map { .string($0) } ?? .null]
      json["plan"] = plan
      return json
    case .created(let isNew): return ["created": .bool(isNew)]
    case .indexes(let indexes):
      return ["indexes": .array(indexes.map { .object(JSONObject($0.members)) })]
    }
  }

  init?(_ reader: inout ObjectReader, of action: FindAction) throws(DecodingFailure) {
    switch action {
    case .find:
      self = .documents(
        try reader.elements("docs") { (element, path) throws(DecodingFailure) in
          try FoundDocument(element, path: path)
        })
    case .explain:
      let index = try reader.required("index")
      self = .explanation(
        index: index == .null ? nil : try index.text(at: reader.path(to: "index")),
        plan: reader.optional("plan"))
    case .createIndex: self = .created(try reader.bool("created"))
    case .dropIndex: return nil
    case .listIndexes:
      self = .indexes(
        try reader.elements("indexes") { (element, path) throws(DecodingFailure) in
          var reader = try ObjectReader(element, path: path)
          let definition = try IndexDefinition(&reader)
          try reader.finish()
          return definition
        })
    }
  }
}

extension FoundDocument {
  fileprivate var json: JSONValue { ["id": id.json, "rev": rev.json, "body": body] }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = try reader.identifier("id")
    rev = try reader.identifier("rev")
    body = try reader.required("body")
    try reader.finish()
  }
}
