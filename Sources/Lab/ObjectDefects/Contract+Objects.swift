internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Helpers that take operations on objects and their results apart.

/// The document of an object, with its entity in the model.
struct EncodedObject {
  var body: JSONObject
  let model: JSONValue
  let object: JSONValue

  /// The metadata of a property's value.
  func meta(_ name: JSONString) -> JSONObject {
    body[JSONString("CDTISMeta_\(name)")]?.objectValue ?? [:]
  }

  mutating func setMeta(_ name: JSONString, _ meta: JSONObject) {
    body[JSONString("CDTISMeta_\(name)")] = .object(meta)
  }

  /// Visits the attributes of some types that have a value, with their metadata.
  mutating func each(_ types: [JSONString], _ change: (inout JSONValue, inout JSONObject) -> Void) {
    for (name, description) in model.properties("attributes", of: entity) {
      guard let type = description["type"]?.textValue, types.contains(type),
        var value = body[name]
      else { continue }
      let before = meta(name)
      var meta = before
      change(&value, &meta)
      body[name] = value
      if meta != before { setMeta(name, meta) }
    }
  }

  var entity: JSONString { object.objectValue?["entity"]?.textValue ?? "" }
}

extension JSONValue {
  /// The properties of an entity of a model with their descriptions.
  func properties(_ kind: JSONString, of entity: JSONString) -> [(
    name: JSONString, description: JSONObject
  )] {
    let entity = objectValue?["entities"]?.objectValue?[entity]?.objectValue
    return (entity?[kind]?.objectValue?.members ?? []).map {
      ($0.name, $0.value.objectValue ?? [:])
    }
  }

  /// The value without the members of some names, at any depth.
  func without(_ names: Set<JSONString>) -> JSONValue {
    switch self {
    case .array(let elements): .array(elements.map { $0.without(names) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.filter { !names.contains($0.name) }
            .map { ($0.name, $0.value.without(names)) }))
    default: self
    }
  }

  /// The metadata of values in a document.
  var metas: [JSONObject] {
    (objectValue?.members ?? []).filter { $0.name.utf8.starts(with: "CDTISMeta_".utf8) }
      .compactMap { $0.value.objectValue }
  }

  /// The metadata of values in a document, changed.
  func mapMetas(_ change: (inout JSONObject, JSONValue?) -> Void) -> JSONValue {
    guard let object = objectValue else { return self }
    return .object(
      JSONObject(
        object.members.map { member in
          guard member.name.utf8.starts(with: "CDTISMeta_".utf8),
            var meta = member.value.objectValue,
            let name = JSONString(validating: member.name.utf8.dropFirst("CDTISMeta_".utf8.count))
          else { return (member.name, member.value) }
          change(&meta, object[name])
          return (member.name, .object(meta))
        }))
  }
}

extension Outcome {
  static func badObject(_ what: String) -> Outcome {
    .error(DatastoreError(.badObject(what: what)))
  }

  /// The result with an object.
  static func object(_ id: DocumentID, _ values: JSONObject = [:]) -> Outcome {
    let object: JSONValue = [
      "id": id.json, "entity": "Entity", "values": .object(values), "version": 1,
    ]
    return .ok(.objects(.object(object, warnings: [])))
  }
}

extension DatastoreError.Kind {
  /// The error of an object or its document; nil for any other error.
  var what: String? { if case .badObject(let what, _) = self { what } else { nil } }
}

extension Defect {
  /// Changes documents made from objects; those of the released form only if requested.
  static func encoding(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout EncodedObject) -> Void
  ) -> Defect {
    answering(name, clause, sentence: sentence) { operation, result, _ in
      guard case .encode(let model, let object, nil, _)? = operation.action.objects,
        case .encoded(let body, let attachments)? = result.objects
      else { return .ok(result) }
      var encoded = EncodedObject(body: body.objectValue ?? [:], model: model, object: object)
      change(&encoded)
      return .ok(.objects(.encoded(body: .object(encoded.body), attachments: attachments)))
    }
  }

  /// Changes the operations on objects.
  static func hearing(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (ObjectAction) -> ObjectAction
  ) -> Defect {
    mishearing(name, clause, sentence: sentence) { operation, _ in
      guard let action = operation.action.objects else { return operation }
      return StoreOperation(operation.store, .objects(change(action)))
    }
  }

  /// Changes documents before they are read as objects.
  static func decoding(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout ObjectDecoding) -> Void
  ) -> Defect {
    hearing(name, clause, sentence: sentence) { action in
      guard case .decode(var decoding) = action else { return action }
      change(&decoding)
      return .decode(decoding)
    }
  }

  /// Refuses to decode documents.
  static func refusingDocuments(
    _ name: String, _ clause: String, sentence: String, what: String,
    isRefused: @escaping @Sendable (JSONObject) -> Bool
  ) -> Defect {
    refusing(name, clause, sentence: sentence) { operation, _ in
      guard case .decode(let decoding)? = operation.action.objects,
        isRefused(decoding.body.objectValue ?? [:])
      else { return nil }
      return .badObject(what: what)
    }
  }

  /// Decodes documents that must be refused.
  static func believing(
    _ name: String, _ clause: String, sentence: String, what: String,
    isBelieved: @escaping @Sendable (ObjectDecoding) -> Bool = { _ in true }
  ) -> Defect {
    excusing(name, clause, sentence: sentence) { operation, kind, _ in
      guard case .decode(let decoding)? = operation.action.objects, kind.what == what,
        isBelieved(decoding)
      else { return nil }
      return .object(decoding.id)
    }
  }

  /// Changes objects decoded from documents of a call, or their warnings.
  static func decoded(
    _ name: String, _ clause: String, sentence: String,
    change:
      @escaping @Sendable (inout JSONObject, inout [ObjectWarning], ObjectDecoding) -> Void
  ) -> Defect {
    answering(name, clause, sentence: sentence) { operation, result, _ in
      guard case .decode(let decoding)? = operation.action.objects,
        case .object(let object, var warnings, let value)? = result.objects,
        var json = object.objectValue
      else { return .ok(result) }
      var values = json["values"]?.objectValue ?? [:]
      change(&values, &warnings, decoding)
      json["values"] = .object(values)
      return .ok(.objects(.object(.object(json), warnings: warnings, value: value)))
    }
  }

  /// Writes another document after a successful operation on stored objects.
  static func rewriting(
    _ name: String, _ clause: String, sentence: String,
    change:
      @escaping @Sendable (
        ObjectAction, inout [(id: DocumentID, change: (inout JSONObject) -> Void)]
      )
      -> Void
  ) -> Defect {
    meddling(name, clause, sentence: sentence) { operation, _, store throws(HarnessError) in
      guard let action = operation.action.objects else { return [] }
      var changes: [(id: DocumentID, change: (inout JSONObject) -> Void)] = []
      change(action, &changes)
      var actions: [StoreAction] = []
      for (id, change) in changes {
        guard let document = try store.document(operation.store, id),
          var body = document.body.objectValue
        else { continue }
        change(&body)
        guard .object(body) != document.body else { continue }
        actions.append(.update(id: id, rev: document.rev, body: .object(body)))
      }
      return actions
    }
  }

  /// Changes the codes of validation failures.
  static func validating(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable ([Int64]) -> [Int64]
  ) -> Defect {
    answering(name, clause, sentence: sentence) { _, result, _ in
      guard case .validated(let codes)? = result.objects else { return .ok(result) }
      return .ok(.objects(.validated(change(codes))))
    }
  }
}
