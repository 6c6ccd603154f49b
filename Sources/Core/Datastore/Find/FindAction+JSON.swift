package import JSON

extension SortKey: ArgumentValue {
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

/// The type is always written.
extension IndexDefinition: ArgumentGroup {
  package var members: [(JSONString, JSONValue)] {
    [
      ("name", .string(name)), ("type", .text(type.rawValue)),
      ("fields", .array(fields.map { .string($0) })),
    ]
  }

  package init(_ reader: inout ObjectReader) throws(DecodingFailure) {
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

  /// The name of the definition of the result in the table of operations.
  var definition: JSONString {
    switch self {
    case .documents: "found"
    case .explanation: "explained"
    case .created: "created-index"
    case .indexes: "indexes"
    }
  }

  init(definition: JSONString, _ reader: inout ObjectReader) throws(DecodingFailure) {
    switch definition {
    case "found": self = .documents(try reader.value("docs"))
    case "explained":
      self = .explanation(index: try reader.value("index"), plan: reader.optional("plan"))
    case "created-index": self = .created(try reader.value("created"))
    case "indexes":
      self = .indexes(
        try reader.elements("indexes") { (element, path) throws(DecodingFailure) in
          var reader = try ObjectReader(element, path: path)
          let definition = try IndexDefinition(&reader)
          try reader.finish()
          return definition
        })
    default: throw DecodingFailure(unknownResult: definition, reader)
    }
  }
}

extension FoundDocument: ArgumentValue {
  package var json: JSONValue { ["id": id.json, "rev": rev.json, "body": body] }

  package init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = try reader.identifier("id")
    rev = try reader.identifier("rev")
    body = try reader.required("body")
    try reader.finish()
  }
}
