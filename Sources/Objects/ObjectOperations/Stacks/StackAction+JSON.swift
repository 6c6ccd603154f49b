internal import Datastore
package import JSON

extension StackCall: ArgumentGroup {
  package var members: [(JSONString, JSONValue)] {
    switch self {
    case .waits: [("waits", true)]
    case .completes: []
    case .unheard: [("unheard", true)]
    }
  }

  package init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    let waits = try reader.optionalBool("waits") ?? false
    let isUnheard = try reader.optionalBool("unheard") ?? false
    self = waits ? .waits : isUnheard ? .unheard : .completes
  }
}

extension StackClosure: ArgumentGroup {
  package var members: [(JSONString, JSONValue)] {
    [("queue", .string(queue))] + [("saves", saves ? true : nil)].present
      + [("steps", .array(steps.map { $0.json }))]
  }

  package init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    self.init(
      on: try reader.text("queue"), saves: try reader.optionalBool("saves") ?? false,
      try reader.elements("steps") { (element, path) throws(DecodingFailure) in
        try StackStep(element, path: path)
      })
  }
}

extension StackStep {
  /// An object with one member, named after the step.
  fileprivate var json: JSONValue {
    let members: [(JSONString, JSONValue)] =
      switch self {
      case .insert(let id, let entity, let values):
        [("id", id.json), ("entity", .string(entity))] + [("values", values)].present
      case .change(let id, let values): [("id", id.json), ("values", values)]
      case .delete(let id): [("id", id.json)]
      case .find(let fetch): fetch.members
      case .findAll(let entity): [("entity", .string(entity))]
      case .findOrInsert(let entity, let key, let value, let id, let values):
        [
          ("entity", .string(entity)), ("key", .string(key)), ("value", value), ("id", id.json),
        ] + [("values", values)].present
      case .save, .saveAll: []
      case .perform(let closure): closure.members
      }
    return .object([name: .object(JSONObject(members))])
  }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var outer = try ObjectReader(json, path: path)
    guard let name = json.objectValue?.members.first?.name else {
      throw DecodingFailure(path: path, message: "expected one member, the name of the step")
    }
    var reader = try outer.reader(name)
    try outer.finish()
    switch name {
    case "insert":
      self = .insert(
        try reader.identifier("id"), entity: try reader.text("entity"),
        values: reader.optional("values"))
    case "change":
      self = .change(try reader.identifier("id"), values: try reader.required("values"))
    case "delete": self = .delete(try reader.identifier("id"))
    case "find": self = .find(try ObjectFetch(searching: &reader))
    case "findAll": self = .findAll(entity: try reader.text("entity"))
    case "findOrInsert":
      self = .findOrInsert(
        entity: try reader.text("entity"), key: try reader.text("key"),
        value: try reader.required("value"), try reader.identifier("id"),
        values: reader.optional("values"))
    case "save": self = .save
    case "saveAll": self = .saveAll
    case "perform": self = .perform(try StackClosure(&reader))
    default: throw DecodingFailure(path: path, message: "unknown step '\(name)'")
    }
    try reader.finish()
  }
}

extension ObjectFetch {
  /// Reads the search of a closure: a fetch that returns all results as objects.
  fileprivate init(searching reader: inout ObjectReader) throws(DecodingFailure) {
    self.init(
      try reader.text("entity"), predicate: try reader.optionalText("predicate"),
      arguments: try reader.optionalArray("arguments") ?? [],
      sort: try reader.optionalElements("sort") { (element, path) throws(DecodingFailure) in
        try SortKey(element, path: path)
      } ?? [])
  }
}

extension [(JSONString, JSONValue?)] {
  /// The members that are present.
  fileprivate var present: [(JSONString, JSONValue)] {
    compactMap { name, value in value.map { (name, $0) } }
  }
}
