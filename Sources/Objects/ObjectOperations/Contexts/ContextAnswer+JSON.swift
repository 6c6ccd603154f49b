internal import Datastore
package import JSON

extension ContextAnswer: FamilyAnswer {
  package var json: JSONObject {
    switch self {
    case .done: return [:]
    case .object(let object): return ["object": object]
    case .inspectedObject(let object): return object.json
    case .inspectedContext(let context): return context.json
    case .objects(let objects): return ["objects": .array(objects)]
    case .ids(let ids): return ["ids": .array(ids.map { $0.json })]
    case .count(let count): return ["count": .integer(count)]
    case .changes(let changes, let ids):
      return [
        "ids": .array(ids.map { $0.json }), "changes": .array(changes.map { $0.json }),
      ]
    case .saved(let changes, let events):
      var json = changes.json
      json["events"] = .array(events.map { $0.json })
      return json
    case .conflicts(let conflicts): return ["conflicts": .array(conflicts.map { $0.json })]
    }
  }

  package var definition: JSONString {
    switch self {
    case .done: "done"
    case .object: "context-object"
    case .inspectedObject: "inspected-object"
    case .inspectedContext: "inspected-context"
    case .objects: "objects"
    case .ids: "object-ids"
    case .count: "object-count"
    case .changes: "fetch-changes"
    case .saved: "saved-changes"
    case .conflicts: "object-conflicts"
    }
  }

  package init(
    definition: JSONString, _ reader: inout ObjectReader
  ) throws(DecodingFailure) {
    switch definition {
    case "done":
      self = .done
    case "context-object":
      self = .object(try reader.required("object"))
    case "inspected-object":
      self = .inspectedObject(try InspectedObject(&reader))
    case "inspected-context":
      self = .inspectedContext(try InspectedContext(&reader))
    case "objects":
      self = .objects(try reader.array("objects"))
    case "object-ids":
      self = .ids(try reader.identifiers("ids"))
    case "object-count":
      self = .count(try reader.integer("count"))
    case "fetch-changes":
      let ids: [DocumentID] = try reader.identifiers("ids")
      self = .changes(
        try reader.elements("changes") { (element, path) throws(DecodingFailure) in
          try ObservedChange(element, path: path)
        }, ids: ids)
    case "saved-changes":
      self = .saved(try SavedChanges(&reader), events: try reader.events())
    case "object-conflicts":
      self = .conflicts(try reader.conflicts() ?? [])
    default: throw DecodingFailure(unknownResult: definition, reader)
    }
  }
}

extension SavedChanges {
  var json: JSONObject {
    [
      "inserted": .array(inserted.map { $0.json }), "updated": .array(updated.map { $0.json }),
      "deleted": .array(deleted.map { $0.json }),
    ]
  }

  init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    self.init(
      inserted: try reader.identifiers("inserted"), updated: try reader.identifiers("updated"),
      deleted: try reader.identifiers("deleted"))
  }
}

extension ContextEvent {
  fileprivate var json: JSONValue {
    var json: JSONObject = ["event": .string(name)]
    json["objects"] = objects.map { .array($0.map { $0.json }) }
    return .object(json)
  }
}

extension InspectedObject {
  fileprivate var json: JSONObject {
    var json: JSONObject = [
      "entity": .string(entity), "isInserted": .bool(isInserted), "isUpdated": .bool(isUpdated),
      "isDeleted": .bool(isDeleted), "isFault": .bool(isFault), "isTemporary": .bool(isTemporary),
    ]
    json["values"] = values ?? .null
    json["changed"] = changed ?? .null
    json["committed"] = committed ?? .null
    json["version"] = version.map { .integer($0) }
    return json
  }

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    self.init(entity: try reader.text("entity"))
    isInserted = try reader.bool("isInserted")
    isUpdated = try reader.bool("isUpdated")
    isDeleted = try reader.bool("isDeleted")
    isFault = try reader.bool("isFault")
    isTemporary = try reader.bool("isTemporary")
    values = try reader.nullable("values")
    changed = try reader.nullable("changed")
    committed = try reader.nullable("committed")
    version = try reader.optionalInteger("version")
  }
}

extension InspectedContext {
  fileprivate var json: JSONObject {
    var json = changes.json
    json["registered"] = .array(registered.map { $0.json })
    json["hasChanges"] = .bool(hasChanges)
    json["events"] = .array(events.map { $0.json })
    json["failure"] = failure?.json
    return json
  }

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    changes = try SavedChanges(&reader)
    registered = try reader.identifiers("registered")
    hasChanges = try reader.bool("hasChanges")
    events = try reader.events()
    if let json = reader.optional("failure") {
      failure = try ContextFailure(json, path: reader.path(to: "failure"))
    }
  }
}

extension ContextFailure {
  fileprivate var json: JSONValue {
    var json = JSONObject()
    json["code"] = code.map { .integer($0) }
    if !invalid.isEmpty {
      json["invalid"] = .array(
        invalid.map { ["id": $0.id.json, "codes": .array($0.codes.map { .integer($0) })] })
    }
    if !conflicts.isEmpty { json["conflicts"] = .array(conflicts.map { $0.json }) }
    if !constraints.isEmpty { json["constraints"] = .array(constraints.map { $0.json }) }
    return .object(json)
  }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    self.init(
      code: try reader.optionalInteger("code"),
      invalid: try reader.optionalElements("invalid") { (element, path) throws(DecodingFailure) in
        var reader = try ObjectReader(element, path: path)
        let invalid = Invalid(
          id: try reader.identifier("id"),
          codes: try reader.elements("codes") { (code, path) throws(DecodingFailure) in
            try code.integer(at: path)
          })
        try reader.finish()
        return invalid
      } ?? [],
      conflicts: try reader.conflicts() ?? [],
      constraints: try reader.optionalElements("constraints") {
        (element, path) throws(DecodingFailure) in
        try Constraint(element, path: path)
      } ?? [])
    try reader.finish()
  }
}

extension ContextFailure.Constraint {
  fileprivate var json: JSONValue {
    var json: JSONObject = [
      "entity": .string(entity), "attributes": .array(attributes.map { .string($0) }),
      "objects": .array(objects.map { $0.json }),
    ]
    json["row"] = row?.json
    return .object(json)
  }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    self.init(
      entity: try reader.text("entity"),
      attributes: try reader.elements("attributes") { (name, path) throws(DecodingFailure) in
        try name.text(at: path)
      },
      objects: try reader.identifiers("objects"), row: try reader.optionalIdentifier("row"))
    try reader.finish()
  }
}

extension ObjectConflict {
  fileprivate var json: JSONValue {
    var json: JSONObject = [
      "id": id.json, "entity": .string(entity), "oldVersion": .integer(oldVersion),
      "newVersion": .integer(newVersion),
    ]
    json["object"] = object ?? .null
    json["cached"] = cached ?? .null
    json["persisted"] = persisted ?? .null
    if !others.isEmpty { json["others"] = .array(others) }
    return .object(json)
  }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    self.init(
      id: try reader.identifier("id"), entity: try reader.text("entity"),
      oldVersion: try reader.integer("oldVersion"), newVersion: try reader.integer("newVersion"),
      object: try reader.nullable("object"), cached: try reader.nullable("cached"),
      persisted: try reader.nullable("persisted"), others: try reader.optionalArray("others") ?? [])
    try reader.finish()
  }
}

extension ObjectReader {
  fileprivate mutating func events() throws(DecodingFailure) -> [ContextEvent] {
    try elements("events") { (element, path) throws(DecodingFailure) in
      var reader = try ObjectReader(element, path: path)
      let event = ContextEvent(
        try reader.text("event"), objects: try reader.optionalIdentifiers("objects"))
      try reader.finish()
      return event
    }
  }

  fileprivate mutating func conflicts() throws(DecodingFailure) -> [ObjectConflict]? {
    try optionalElements("conflicts") { (element, path) throws(DecodingFailure) in
      try ObjectConflict(element, path: path)
    }
  }
}
