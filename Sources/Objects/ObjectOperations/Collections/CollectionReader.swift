internal import Collections
internal import Datastore
internal import JSON

/// Parses the arguments of operations on collections; a syntax error is `badRequest` with its path.
enum CollectionReader {
  static func misspelt(_ path: String) -> DatastoreError {
    DatastoreError(.badRequest(path: path), "the value of \(path) is not valid")
  }

  static func reading<Value>(
    _ body: () throws(DecodingFailure) -> Value
  ) throws(DatastoreError) -> Value {
    do throws(DecodingFailure) { return try body() } catch {
      throw DatastoreError(.badRequest(path: error.path), error.description)
    }
  }

  static func choice<Choice: RawRepresentable<String>>(
    _ text: JSONString?, _ path: String
  ) throws(DatastoreError) -> Choice? {
    guard let text else { return nil }
    guard let choice = Choice(rawValue: text.string) else { throw misspelt(path) }
    return choice
  }

  /// The number of levels of related objects; 0 if not specified.
  static func depth(_ depth: Int64?) throws(DatastoreError) -> Int64 {
    let range = 0...QueryCall.depthMax
    guard let depth else { return 0 }
    guard range.contains(depth) else {
      throw DatastoreError(
        .badRequest(path: "depth"), "expected 0 to \(range.upperBound), found \(depth)")
    }
    return depth
  }

  // MARK: Collections

  static func opening(
    _ opening: CollectionOpening
  ) throws(DatastoreError) -> (CollectionDescription, CollectionOptions, QueryQuirks) {
    guard let object = opening.mapping.objectValue else { throw misspelt("mapping") }
    // Not in the order of the members, which some JSON parsers lose.
    let names = object.members.map { $0.name }.inByteOrder
    let mapping = names.map { (name: $0, value: object[$0] ?? .null) }
    var references: [JSONString: JSONValue] = [:]
    for member in try members(opening.references, "references") {
      references[member.name] = member.value
    }
    var defaults: [JSONString: JSONValue] = [:]
    for member in try members(opening.defaults, "defaults") { defaults[member.name] = member.value }
    var idProperty: JSONString?
    var properties: [MappedProperty] = []
    for member in mapping {
      guard let field = member.value.textValue else { throw misspelt("mapping.\(member.name)") }
      if field == EntityField.id, idProperty == nil {
        idProperty = member.name
      } else if let reference = references.removeValue(forKey: member.name) {
        properties.append(
          try reading { () throws(DecodingFailure) in
            try Self.reference(member.name, field, json: reference)
          })
      } else {
        properties.append(
          MappedProperty(member.name, field: field, defaultValue: defaults[member.name]))
      }
    }
    guard let idProperty, references.isEmpty else {
      throw misspelt(references.isEmpty ? "mapping" : "references")
    }
    let description: CollectionDescription
    do throws(CollectionError) {
      description = try CollectionDescription(
        opening.collection, idProperty: idProperty, properties: properties)
    } catch {
      guard case .badMapping(let name) = error.reason else { throw misspelt("mapping") }
      throw DatastoreError(.badObject(what: "badMapping", name: name), error.message)
    }
    let (options, quirks) = try options(opening)
    return (description, options, quirks)
  }

  private static func members(
    _ json: JSONValue?, _ path: String
  ) throws(DatastoreError) -> [JSONObject.Member] {
    guard let json else { return [] }
    guard let object = json.objectValue else { throw misspelt(path) }
    return object.members
  }

  private static func reference(
    _ name: JSONString, _ field: JSONString, json: JSONValue
  ) throws(DecodingFailure) -> MappedProperty {
    var reader = try ObjectReader(json, path: "references.\(name)")
    let property = MappedProperty(
      name, field: field, to: try reader.text("collection"),
      isToMany: try reader.optionalBool("toMany") ?? false,
      relation: try reader.optionalText("relation"),
      isComputed: try reader.optionalBool("computed") ?? false,
      cascades: try reader.optionalBool("cascades") ?? false,
      form: try Self.form(&reader))
    try reader.finish()
    return property
  }

  private static func form(
    _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> CollectionReference.Form {
    guard let name = try reader.optionalText("form") else { return .ids }
    guard let form = CollectionReference.Form(rawValue: name.string) else {
      throw DecodingFailure(path: reader.path(to: "form"), message: "unknown form '\(name)'")
    }
    return form
  }

  private static func options(
    _ opening: CollectionOpening
  ) throws(DatastoreError) -> (CollectionOptions, QueryQuirks) {
    var options = CollectionOptions(
      policy: try choice(opening.policy, "policy") ?? .none, isOffline: opening.offline ?? false,
      ids: try choice(opening.ids, "ids") ?? .backend)
    var quirks = QueryQuirks()
    guard let json = opening.options else { return (options, quirks) }
    try reading { () throws(DecodingFailure) in
      var reader = try ObjectReader(json, path: "options")
      options.keepsStoredIDs = try reader.optionalBool("keepsStoredIDs") ?? false
      if let batch = try reader.optionalInteger("removalBatch") {
        options.removalBatch = max(1, batch)
      }
      options.loadsChangesOnly = try reader.optionalBool("loadsChangesOnly") ?? false
      options.delegate.declinesQueueing = try selection("declinesQueueing", &reader)
      options.delegate.declinesSending = try selection("declinesSending", &reader)
      options.quirks.evictsOnError = try reader.optionalBool("evictsOnError") ?? false
      options.quirks.tellsOneError = try reader.optionalBool("tellsOneError") ?? false
      quirks.replacesConditions = try reader.optionalBool("replacesConditions") ?? false
      quirks.forgetsArrayConditions = try reader.optionalBool("forgetsArrayConditions") ?? false
      quirks.copiesLimitAsSkip = try reader.optionalBool("copiesLimitAsSkip") ?? false
      try reader.finish()
    }
    return (options, quirks)
  }

  private static func selection(
    _ name: JSONString, _ outer: inout ObjectReader
  ) throws(DecodingFailure) -> OfflineDelegate.Selection {
    guard var reader = try outer.optionalReader(name) else { return OfflineDelegate.Selection() }
    var selection = OfflineDelegate.Selection()
    for text in try reader.optionalArray("operations") ?? [] {
      guard let name = text.textValue,
        let kind = OfflineDelegate.Selection.Kind(rawValue: name.string)
      else { throw DecodingFailure(path: reader.path(to: "operations"), message: "no operation") }
      selection.kinds.insert(kind)
    }
    for id in try reader.optionalArray("ids") ?? [] {
      guard let id = id.textValue else {
        throw DecodingFailure(path: reader.path(to: "ids"), expected: "a string", found: id)
      }
      selection.ids.insert(id)
    }
    try reader.finish()
    return selection
  }

  static func rules(_ json: JSONValue) throws(DatastoreError) -> [FieldRule] {
    try reading { () throws(DecodingFailure) in
      try json.elements(at: "rules") { (element, path) throws(DecodingFailure) in
        var reader = try ObjectReader(element, path: path)
        var rule = FieldRule(
          try reader.text("field"), isRequired: try reader.optionalBool("required") ?? false,
          minimum: reader.optional("minimum"), maximum: reader.optional("maximum"),
          pattern: try reader.optionalText("pattern"))
        if let name = try reader.optionalText("type") {
          guard let kind = FieldRule.Kind(rawValue: name.string) else {
            throw DecodingFailure(path: reader.path(to: "type"), message: "unknown type '\(name)'")
          }
          rule.kind = kind
        }
        try reader.finish()
        return rule
      }
    }
  }

  // MARK: The network

  static func outcome(
    _ json: JSONValue, path: String
  ) throws(DatastoreError) -> CollectionSession.Outcome {
    if json == "up" { return .answered }
    if json == "down" { return .failed(.notConnected) }
    if let failure: NetworkFailure = try choice(json.textValue, path) { return .failed(failure) }
    return try reading { () throws(DecodingFailure) in
      var reader = try ObjectReader(json, path: path)
      if let lost = try reader.optionalText("lost") {
        guard let failure = NetworkFailure(rawValue: lost.string) else {
          throw DecodingFailure(path: reader.path(to: "lost"), message: "unknown failure '\(lost)'")
        }
        try reader.finish()
        return .lost(failure)
      }
      let status = try reader.integer("status")
      let name = try reader.optionalText("error") ?? "InternalServerError"
      try reader.finish()
      return .refused(BackendResponse(status, ["error": .string(name)]))
    }
  }

  // MARK: Objects

  static func objects(_ json: [JSONValue]) throws(DatastoreError) -> [CollectionObject] {
    try reading { () throws(DecodingFailure) in
      try JSONValue.array(json).elements(at: "objects") { (element, path) throws(DecodingFailure) in
        try object(element, path)
      }
    }
  }

  private static func object(
    _ json: JSONValue, _ path: String
  ) throws(DecodingFailure) -> CollectionObject {
    var reader = try ObjectReader(json, path: path)
    var object = CollectionObject(
      id: try reader.optionalText("id"), tag: try reader.optionalText("tag"))
    if let values = reader.optional("values") {
      guard let members = values.objectValue else {
        throw DecodingFailure(path: reader.path(to: "values"), expected: "an object", found: values)
      }
      object.values = members
    }
    object.unknownFields = reader.optional("unknown")?.objectValue ?? JSONObject()
    if let related = reader.optional("related") {
      let place = reader.path(to: "related")
      guard let relations = related.objectValue?.members else {
        throw DecodingFailure(path: place, expected: "an object", found: related)
      }
      for relation in relations {
        object.related[relation.name] = try relation.value.elements(
          at: "\(place).\(relation.name)"
        ) { (end, path) throws(DecodingFailure) in try self.end(end, path) }
      }
    }
    try reader.finish()
    return object
  }

  private static func end(
    _ json: JSONValue, _ path: String
  ) throws(DecodingFailure) -> RelatedObject {
    if let id = json.textValue { return .id(id) }
    if let object = json.objectValue, object.count == 1, let tag = object["tag"]?.textValue {
      return .tag(tag)
    }
    return .object(try object(json, path))
  }
}
