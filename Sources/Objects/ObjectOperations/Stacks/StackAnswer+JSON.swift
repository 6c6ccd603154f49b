internal import Datastore
package import JSON

extension StackAnswer: FamilyAnswer {
  package var json: JSONObject {
    switch self {
    case .done: return [:]
    case .begun(let number): return ["operation": .integer(number)]
    case .performed(let number, let results):
      return ["operation": .integer(number), "results": .array(results.map { $0.json })]
    case .news(let news):
      return [
        "events": .array(news.events.map { $0.json }),
        "warnings": .array(news.warnings.map { $0.json }),
        "ready": .array(news.ready.map { .string($0) }),
        "waits": .array(
          news.waits.map { ["queue": .string($0.queue), "waitsFor": .string($0.other)] }),
      ]
    case .entity(let name): return name.map { ["entity": .string($0)] } ?? [:]
    }
  }

  package var definition: JSONString {
    switch self {
    case .done: "done"
    case .begun: "stack-begun"
    case .performed: "stack-performed"
    case .news: "stack-news"
    case .entity: "stack-entity"
    }
  }

  package init(
    definition: JSONString, _ reader: inout ObjectReader
  ) throws(DecodingFailure) {
    switch definition {
    case "done":
      self = .done
    case "stack-begun":
      self = .begun(try reader.integer("operation"))
    case "stack-performed":
      self = .performed(try reader.integer("operation"), try reader.results() ?? [])
    case "stack-news":
      self = .news(
        StackNews(
          events: try reader.elements("events") { (element, path) throws(DecodingFailure) in
            try StackHappening(element, path: path)
          },
          warnings: try reader.elements("warnings") { (element, path) throws(DecodingFailure) in
            try StackCaution(element, path: path)
          },
          ready: try reader.elements("ready") { (element, path) throws(DecodingFailure) in
            try element.text(at: path)
          },
          waits: try reader.elements("waits") { (element, path) throws(DecodingFailure) in
            var reader = try ObjectReader(element, path: path)
            let wait = StackWaiting(
              try reader.text("queue"), for: try reader.text("waitsFor"))
            try reader.finish()
            return wait
          }))
    case "stack-entity":
      self = .entity(try reader.optionalText("entity"))
    default: throw DecodingFailure(unknownResult: definition, reader)
    }
  }
}

extension StackResult {
  fileprivate var json: JSONValue {
    var json = changes?.json ?? [:]
    json["objects"] = objects.map { .array($0) }
    json["handled"] = handled.map { .array($0.map { $0.json }) }
    json["results"] = results.map { .array($0.map { $0.json }) }
    return .object(json)
  }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    self.init(
      objects: try reader.optionalArray("objects"),
      handled: try reader.optionalIdentifiers("handled"),
      changes: try reader.changes(), results: try reader.results())
    try reader.finish()
  }
}

extension StackHappening {
  fileprivate var json: JSONValue {
    var json: JSONObject = ["event": .text(kind.rawValue), "queue": .string(queue)]
    json["operation"] = operation.map { .integer($0) }
    json["from"] = from.map { .string($0) }
    for member in changes?.json.members ?? [] { json[member.name] = member.value }
    json["results"] = results.map { .array($0.map { $0.json }) }
    json["error"] = error?.json
    return .object(json)
  }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    self.init(
      try reader.choice("event"), on: try reader.text("queue"),
      operation: try reader.optionalInteger("operation"), from: try reader.optionalText("from"),
      changes: try reader.changes(), results: try reader.results())
    if let json = reader.optional("error") {
      error = try DatastoreError(json, path: reader.path(to: "error"))
    }
    try reader.finish()
  }
}

extension StackCaution {
  fileprivate var json: JSONValue {
    switch data {
    case .object(let id): ["warning": "sameData", "id": id.json]
    case .value(let entity, let key, let value):
      [
        "warning": "sameData", "entity": .string(entity), "key": .string(key), "value": value,
      ]
    }
  }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    let name = try reader.text("warning")
    guard name == "sameData" else {
      throw DecodingFailure(path: reader.path(to: "warning"), message: "unknown warning '\(name)'")
    }
    if let id: DocumentID = try reader.optionalIdentifier("id") {
      self.init(.object(id))
    } else {
      self.init(
        .value(
          entity: try reader.text("entity"), key: try reader.text("key"),
          try reader.required("value")))
    }
    try reader.finish()
  }
}

extension ObjectReader {
  fileprivate mutating func results() throws(DecodingFailure) -> [StackResult]? {
    try optionalElements("results") { (element, path) throws(DecodingFailure) in
      try StackResult(element, path: path)
    }
  }

  /// The notification of a save; nil if nothing was saved.
  fileprivate mutating func changes() throws(DecodingFailure) -> SavedChanges? {
    guard optional("inserted") != nil else { return nil }
    return try SavedChanges(&self)
  }
}
