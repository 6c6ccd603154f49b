internal import Datastore
internal import JSON
internal import ObjectMapping
internal import ObjectOperations

/// Compares the documents of an object store with its documented encoding.
///
/// A store that writes another form than `encodeObject` can read its own objects, but other clients
/// cannot.
struct StoredObjects {
  let model: JSONValue
  let form: JSONString?
  /// Performs an action on the store; nil if it is rejected.
  let ask: (StoreAction) throws(HarnessError) -> OperationResult?

  /// A document that differs from the documented encoding.
  struct Difference {
    let expected: JSONValue
    let found: JSONValue
    let action: StoreAction
  }

  /// The first object whose document differs from `encodeObject`; nil if all are equal.
  ///
  /// - Parameter uris: the URIs of the objects, in their order; without one, that member may have
  ///   any value.
  func difference(
    _ objects: [ManagedObject], _ uris: [JSONString?]
  ) throws(HarnessError) -> Difference? {
    for (object, uri) in zip(objects, uris) {
      var shown = object
      shown.identifier = uri
      let encode = StoreAction.objects(.encode(model: model, object: shown.json, form: form))
      let read = StoreAction.read(id: object.id)
      guard case .encoded(let body, let attachments)? = try ask(encode)?.objects else {
        return Difference(expected: object.json, found: .null, action: encode)
      }
      guard case .document(let document)? = try ask(read) else {
        return Difference(expected: body, found: .null, action: read)
      }
      guard document.body.isSameValue(as: body) else {
        return Difference(expected: body, found: document.body, action: read)
      }
      if let difference = try difference(of: attachments, document) { return difference }
    }
    return nil
  }

  /// The first attachment whose type or bytes differ.
  private func difference(
    of shown: [RevisionAttachment], _ document: DocumentRevision
  ) throws(HarnessError) -> Difference? {
    let read = StoreAction.read(id: document.id)
    let names = shown.map(\.name)
    guard Set(document.attachments.map(\.name)) == Set(names) else {
      return Difference(
        expected: .array(names.map { .string($0) }),
        found: .array(document.attachments.map { .string($0.name) }), action: read)
    }
    for attachment in shown {
      let action = StoreAction.readAttachment(id: document.id, name: attachment.name)
      guard case .attachment(let piece)? = try ask(action) else {
        return Difference(expected: .string(attachment.name), found: .null, action: action)
      }
      guard attachment.content == .data(piece.bytes), attachment.type == piece.attachment.type
      else {
        return Difference(
          expected: .array([.string(attachment.name), .string(attachment.type ?? "")]),
          found: .array([.string(piece.bytes), .string(piece.attachment.type ?? "")]),
          action: action)
      }
    }
    return nil
  }

  /// The difference between the metadata document and `describeModel`; nil if they are equal.
  func difference(ofMetadata identifier: JSONString) throws(HarnessError) -> Difference? {
    let describe = StoreAction.objects(.describe(model: model))
    let read = StoreAction.read(id: MetadataDocument.id)
    guard case .described(let shown, _)? = try ask(describe)?.objects else {
      return Difference(expected: model, found: .null, action: describe)
    }
    guard case .document(let document)? = try ask(read) else {
      return Difference(expected: shown, found: .null, action: read)
    }
    let body = document.body.objectValue
    let stored = body?["objectModel"] ?? .null
    guard stored.isSameValue(as: shown) else {
      return Difference(expected: shown, found: stored, action: read)
    }
    let name = body?["metaData"]?.objectValue?["NSStoreUUID"] ?? .null
    guard name == .string(identifier) else {
      return Difference(expected: .string(identifier), found: name, action: read)
    }
    return nil
  }
}
