package import Datastore
internal import Digest
package import JSON

// Saving of objects as documents.

extension IncrementalStore {
  /// Writes objects: first insertions, then updates, deletions, and finally conflict resolutions.
  ///
  /// With `atomicBatch` the save is atomic. Otherwise it stops at the first failure, and the error
  /// lists the written objects. If an object cannot be encoded, nothing is written.
  ///
  /// Returns the versions of inserted and updated objects, in order, and of those that a resolution
  /// changed.
  @discardableResult
  public func save(_ request: SaveRequest) throws(StoreError) -> [SavedObject] {
    try write(request, over: [:]).saved
  }

  /// Writes as `save` does, over documents that were read a moment ago.
  ///
  /// - Parameter documents: the current documents of updated and deleted objects; others are read.
  /// - Returns: the versions, and the bodies that now stand alone: without attachments beside them.
  package func write(
    _ request: SaveRequest, over documents: [ObjectID: DocumentRevision]
  ) throws(StoreError) -> (saved: [SavedObject], bodies: [ObjectID: JSONValue]) {
    var writes: [(id: ObjectID, action: StoreAction)] = []
    var saved: [SavedObject] = []
    for object in request.inserted {
      writes.append((object.id, try insertion(of: object)))
      saved.append(SavedObject(id: object.id, version: 1))
    }
    for update in request.updated {
      let id = update.object.id
      let document = try stored(id, among: documents)
      let (action, version) = try action(for: update, over: document)
      writes.append((id, action))
      saved.append(SavedObject(id: id, version: version))
    }
    for id in request.deleted {
      let document = try stored(id, among: documents)
      try checkIsObject(document)
      writes.append((id, .delete(id: id, rev: document.rev)))
    }
    var bodies: [ObjectID: JSONValue] = [:]
    for (id, action) in writes { bodies[id] = action.soleBody }
    for settlement in request.settled {
      let (actions, version) = try actions(for: settlement)
      writes += actions.map { (settlement.id, $0) }
      if let version { saved.append(SavedObject(id: settlement.id, version: version)) }
    }
    try perform(writes)
    return (saved, bodies)
  }

  private func perform(_ writes: [(id: ObjectID, action: StoreAction)]) throws(StoreError) {
    guard !writes.isEmpty else { return }
    guard isAtomic else {
      var written: [ObjectID] = []
      for (id, action) in writes {
        do throws(StoreError) { _ = try perform(action, for: id) } catch {
          var reason = error.reason
          if case .datastore(let id, var refusal) = reason {
            // Completed writes precede the failed one.
            refusal.write = Int64(written.count)
            reason = .datastore(id, refusal)
          }
          throw StoreError(reason, error.message, written: written)
        }
        written.append(id)
      }
      return
    }
    do throws(StoreError) {
      _ = try perform(.batch(writes.map { $0.action }))
    } catch {
      guard case .datastore(_, let refusal) = error.reason else { throw error }
      let id = refusal.write.flatMap { writes.indices.contains(Int($0)) ? writes[Int($0)].id : nil }
      throw StoreError(.datastore(id, refusal), error.message)
    }
  }

  private func stored(
    _ id: ObjectID, among documents: [ObjectID: DocumentRevision]
  ) throws(StoreError) -> DocumentRevision {
    if let document = documents[id] { return document }
    guard id != MetadataDocument.id, let document = try document(id) else {
      throw StoreError(.missingObject(id), "no object '\(id)'")
    }
    return document
  }

  /// Rejects the deletion of a document that is not an object of the model.
  private func checkIsObject(_ document: DocumentRevision) throws(StoreError) {
    do throws(MappingError) {
      _ = try mapping.entity(of: document.body.objectValue ?? JSONObject())
    } catch {
      throw StoreError(
        .mapping(document.id, error), "'\(document.id)' is not a valid object: \(error)")
    }
  }

  private func insertion(of object: ManagedObject) throws(StoreError) -> StoreAction {
    var object = object
    object.version = 1
    object.identifier = object.identifier ?? uri(of: object.id, object.entity)
    fillIdentifiers(&object)
    do throws(MappingError) {
      let document = try mapping.encode(object)
      let create = StoreAction.create(id: object.id, body: .object(document.body))
      let attachments = document.attachments
      return attachments.isEmpty ? create : .attaching(attachments, to: create)
    } catch {
      throw StoreError(.mapping(object.id, error), "'\(object.id)' cannot be stored: \(error)")
    }
  }

  /// An update of the stored document: unchanged keys are kept.
  func action(
    for update: SaveRequest.Update, over stored: DocumentRevision
  ) throws(StoreError) -> (action: StoreAction, version: Int64) {
    let id = update.object.id
    do throws(MappingError) {
      let body = stored.body.objectValue ?? JSONObject()
      var object = update.object
      let (old, _) = try mapping.decode(try entityDocument(stored), id: id)
      guard old.entity == object.entity else {
        throw MappingError(
          .unknownEntity, object.entity, message: "the stored object has the entity \(old.entity)")
      }
      guard old.version < EnvelopeMember.largestVersion else {
        throw MappingError(
          .badEnvelope, EnvelopeMember.version, message: "the version cannot be incremented")
      }
      object.version = old.version + 1
      object.identifier = old.identifier ?? uri(of: id, object.entity)
      let document = try mapping.update(
        EntityDocument(body: body), to: object, changed: update.changed)
      let action = StoreAction.update(id: id, rev: stored.rev, body: .object(document.body))
      // Attachments are kept, except the content of changed attributes, which the member refers to.
      let kept = stored.attachments.filter { attachment in
        let name = attachment.name
        return document.contents[name] == nil
          && !(update.changed.contains(name) && body[name] == .string(name))
      }
      let attachments =
        kept.map { RevisionAttachment($0.name, .stub, digest: $0.digest) } + document.attachments
      return (attachments.isEmpty ? action : .attaching(attachments, to: action), object.version)
    } catch {
      throw StoreError(.mapping(id, error), "'\(id)' cannot be stored: \(error)")
    }
  }
}

extension StoreAction {
  /// The body that the action writes; nil when attachments stand beside it, or it writes none.
  fileprivate var soleBody: JSONValue? {
    switch self {
    case .create(_, let body), .update(_, _, let body): body
    default: nil
    }
  }
}

extension EntityDocument {
  /// The contents in byte order of their names.
  package var attachments: [RevisionAttachment] {
    contents.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { name, content in
      RevisionAttachment(name, .data(JSONString(Base64.encode(content.bytes))), type: content.type)
    }
  }
}
