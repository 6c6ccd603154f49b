internal import Datastore
package import JSON
internal import ObjectMapping

extension ObjectAnswer: FamilyAnswer {
  package var json: JSONObject {
    switch self {
    case .described(let objectModel, let warnings):
      return [
        "objectModel": objectModel,
        "warnings": .array(
          warnings.map { ["path": .string($0.path), "reason": .string($0.reason)] }),
      ]
    case .validated(let codes): return ["codes": .array(codes.map { .integer($0) })]
    case .encoded(let body, let attachments):
      var json: JSONObject = ["body": body]
      if !attachments.isEmpty { json["attachments"] = attachments.json }
      return json
    case .object(let object, let warnings, let value):
      var json: JSONObject = ["object": object]
      if !warnings.isEmpty {
        json["warnings"] = .array(
          warnings.map { ["kind": .string($0.kind), "property": .string($0.property)] })
      }
      json["value"] = value.map { .string($0) }
      return json
    case .coordinated(let answer): return answer.json
    case .opened(let identifier): return ["identifier": .string(identifier)]
    case .saved(let objects):
      return [
        "saved": .array(objects.map { ["id": $0.id.json, "version": .integer($0.version)] })
      ]
    case .objects(let objects): return ["objects": .array(objects)]
    case .ids(let ids): return ["ids": .array(ids.map { $0.json })]
    case .count(let count): return ["count": .integer(count)]
    case .groups(let groups): return ["groups": .array(groups)]
    case .updated(let ids): return ["updated": .array(ids.map { $0.json })]
    case .checked(let faults):
      return ["faults": .array(faults.map { ["id": $0.id.json, "what": .string($0.what)] })]
    }
  }

  package var definition: JSONString {
    switch self {
    case .described: "described"
    case .validated: "validated"
    case .encoded: "encoded"
    case .object: "object"
    case .coordinated: "coordinated"
    case .opened: "opened"
    case .saved: "saved"
    case .objects: "objects"
    case .ids: "object-ids"
    case .count: "object-count"
    case .groups: "groups"
    case .updated: "updated"
    case .checked: "checked"
    }
  }

  package init(
    definition: JSONString, _ reader: inout ObjectReader
  ) throws(DecodingFailure) {
    switch definition {
    case "described":
      self = .described(
        objectModel: try reader.required("objectModel"),
        warnings: try reader.pairs("warnings", "path", second: "reason").map {
          PortabilityNote(path: $0.0, reason: $0.1)
        })
    case "validated":
      self = .validated(
        try reader.elements("codes") { (element, path) throws(DecodingFailure) in
          try element.integer(at: path)
        })
    case "encoded":
      self = .encoded(
        body: try reader.required("body"), attachments: try reader.optionalAttachments() ?? [])
    case "object":
      self = .object(
        try reader.required("object"),
        warnings: try reader.pairs("warnings", "kind", second: "property").map {
          ObjectWarning(kind: $0.0, property: $0.1)
        },
        value: try reader.optionalText("value"))
    case "coordinated":
      self = .coordinated(try CoordinationAnswer(&reader))
    case "opened":
      self = .opened(identifier: try reader.text("identifier"))
    case "saved":
      self = .saved(
        try reader.elements("saved") { (element, path) throws(DecodingFailure) in
          var reader = try ObjectReader(element, path: path)
          let object = SavedObject(
            id: try reader.identifier("id"), version: try reader.integer("version"))
          try reader.finish()
          return object
        })
    case "objects":
      self = .objects(try reader.array("objects"))
    case "object-ids":
      self = .ids(try reader.ids("ids"))
    case "object-count":
      self = .count(try reader.integer("count"))
    case "groups":
      self = .groups(try reader.array("groups"))
    case "updated":
      self = .updated(try reader.ids("updated"))
    case "checked":
      self = .checked(
        try reader.pairs("faults", "id", second: "what").map {
          ObjectFault(id: DocumentID($0.0), what: $0.1)
        })
    default: throw DecodingFailure(unknownResult: definition, reader)
    }
  }
}

extension ObjectReader {
  fileprivate mutating func ids(_ name: JSONString) throws(DecodingFailure) -> [DocumentID] {
    try elements(name) { (element, path) throws(DecodingFailure) in
      try DocumentID(element, path: path)
    }
  }

  /// The objects of a list, each with two texts; an absent list is empty.
  fileprivate mutating func pairs(
    _ name: JSONString, _ first: JSONString, second: JSONString
  ) throws(DecodingFailure) -> [(JSONString, JSONString)] {
    try optionalElements(name) { (element, path) throws(DecodingFailure) in
      var reader = try ObjectReader(element, path: path)
      let pair = (try reader.text(first), try reader.text(second))
      try reader.finish()
      return pair
    } ?? []
  }
}

extension CoordinationAnswer {
  fileprivate var json: JSONObject {
    [
      "type": .string(type),
      "added": .array(
        added.map { result in
          switch result {
          case .success(let store): store?.json ?? [:]
          case .failure(let error): ["error": error.json]
          }
        }),
      "stores": .array(stores.map { .string($0) }),
      "found": .array(found.map { $0?.json ?? [:] }),
      "targets": .array(
        targets.map { result in
          switch result {
          case .success(let url): ["remote": .string(url)]
          case .failure(let error): ["error": error.json]
          }
        }),
    ]
  }

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    self.init(
      type: try reader.text("type"),
      added: try reader.elements("added") { (element, path) throws(DecodingFailure) in
        var reader = try ObjectReader(element, path: path)
        if let error = try reader.error() { return .failure(error) }
        return .success(try Store(&reader))
      },
      stores: try reader.elements("stores") { (element, path) throws(DecodingFailure) in
        try element.text(at: path)
      },
      found: try reader.elements("found") { (element, path) throws(DecodingFailure) in
        var reader = try ObjectReader(element, path: path)
        return try Store(&reader)
      },
      targets: try reader.elements("targets") { (element, path) throws(DecodingFailure) in
        var reader = try ObjectReader(element, path: path)
        if let error = try reader.error() { return .failure(error) }
        let remote = try reader.text("remote")
        try reader.finish()
        return .success(remote)
      })
  }
}

extension ObjectReader {
  fileprivate mutating func error() throws(DecodingFailure) -> DatastoreError? {
    guard let json = optional("error") else { return nil }
    let error = try DatastoreError(json, path: path(to: "error"))
    try finish()
    return error
  }
}

extension CoordinationAnswer.Store {
  fileprivate var json: JSONValue {
    var json: JSONObject = ["name": name.json]
    json["remote"] = remote.map { .string($0) }
    return .object(json)
  }

  /// Nil for an object without members.
  fileprivate init?(_ reader: inout ObjectReader) throws(DecodingFailure) {
    guard let name = try reader.optionalText("name") else {
      try reader.finish()
      return nil
    }
    self.init(name: StoreName(name), remote: try reader.optionalText("remote"))
    try reader.finish()
  }
}
