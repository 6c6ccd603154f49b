internal import Datastore
internal import Digest
internal import JSON
internal import ObjectMapping

// Operations that store nothing: models, and conversion of objects and documents.

extension ObjectDatastore {
  func describe(
    _ json: JSONValue, _ transformers: [ObjectTransformer], predicates: [ObjectPredicate]
  ) throws(StoreError) -> ObjectAnswer {
    let model = try self.model(json)
    var warnings = model.portabilityWarnings(TransformerRegistry(transformers))
    for asked in predicates {
      guard let predicate = try predicate(asked.predicate, asked.arguments) else { continue }
      try SelectorCompiler.check(predicate, of: asked.entity, in: model)
      warnings += model.portabilityWarnings(predicate, of: asked.entity)
    }
    let metadata = MetadataDocument(model, storeIdentifier: "", storeType: "")
    return .described(
      objectModel: metadata.body["objectModel"] ?? [:],
      warnings: warnings.map {
        PortabilityNote(path: JSONString($0.path), reason: JSONString($0.reason.rawValue))
      })
  }

  func validate(
    _ json: JSONValue, _ model: ManagedObjectModel
  ) throws(StoreError) -> ObjectAnswer {
    let object = try self.object(json, model)
    do throws(DatastoreError) {
      let failures = try model[object.entity]?.failures(of: object.properties) ?? []
      return .validated(failures.map { $0.reason.rawValue })
    } catch {
      throw StoreError(.datastore(object.id, error), error.description)
    }
  }

  func encode(
    _ json: JSONValue, _ mapping: DocumentMapping
  ) throws(StoreError) -> ObjectAnswer {
    let object = try self.object(json, mapping.model)
    let document = try mapped(object.id) { () throws(MappingError) in try mapping.encode(object) }
    return .encoded(body: .object(document.body), attachments: document.attachments)
  }

  func decode(_ decoding: ObjectDecoding) throws(StoreError) -> ObjectAnswer {
    let mapping = DocumentMapping(
      try self.model(decoding.model), trustsNumbers: decoding.trustsNumbers ?? false,
      transformers: TransformerRegistry(decoding.transformers))
    var document = EntityDocument(body: decoding.body.objectValue ?? JSONObject())
    for attachment in decoding.attachments {
      guard case .data(let text) = attachment.content, attachment.encoding == nil,
        let bytes = Base64.decode(text.utf8)
      else { continue }
      document.contents[attachment.name] = EntityDocument.Content(
        type: attachment.type ?? "application/octet-stream", bytes: bytes)
    }
    let (object, warnings) = try mapped(decoding.id) { () throws(MappingError) in
      try mapping.decode(document, id: decoding.id)
    }
    var value: JSONString?
    if let name = decoding.value {
      value = try mapped(decoding.id) { () throws(MappingError) in
        try mapping.value(of: name, in: object, document, as: [UInt8].self).map {
          JSONString(Base64.encode($0))
        }
      }
    }
    return .object(
      object.json, warnings: warnings.map { $0.asObjectWarning }, value: value)
  }

  // MARK: Encoding

  func model(_ json: JSONValue) throws(StoreError) -> ManagedObjectModel {
    do throws(DecodingFailure) { return try ManagedObjectModel(json) } catch {
      throw StoreError(.badModel, error.description)
    }
  }

  func form(_ name: JSONString?) throws(StoreError) -> DocumentMapping.Form {
    guard let name else { return .documented }
    guard let form = DocumentMapping.Form(rawValue: name.string) else {
      throw StoreError(
        .datastore(nil, DatastoreError(.badRequest(path: "form"))), "unknown form '\(name)'")
    }
    return form
  }

  func object(
    _ json: JSONValue, _ model: ManagedObjectModel
  ) throws(StoreError) -> ManagedObject {
    do throws(DecodingFailure) { return try ManagedObject(json, model) } catch {
      throw StoreError(.badObject, error.description)
    }
  }

  private func mapped<Value>(
    _ id: ObjectID, _ body: () throws(MappingError) -> Value
  ) throws(StoreError) -> Value {
    do throws(MappingError) { return try body() } catch {
      throw StoreError(.mapping(id, error), error.description)
    }
  }
}

/// The transformer of calls, whose values are the bytes.
private struct PlainTransformer: AttributeTransformer {
  let mimeType: JSONString?

  func bytes(of value: [UInt8]) -> [UInt8] { value }
  func value(of bytes: [UInt8]) -> [UInt8] { bytes }
}

extension TransformerRegistry {
  init(_ transformers: [ObjectTransformer]) {
    self.init()
    for transformer in transformers {
      register(PlainTransformer(mimeType: transformer.mimeType), as: transformer.name)
    }
  }
}

extension MappingWarning {
  var asObjectWarning: ObjectWarning {
    ObjectWarning(kind: JSONString(kind.rawValue), property: property)
  }
}
