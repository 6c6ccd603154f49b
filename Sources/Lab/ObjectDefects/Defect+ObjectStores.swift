internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Mutants with stores of objects: coordinators, the metadata document, and models.

extension Defect {
  static let objectStores: [Defect] =
    objectCoordinators + objectMetadata + objectModels + objectMigrations

  /// Changes the arguments of a coordinator.
  private static func coordinating(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout ObjectCoordination) -> Void
  ) -> Defect {
    hearing(name, clause, sentence: sentence) { action in
      guard case .coordinate(var coordination) = action else { return action }
      change(&coordination)
      return .coordinate(coordination)
    }
  }

  /// Changes the result of a coordinator.
  private static func coordinated(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout CoordinationAnswer, ObjectCoordination) -> Void
  ) -> Defect {
    answering(name, clause, sentence: sentence) { operation, result, _ in
      guard case .coordinate(let coordination)? = operation.action.objects,
        case .coordinated(var answer)? = result.objects
      else { return .ok(result) }
      change(&answer, coordination)
      return .ok(.objects(.coordinated(answer)))
    }
  }

  private static let objectCoordinators: [Defect] = [
    coordinating(
      "unregistered-types-accepted", "CDTIS-001",
      sentence: "A type that is not registered is registered automatically."
    ) { if $0.registration == .times(0) { $0.registration = .automatic } },
    coordinating(
      "registered-twice-is-never", "CDTIS-002", sentence: "A second registration removes the first."
    ) {
      if case .times(let count) = $0.registration, count > 1 { $0.registration = .times(0) }
    },
    coordinated("type-of-stores-renamed", "CDTIS-003", sentence: "The type has another name.") {
      answer, _ in
      answer.type = "CDTISStore"
    },
    coordinated(
      "failed-stores-listed", "CDTIS-004", sentence: "Stores that could not be added are listed."
    ) {
      answer, coordination in
      for (addition, result) in zip(coordination.stores, answer.added) {
        if case .failure = result { answer.stores.append(addition.url) }
      }
    },
    coordinated(
      "first-component-names-store", "CDTIS-005",
      sentence: "The store has the name of the URL's first path component."
    ) { answer, coordination in
      for (place, addition) in coordination.stores.enumerated() {
        let components = addition.url.string.split(separator: "/")
        guard components.count > 2, case .success(var store?) = answer.added[place] else {
          continue
        }
        store.name = StoreName(JSONString(String(components[1])))
        answer.added[place] = .success(store)
      }
    },
    coordinated(
      "hosts-ignored", "CDTIS-006", sentence: "The host in the URL is not the default remote."
    ) {
      answer, _ in
      answer.added = answer.added.map { result in
        result.map { store in store.map { CoordinationAnswer.Store(name: $0.name, remote: nil) } }
      }
    },
    coordinating(
      "said-remotes-ignored", "CDTIS-007", sentence: "An explicit remote is ignored."
    ) {
      for place in $0.targets.indices { $0.targets[place].remote = nil }
    },
    coordinated(
      "stores-of-others-listed", "CDTIS-008", sentence: "Stores of other types are listed, too."
    ) {
      answer, coordination in
      for (addition, result) in zip(coordination.stores, answer.added)
      where coordination.others.contains(addition.type) {
        if case .success = result { answer.stores.append(addition.url) }
      }
    },
    coordinated(
      "first-store-found", "CDTIS-009", sentence: "An unknown URL finds the first store."
    ) {
      answer, _ in
      let first = answer.added.lazy.compactMap { try? $0.get() }.first
      answer.found = answer.found.map { $0 ?? first }
    },
    coordinating(
      "names-always-mended", "CDTIS-115", sentence: "Store names are converted without the option."
    ) {
      for place in $0.stores.indices { $0.stores[place].mendsNames = true }
    },
    coordinating(
      "registered-by-hand-only", "CDTIS-168",
      sentence: "The option to register the type when needed has no effect."
    ) { if $0.registration == .automatic { $0.registration = .times(0) } },
  ]

  /// Opens stores whose metadata document must be refused.
  private static func trusting(
    _ name: String, _ clause: String, sentence: String,
    isTrusted: @escaping @Sendable (JSONObject) -> Bool
  ) -> Defect {
    excusing(name, clause, sentence: sentence) { operation, kind, store throws(HarnessError) in
      guard case .open? = operation.action.objects, kind.what == "badEnvelope",
        let body = try store.document(operation.store, metadata)?.body.objectValue,
        isTrusted(body)
      else { return nil }
      return .ok(.objects(.opened(identifier: metadata.text)))
    }
  }

  /// The same, by a property in the document.
  private static func trustingProperties(
    _ name: String, _ clause: String, sentence: String,
    isTrusted: @escaping @Sendable (JSONString, JSONObject) -> Bool
  ) -> Defect {
    trusting(name, clause, sentence: sentence) { body in
      let entities = body["objectModel"]?.objectValue?.members ?? []
      return entities.contains { entity in
        let properties = entity.value.objectValue?["properties"]?.objectValue?.members ?? []
        return properties.contains { isTrusted($0.name, $0.value.objectValue ?? [:]) }
      }
    }
  }

  static let metadata: DocumentID = "CDTISMetaData"
  private static let typeNames: Set<JSONString> = [
    "utf8", "bool", "date1970", "int16", "int32", "int64", "double", "float", "decimal", "xform",
    "binary", "id", "relation-to-one", "relation-to-many",
  ]

  private static let objectMetadata: [Defect] = [
    meddling(
      "opening-writes-metadata", "CDTIS-011",
      sentence: "Every opening writes the metadata document."
    ) {
      operation, _, store throws(HarnessError) in
      guard case .open? = operation.action.objects,
        let document = try store.document(operation.store, metadata)
      else { return [] }
      return [.update(id: metadata, rev: document.rev, body: document.body)]
    },
    mishearing("metadata-elsewhere", "CDTIS-020", sentence: "The metadata document has another id.")
    {
      operation, _ in
      guard case .read(metadata, let rev) = operation.action else { return operation }
      return StoreOperation(operation.store, .read(id: "CDTISMetadata", rev: rev))
    },
    trusting(
      "metadata-without-members", "CDTIS-021",
      sentence: "The metadata document may lack its members."
    ) {
      $0["metaData"] == nil || $0["objectModel"]?.objectValue == nil
    },
    trusting("run-of-any-kind", "CDTIS-022", sentence: "`run` may be any JSON value.") {
      $0["run"].map { $0.textValue == nil } ?? false
    },
    trusting(
      "entities-without-members", "CDTIS-024",
      sentence: "The description of an entity may lack its members."
    ) {
      ($0["objectModel"]?.objectValue?.members ?? []).contains {
        $0.value.objectValue?["versionHash"] == nil || $0.value.objectValue?["properties"] == nil
      }
    },
    trustingProperties(
      "properties-without-members", "CDTIS-025",
      sentence: "The description of a property may lack its members."
    ) {
      $1["versionHash"] == nil || $1["typeName"] == nil
    },
    trustingProperties("any-type-name", "CDTIS-026", sentence: "Unknown type names are accepted.") {
      $1["typeName"]?.textValue.map { !typeNames.contains($0) } ?? false
    },
    trustingProperties("hashes-of-any-length", "CDTIS-027", sentence: "A hash may be any text.") {
      guard let hash = $1["versionHash"]?.textValue else { return false }
      return hash.utf8.count != 64 || !hash.string.allSatisfy(\.isHexDigit)
    },
    trustingProperties(
      "transformers-of-anything", "CDTIS-028",
      sentence: "Properties of any type may have a transformer."
    ) {
      $1["xform"] != nil && $1["typeName"] != "xform"
    },
    trustingProperties(
      "destinations-of-anything", "CDTIS-029", sentence: "Attributes may have a destination."
    ) {
      ($1["destination"] != nil) != ($1["typeName"] == "relation-to-one")
    },
    trustingProperties(
      "names-not-compared", "CDTIS-169",
      sentence: "The member `name` of a property may be another name."
    ) {
      $1["name"] != nil && $1["name"] != .string($0)
    },
    rewriting(
      "run-dropped", "CDTIS-022", sentence: "An updated metadata document lacks `run`."
    ) {
      action, changes in
      if case .open = action { changes.append((metadata, { $0["run"] = nil })) }
    },
    rewriting(
      "opaque-metadata-dropped", "CDTIS-030",
      sentence: "Members of `metaData` that the store does not use are dropped."
    ) {
      action, changes in
      guard case .open = action else { return }
      changes.append(
        (
          metadata,
          { body in
            let own: Set<JSONString> = ["metaData", "objectModel", "run"]
            for member in body.members where !own.contains(member.name) { body[member.name] = nil }
          }
        ))
    },
    answering(
      "metadata-stays-at-home", "CDTIS-031", sentence: "The metadata document is not in the feed."
    ) {
      _, result, _ in
      guard case .changes(var page) = result else { return .ok(result) }
      page.rows.removeAll { $0.id == metadata }
      return .ok(.changes(page))
    },
    excusing(
      "metadata-deleted-as-object", "CDTIS-155",
      sentence: "The metadata document can be deleted as an object."
    ) { operation, kind, store throws(HarnessError) in
      guard case .save(_, _, [metadata])? = operation.action.objects, case .notFound = kind,
        let document = try store.document(operation.store, metadata)
      else { return nil }
      _ = try store.ask(operation.store, .delete(id: metadata, rev: document.rev))
      return .ok(.objects(.saved([])))
    },
  ]

  /// True if a model has a name that is not allowed for an entity or a property.
  private static func hasBadName(_ model: JSONValue) -> (entity: Bool, property: Bool) {
    let entities = model.objectValue?["entities"]?.objectValue?.members ?? []
    let names = entities.flatMap { entity in
      (model.properties("attributes", of: entity.name)
        + model.properties("relationships", of: entity.name)).map { $0.name }
    }
    return (
      entities.contains { $0.name.utf8.contains(UInt8(ascii: " ")) },
      names.contains {
        $0.isEmpty || $0.utf8.contains(UInt8(ascii: " ")) || $0.utf8.starts(with: "_".utf8)
          || $0.utf8.starts(with: "CDTIS".utf8)
      }
    )
  }

  /// Describes invalid models.
  private static func describing(
    _ name: String, _ clause: String, sentence: String,
    isAccepted: @escaping @Sendable ((entity: Bool, property: Bool)) -> Bool
  ) -> Defect {
    excusing(name, clause, sentence: sentence) { operation, kind, _ in
      guard case .describe(let model, _, _)? = operation.action.objects, kind.what == "model",
        isAccepted(hasBadName(model))
      else { return nil }
      return .ok(.objects(.described(objectModel: [:], warnings: [])))
    }
  }

  /// Changes the description of each property.
  private static func described(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout JSONObject) -> Void
  ) -> Defect {
    answering(name, clause, sentence: sentence) { _, result, _ in
      guard case .described(let model, let warnings)? = result.objects,
        let entities = model.objectValue
      else { return .ok(result) }
      let changed = entities.members.map { entity -> (JSONString, JSONValue) in
        guard var description = entity.value.objectValue else { return (entity.name, entity.value) }
        let properties = description["properties"]?.objectValue?.members ?? []
        description["properties"] = .object(
          JSONObject(
            properties.map { property in
              var description = property.value.objectValue ?? [:]
              change(&description)
              return (property.name, .object(description))
            }))
        return (entity.name, .object(description))
      }
      return .ok(
        .objects(.described(objectModel: .object(JSONObject(changed)), warnings: warnings)))
    }
  }

  private static let objectModels: [Defect] = [
    describing(
      "entities-with-spaces", "CDTIS-023", sentence: "The name of an entity may contain spaces."
    ) {
      $0.entity
    },
    describing("taken-names-accepted", "CDTIS-054", sentence: "Property names are not validated.") {
      $0.property
    },
    describing(
      "unsound-models-accepted", "CDTIS-147", sentence: "Models are not validated."
    ) {
      !$0.entity && !$0.property
    },
    described(
      "long-integers-are-integers", "CDTIS-026",
      sentence: "Integers of 64 bits have the type name int."
    ) {
      if $0["typeName"] == "int64" { $0["typeName"] = "int" }
    },
    described(
      "transformers-not-described", "CDTIS-028",
      sentence: "The classes of transformers are not described."
    ) {
      $0["xform"] = nil
    },
    described(
      "destinations-not-described", "CDTIS-029",
      sentence: "The destinations of relationships are not described."
    ) {
      $0["destination"] = nil
    },
    hearing("transient-is-stored", "CDTIS-033", sentence: "Transient properties are stored.") {
      action in
      switch action {
      case .describe(let model, let transformers, let predicates):
        .describe(
          model: model.without(["transient"]), transformers: transformers, predicates: predicates)
      case .encode(let model, let object, let form, let transformers):
        .encode(
          model: model.without(["transient"]), object: object, form: form,
          transformers: transformers)
      case .open(let model, let migrates, let form):
        .open(model: model.without(["transient"]), migrates: migrates, form: form)
      default: action
      }
    },
    answering("defaults-in-hashes", "CDTIS-131", sentence: "Hashes depend on defaults.") {
      operation, result, _ in
      guard case .describe(let model, _, _)? = operation.action.objects,
        case .described(let described, let warnings)? = result.objects,
        model.without(["default"]) != model
      else { return .ok(result) }
      let zero = JSONValue.text(String(repeating: "0", count: 64))
      let changed = (described.objectValue?.members ?? []).map {
        entity -> (JSONString, JSONValue) in
        var description = entity.value.objectValue ?? [:]
        description["versionHash"] = zero
        return (entity.name, .object(description))
      }
      return .ok(
        .objects(.described(objectModel: .object(JSONObject(changed)), warnings: warnings)))
    },
    answering(
      "decimals-not-warned-of", "CDTIS-140", sentence: "There is no warning about decimals."
    ) {
      _, result, _ in
      guard case .described(let model, let warnings)? = result.objects else { return .ok(result) }
      return .ok(
        .objects(
          .described(objectModel: model, warnings: warnings.filter { $0.reason != "decimal" })))
    },
    validating(
      "nil-is-valid", "CDTIS-143", sentence: "A nil value of a mandatory property is accepted."
    ) {
      $0.filter { $0 != 1570 }
    },
    validating(
      "dates-are-numbers", "CDTIS-144",
      sentence: "Dates out of range are reported with the codes of numbers."
    ) {
      $0.map { $0 == 1630 ? 1610 : $0 == 1640 ? 1620 : $0 }
    },
    validating(
      "any-length-is-valid", "CDTIS-145", sentence: "The maximum length of a text is not checked."
    ) {
      $0.filter { $0 != 1660 }
    },
    validating(
      "any-count-is-valid", "CDTIS-146",
      sentence: "The maximum count of a relationship is not checked."
    ) {
      $0.filter { $0 != 1590 }
    },
    validating(
      "first-failure-only", "CDTIS-156", sentence: "Only the first validation failure is reported."
    ) {
      Array($0.prefix(1))
    },
  ]

  /// Replaces the model of a store.
  private static func opening(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (JSONValue, Bool?) -> (JSONValue, Bool?)
  ) -> Defect {
    hearing(name, clause, sentence: sentence) { action in
      guard case .open(let model, let migrates, let form) = action else { return action }
      let (changed, decision) = change(model, migrates)
      return .open(model: changed, migrates: decision, form: form)
    }
  }

  private static let objectMigrations: [Defect] = [
    opening(
      "models-not-compared", "CDTIS-132",
      sentence: "A store with another model is migrated without the option."
    ) {
      model, _ in (model, true)
    },
    opening(
      "defaults-not-given", "CDTIS-133",
      sentence: "New attributes get no defaults in existing objects."
    ) {
      model, migrates in (migrates == true ? model.without(["default"]) : model, migrates)
    },
    opening("renamed-is-removed", "CDTIS-135", sentence: "A renamed property loses its value.") {
      model, migrates in (model.without(["renamedFrom"]), migrates)
    },
    meddling(
      "objects-of-gone-entities-deleted", "CDTIS-134",
      sentence: "A migration deletes objects of removed entities."
    ) {
      operation, _, store throws(HarnessError) in
      guard case .open(let model, true, _)? = operation.action.objects else { return [] }
      let entities = model.objectValue?["entities"]?.objectValue
      var deletes: [StoreAction] = []
      for row in try store.feed(operation.store) {
        guard let document = try store.document(operation.store, row.id),
          let entity = document.body.objectValue?["CDTISEntityName"]?.textValue,
          entities?[entity] == nil
        else { continue }
        deletes.append(.delete(id: row.id, rev: document.rev))
      }
      return deletes
    },
    excusing(
      "types-change-freely", "CDTIS-136",
      sentence: "A migration may change the type of an attribute."
    ) {
      operation, kind, _ in
      guard case .open? = operation.action.objects, kind.what == "migration" else { return nil }
      return .ok(.objects(.opened(identifier: metadata.text)))
    },
    remembering(
      "description-stays-old", "CDTIS-137",
      sentence: "After a migration the metadata document describes the old model.",
      answer: { operation, outcome, _, memory in
        guard case .open(_, let migrates, _)? = operation.action.objects, case .ok = outcome else {
          return outcome
        }
        if migrates == true { memory.marks.insert(operation.key()) }
        return migrates != true && memory.marks.contains(operation.key())
          ? .badObject("modelMismatch") : outcome
      }),
    remembering(
      "new-attributes-demanded", "CDTIS-035",
      sentence: "Old objects must have the new mandatory attributes of a later model.",
      answer: { operation, outcome, _, memory in
        if case .open(let model, _, _)? = operation.action.objects {
          for entity in model.objectValue?["entities"]?.objectValue?.members ?? [] {
            for (name, description) in model.properties("attributes", of: entity.name)
            where description["optional"] == false {
              memory.marks.insert(operation.key(name))
            }
          }
        }
        guard case .object(let object, _, _)? = outcome.objects,
          let values = object.objectValue?["values"]?.objectValue
        else { return outcome }
        let isMissing = memory.marks.contains {
          $0.first == operation.store.text && $0.count == 2 && values[$0[1]] == nil
        }
        return isMissing ? .badObject("wrongType") : outcome
      }),
  ]
}
