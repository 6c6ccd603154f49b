internal import Datastore
package import JSON

extension CollectionAction {
  /// The arguments in JSON.
  package var arguments: [(JSONString, JSONValue)] {
    switch self {
    case .setRules(let collection, let rules):
      [("collection", .string(collection)), ("rules", rules)]
    case .client(let client, let call): [("client", .string(client))] + call.arguments
    }
  }

  /// Reads the arguments of an operation; nil if the name is not that of an operation on
  /// collections.
  init?(_ name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    switch name {
    case "setBackendRules":
      self = .setRules(
        collection: try reader.text("collection"), try reader.required("rules"))
      return
    case "openCollection":
      let client = try reader.text("client")
      self = .client(client, .open(try CollectionOpening(&reader)))
    case "setNetwork":
      let client = try reader.text("client")
      self = .client(
        client,
        .setNetwork(
          state: try reader.required("state"), next: try reader.optionalArray("next")))
    case "drainQueue": self = .client(try reader.text("client"), .drain)
    case "inspectClient": self = .client(try reader.text("client"), .inspect)
    case "migrateObjects":
      let client = try reader.text("client")
      self = .client(client, .migrate(try ObjectMove(&reader)))
    case "crashClient": self = .client(try reader.text("client"), .crash)
    case "setSettings":
      let client = try reader.text("client")
      self = .client(client, .setSettings(try reader.required("settings")))
    default:
      guard let request = try CollectionRequest(name, &reader) else { return nil }
      let client = try reader.text("client")
      self = .client(client, .collection(try reader.text("collection"), request))
    }
  }
}

extension CollectionAction.Call {
  fileprivate var arguments: [(JSONString, JSONValue)] {
    switch self {
    case .open(let opening): opening.arguments
    case .collection(let name, let request):
      [("collection", .string(name))] + request.arguments
    case .setNetwork(let state, let next):
      [("state", state)] + (next.map { [("next", .array($0))] } ?? [])
    case .migrate(let move): move.arguments
    case .setSettings(let settings): [("settings", settings)]
    case .drain, .inspect, .crash: []
    }
  }
}

extension CollectionOpening {
  fileprivate var arguments: [(JSONString, JSONValue)] {
    let members: [(JSONString, JSONValue?)] = [
      ("collection", .string(collection)), ("mapping", mapping), ("references", references),
      ("defaults", defaults), ("policy", policy.map { .string($0) }),
      ("offline", offline.map { .bool($0) }), ("ids", ids.map { .string($0) }),
      ("options", options),
    ]
    return members.present
  }

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    self.init(
      try reader.text("collection"), mapping: try reader.required("mapping"),
      references: reader.optional("references"), defaults: reader.optional("defaults"),
      policy: try reader.optionalText("policy"), offline: try reader.optionalBool("offline"),
      ids: try reader.optionalText("ids"), options: reader.optional("options"))
  }
}

extension CollectionRequest {
  fileprivate var arguments: [(JSONString, JSONValue)] {
    let members: [(JSONString, JSONValue?)] =
      switch self {
      case .save(let objects): [("objects", .array(objects))]
      case .load(let ids, let policy, let depth):
        [
          ("ids", .texts(ids)), ("policy", policy.map { .string($0) }),
          ("depth", depth.map { .integer($0) }),
        ]
      case .query(let query, let policy, let depth):
        [
          ("query", .array(query)), ("policy", policy.map { .string($0) }),
          ("depth", depth.map { .integer($0) }),
        ]
      case .count(let query): [("query", .array(query))]
      case .group(let fields, let function, let field, let query):
        [
          ("by", .texts(fields)), ("function", .string(function)),
          ("field", field.map { .string($0) }), ("query", query.map { .array($0) }),
        ]
      case .remove(let ids, let objects, let query, let rule):
        [
          ("ids", ids.map { .texts($0) }), ("objects", objects.map { .array($0) }),
          ("query", query.map { .array($0) }), ("rule", rule.map { .string($0) }),
        ]
      }
    return members.present
  }

  fileprivate init?(_ name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    switch name {
    case "saveToCollection": self = .save(try reader.array("objects"))
    case "loadFromCollection":
      self = .load(
        try reader.texts("ids"), policy: try reader.optionalText("policy"),
        depth: try reader.optionalInteger("depth"))
    case "queryCollection":
      self = .query(
        try reader.array("query"), policy: try reader.optionalText("policy"),
        depth: try reader.optionalInteger("depth"))
    case "countInCollection": self = .count(try reader.array("query"))
    case "groupInCollection":
      self = .group(
        by: try reader.texts("by"), function: try reader.text("function"),
        field: try reader.optionalText("field"), query: try reader.optionalArray("query"))
    case "removeFromCollection":
      self = .remove(
        ids: try reader.optionalTexts("ids"), objects: try reader.optionalArray("objects"),
        query: try reader.optionalArray("query"), rule: try reader.optionalText("rule"))
    default: return nil
    }
  }
}

extension CollectionAnswer {
  package var json: JSONObject {
    switch self {
    case .done: [:]
    case .report(let report):
      [
        "requests": .array(report.requests), "callbacks": .array(report.callbacks),
        "progress": .array(report.progress), "fills": .array(report.fills),
        "queue": .array(report.queue),
      ]
    case .client(let state):
      [
        "collections": .texts(state.collections), "queue": .array(state.queue),
        "settings": .object(state.settings),
      ]
    case .move(let report): report.json
    }
  }

  init(_ reader: inout ObjectReader, of action: CollectionAction) throws(DecodingFailure) {
    switch action {
    case .setRules, .client(_, .open), .client(_, .setNetwork), .client(_, .crash),
      .client(_, .setSettings):
      self = .done
    case .client(_, .migrate): self = .move(try MoveReport(&reader))
    case .client(_, .collection), .client(_, .drain):
      self = .report(
        CollectionReport(
          requests: try reader.array("requests"), callbacks: try reader.array("callbacks"),
          progress: try reader.array("progress"), fills: try reader.array("fills"),
          queue: try reader.array("queue")))
    case .client(_, .inspect):
      self = .client(
        ClientState(
          collections: try reader.texts("collections"), queue: try reader.array("queue"),
          settings: reader.optional("settings")?.objectValue ?? JSONObject()))
    }
  }
}

extension ObjectReader {
  mutating func texts(_ name: JSONString) throws(DecodingFailure) -> [JSONString] {
    try elements(name) { (element, path) throws(DecodingFailure) in try element.text(at: path) }
  }

  fileprivate mutating func optionalTexts(_ name: JSONString) throws(DecodingFailure)
    -> [JSONString]?
  {
    try optionalElements(name) { (element, path) throws(DecodingFailure) in
      try element.text(at: path)
    }
  }
}

extension JSONValue {
  static func texts(_ texts: [JSONString]) -> JSONValue { .array(texts.map { .string($0) }) }
}

extension [(JSONString, JSONValue?)] {
  /// The members that are present.
  var present: [(JSONString, JSONValue)] {
    compactMap { name, value in value.map { (name, $0) } }
  }
}
