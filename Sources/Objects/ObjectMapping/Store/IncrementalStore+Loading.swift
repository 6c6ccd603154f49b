public import Datastore
internal import Digest
public import JSON

// Loading of objects from documents.

extension IncrementalStore {
  /// The object of an id; throws `missingObject` if it no longer exists.
  public func object(_ id: ObjectID) throws(StoreError) -> ManagedObject {
    guard id != MetadataDocument.id, let document = try document(id) else {
      throw StoreError(.missingObject(id), "no object '\(id)'")
    }
    return try object(of: document)
  }

  /// The object of a URI, assigned on this replica or another.
  ///
  /// URIs that stores of this kind assign contain the document id; for other URIs all documents are
  /// searched.
  public func object(at identifier: JSONString) throws(StoreError) -> ManagedObject {
    if let id = try? objectID(of: identifier), let document = try document(id),
      document.id != MetadataDocument.id
    {
      let object = try object(of: document)
      if object.identifier == identifier { return object }
    }
    var found: ObjectID?
    try forEachDocument { (document) throws(StoreError) in
      let member = document.body.objectValue?[EnvelopeMember.identifier]
      if found == nil, member == .string(identifier) { found = document.id }
    }
    guard let found else { return try object(try objectID(of: identifier)) }
    return try object(found)
  }

  /// The object of a document found by a query; attachments are read if needed.
  func object(of found: FoundDocument) throws(StoreError) -> ManagedObject {
    let body = found.body.objectValue ?? JSONObject()
    let entity = body[EnvelopeMember.entityName]?.textValue.flatMap { model[$0] }
    // A member whose value is its own name may refer to content, although the name is also valid
    // base64.
    let mayHaveContent =
      entity?.attributes.contains {
        ($0.type == .binary || $0.type == .xform) && body[$0.name] == .string($0.name)
      } ?? false
    if mayHaveContent, let document = try document(found.id) { return try object(of: document) }
    return try object(
      of: DocumentRevision(id: found.id, rev: found.rev, deleted: false, body: found.body))
  }

  package func object(of document: DocumentRevision) throws(StoreError) -> ManagedObject {
    do throws(MappingError) {
      var (object, warnings) = try mapping.decode(try entityDocument(document), id: document.id)
      self.warnings += warnings.map { (document.id, $0) }
      if object.identifier == nil { object.identifier = uri(of: document.id, object.entity) }
      fillIdentifiers(&object)
      return object
    } catch {
      throw StoreError(
        .mapping(document.id, error), "document '\(document.id)' is not a valid object: \(error)")
    }
  }

  /// Sets attributes of type `id` without a value to the URI of their object.
  ///
  /// Source: CDTIncrementalStore's guide, names of types.
  func fillIdentifiers(_ object: inout ManagedObject) {
    guard let identifier = object.identifier else { return }
    for attribute in model[object.entity]?.attributes ?? []
    where attribute.type == .id && !attribute.isTransient {
      guard object.properties[attribute.name] ?? PropertyValue.none == PropertyValue.none else {
        continue
      }
      object.properties[attribute.name] = .attribute(.identifier(identifier))
    }
  }

  /// The body with the contents of attachments that belong to attributes; other attachments are not
  /// read.
  func entityDocument(_ document: DocumentRevision) throws(MappingError) -> EntityDocument {
    var result = EntityDocument(body: document.body.objectValue ?? JSONObject())
    let entity = try mapping.entity(of: result.body)
    for attachment in document.attachments {
      let type = entity.attribute(attachment.name)?.type
      // An attachment that no member refers to belongs to another client.
      guard type == .binary || type == .xform,
        result.body[attachment.name] == .string(attachment.name)
      else { continue }
      guard attachment.encoding == nil else {
        throw MappingError(.missingContent, attachment.name, message: "the content is gzip-encoded")
      }
      var bytes: [UInt8] = []
      let size = attachment.encodedLength ?? attachment.length ?? 0
      // A store without pieces returns the whole content, and has none that is longer.
      let hasPieces = host.datastore.description.capabilities.contains(.attachmentPieces)
      while Int64(bytes.count) < size {
        let offset = hasPieces || !bytes.isEmpty ? Int64(bytes.count) : nil
        let read = StoreAction.readAttachment(
          id: document.id, rev: document.rev, name: attachment.name, offset: offset)
        guard case .attachment(let piece)? = try? perform(read, for: document.id),
          let more = Base64.decode(piece.bytes.utf8), !more.isEmpty
        else {
          throw MappingError(
            .missingContent, attachment.name, message: "the content cannot be read")
        }
        bytes += more
      }
      result.contents[attachment.name] = EntityDocument.Content(
        type: attachment.type ?? "application/octet-stream", bytes: bytes)
    }
    return result
  }

  /// The objects of an entity in byte order of their ids; other documents are ignored.
  public func objects(of entity: JSONString) throws(StoreError) -> [ManagedObject] {
    guard model[entity] != nil else {
      throw StoreError(.unknownEntity(entity), "the model has no entity '\(entity)'")
    }
    var objects: [ManagedObject] = []
    try forEachDocument { (document) throws(StoreError) in
      guard document.body.objectValue?[EnvelopeMember.entityName] == .string(entity) else { return }
      objects.append(try object(of: document))
    }
    return objects
  }

  /// Documents that are neither the metadata nor valid objects of the model, each with its error.
  public func check() throws(StoreError) -> [(id: ObjectID, fault: StoreError)] {
    var faults: [(ObjectID, StoreError)] = []
    try forEachDocument { (document) throws(StoreError) in
      guard document.id != MetadataDocument.id else { return }
      do throws(StoreError) {
        _ = try object(of: document)
      } catch {
        guard case .mapping = error.reason else { throw error }
        faults.append((document.id, error))
      }
    }
    return faults
  }

  func forEachDocument(
    _ body: (DocumentRevision) throws(StoreError) -> Void
  ) throws(StoreError) {
    var next: ObjectID?
    var isFirst = true
    while isFirst || next != nil {
      // One more than a page: the last row is the start of the next page.
      guard case .list(let rows) = try perform(.list(from: next, limit: 501)) else { return }
      isFirst = false
      next = rows.count > 500 ? rows.last?.id : nil
      for row in rows.prefix(500) {
        if let document = try document(row.id) { try body(document) }
      }
    }
  }

  // MARK: Identifiers

  /// The URI of an object of this store.
  ///
  /// It is derived only from the store's name and the document id, so a document of another client
  /// always gets the same URI.
  public func uri(of id: ObjectID, _ entity: JSONString) -> JSONString {
    JSONString(
      "x-coredata://\(identifier.percentEncoded)/\(entity.percentEncoded)/p\(id.text.percentEncoded)"
    )
  }

  /// The object of a URI, regardless of the store that assigned it.
  public func objectID(of uri: JSONString) throws(StoreError) -> ObjectID {
    let parts = uri.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].elementsEqual("x-coredata:".utf8), parts[1].isEmpty,
      parts[4].first == UInt8(ascii: "p"),
      let bytes = StoreURL.percentDecoded(Array(parts[4].dropFirst())[...]), !bytes.isEmpty,
      let text = JSONString(validating: bytes)
    else { throw StoreError(.badIdentifier(uri), "'\(uri)' is not the URI of an object") }
    return ObjectID(text)
  }
}

extension JSONString {
  /// The text with letters, digits and `-._~` unchanged and all other bytes as `%XX`.
  fileprivate var percentEncoded: String {
    var text = ""
    for byte in utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, 45, 46, 95, 126:
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
