internal import Datastore
internal import Digest
internal import JSON

// Migration of objects from an earlier model to the current one.
//
// Removed attributes lose their keys, renamed ones move them, new ones get their defaults. The
// metadata document is written last, so an interrupted migration is simply repeated.

extension IncrementalStore {
  func migrate(
    from metadata: MetadataDocument, _ metadataDocument: DocumentRevision
  ) throws(StoreError) {
    var plans: [JSONString: Plan] = [:]
    let names = Set(metadata.entities.map { $0.name })
    for entity in metadata.entities { plans[entity.name] = try plan(for: entity, among: names) }
    try checkResuming(plans, before: names)
    var writes: [(id: ObjectID, action: StoreAction)] = []
    try forEachDocument { (document) throws(StoreError) in
      guard let name = document.body.objectValue?[EnvelopeMember.entityName]?.textValue,
        let plan = plans[name], let migrated = try migrated(document, plan)
      else { return }
      let update = StoreAction.update(
        id: document.id, rev: document.rev, body: .object(migrated.body))
      let attachments = migrated.attachments
      writes.append(
        (document.id, attachments.isEmpty ? update : .attaching(attachments, to: update)))
    }
    var described = metadata
    described.describe(model)
    // Unknown members are kept.
    var body = metadataDocument.body.objectValue ?? JSONObject()
    for member in described.body.members { body[member.name] = member.value }
    writes.append(
      (
        MetadataDocument.id,
        .update(id: MetadataDocument.id, rev: metadataDocument.rev, body: .object(body))
      ))
    if isAtomic {
      _ = try perform(.batch(writes.map { $0.action }))
    } else {
      for (id, action) in writes { _ = try perform(action, for: id) }
    }
  }

  /// The changes of the documents of one entity.
  private struct Plan {
    /// The entity in the current model.
    var entity: EntityDescription
    /// The new keys of old properties; nil for removed properties.
    var destinations: [(old: JSONString, new: JSONString?)] = []
    /// New attributes with a default value.
    var added: [AttributeDescription] = []

    /// The keys that are renamed or removed.
    var moves: [(old: JSONString, new: JSONString?)] { destinations.filter { $0.old != $0.new } }

    /// Whether a second migration of a migrated document would change it again.
    var changesTwice: Bool {
      let old = Set(moves.map { $0.old })
      return moves.contains { $0.new.map { old.contains($0) } ?? false }
        || added.contains { old.contains($0.name) }
    }
  }

  /// Checks that a migration that can be interrupted can also be repeated.
  private func checkResuming(
    _ plans: [JSONString: Plan], before old: Set<JSONString>
  ) throws(StoreError) {
    guard !isAtomic else { return }
    let names = plans.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for name in names {
      guard let plan = plans[name] else { continue }
      let isTaken = plan.entity.name != name && old.contains(plan.entity.name)
      if plan.changesTwice || isTaken {
        throw StoreError(
          .cannotMigrate(entity: name, property: nil),
          "properties of '\(name)' reuse old names, which requires a datastore with atomicBatch")
      }
    }
  }

  /// The plan for an entity; nil for a removed one, whose documents are kept unchanged.
  private func plan(
    for old: MetadataDocument.Entity, among names: Set<JSONString>
  ) throws(StoreError) -> Plan? {
    let predecessors = model.entities.map { ($0.name, $0.renamedFrom) }
    let name = Renaming(predecessors, before: names).successor(of: old.name)
    guard let name, let entity = model[name] else { return nil }
    var plan = Plan(entity: entity)
    let attributes = entity.attributes.filter { !$0.isTransient }
    let relationships = entity.relationships.filter { !$0.isTransient }
    let renaming = Renaming(
      attributes.map { ($0.name, $0.renamedFrom) }
        + relationships.map { ($0.name, $0.renamedFrom) },
      before: Set(old.properties.map { $0.name }))
    for property in old.properties {
      let successor = renaming.successor(of: property.name)
      let typeName = successor.flatMap { name in
        entity.attribute(name).map { JSONString($0.type.rawValue) }
          ?? entity.relationship(name)?.typeName
      }
      guard typeName == nil || typeName == property.typeName else {
        throw StoreError(
          .cannotMigrate(entity: old.name, property: property.name),
          "the type of \(old.name).\(property.name) was \(property.typeName) and has changed")
      }
      plan.destinations.append((property.name, successor))
    }
    let known = Set(plan.destinations.compactMap { $0.new })
    plan.added = attributes.filter { $0.defaultValue != nil && !known.contains($0.name) }
    return plan
  }

  /// The migrated document; nil if it does not change.
  private func migrated(
    _ document: DocumentRevision, _ plan: Plan
  ) throws(StoreError) -> (body: JSONObject, attachments: [RevisionAttachment])? {
    let body = document.body.objectValue ?? JSONObject()
    var migrated = body
    var attachments = document.attachments
    migrated[EnvelopeMember.entityName] = .string(plan.entity.name)
    let moves = plan.moves
    // All old keys are removed before new ones are added, because two properties may have swapped
    // their names.
    for (old, _) in moves {
      migrated[old] = nil
      migrated[EnvelopeMember.meta(of: old)] = nil
    }
    // An attachment has the name of its attribute, and the member refers to it; an attachment that
    // no member refers to belongs to another client.
    let contents = document.attachments.filter { attachment in
      body[attachment.name] == .string(attachment.name)
        && moves.contains { $0.old == attachment.name }
    }
    attachments.removeAll { attachment in contents.contains { $0.name == attachment.name } }
    var moved: Set<JSONString> = []
    for case (let old, let new?) in moves {
      let (value, meta) = (body[old], body[EnvelopeMember.meta(of: old)])
      // A document without either was already migrated by the last attempt, or has nothing to move.
      guard value != nil || meta != nil else { continue }
      migrated[new] = value
      migrated[EnvelopeMember.meta(of: new)] = meta
      guard var content = contents.first(where: { $0.name == old }) else { continue }
      content.name = new
      attachments.removeAll { $0.name == new }
      attachments.append(content)
      moved.insert(new)
      migrated[new] = .string(new)
    }
    var written = try defaults(of: plan, missingIn: migrated, document.id)
    guard migrated != body || !written.body.isEmpty else { return nil }
    for member in written.body.members { migrated[member.name] = member.value }
    attachments.removeAll { attachment in
      written.attachments.contains { $0.name == attachment.name }
    }
    for attachment in attachments {
      // A stub keeps its name; under a new name the content is referenced by its digest.
      let isMoved = moved.contains(attachment.name)
      let old = moves.first { $0.new == attachment.name }?.old
      let content: RevisionAttachment.Content =
        if isMoved, let old { try movedContent(of: document, named: old) } else { .stub }
      written.attachments.append(
        RevisionAttachment(
          attachment.name, content, type: isMoved ? attachment.type : nil,
          digest: attachment.digest, encoding: isMoved ? attachment.encoding : nil))
    }
    return (migrated, written.attachments)
  }

  /// The content of an attachment that gets another name: a reference, or the bytes in a store that
  /// cannot resolve references.
  private func movedContent(
    of document: DocumentRevision, named name: JSONString
  ) throws(StoreError) -> RevisionAttachment.Content {
    guard !host.datastore.description.capabilities.contains(.attachmentPieces) else {
      return .chunks
    }
    let read = StoreAction.readAttachment(id: document.id, rev: document.rev, name: name)
    guard case .attachment(let piece) = try perform(read, for: document.id) else {
      return .chunks
    }
    return .data(piece.bytes)
  }

  /// The members of new attributes that a document lacks.
  private func defaults(
    of plan: Plan, missingIn body: JSONObject, _ id: ObjectID
  ) throws(StoreError) -> (body: JSONObject, attachments: [RevisionAttachment]) {
    var document = EntityDocument()
    for attribute in plan.added where body[attribute.name] == nil {
      guard let value = attribute.defaultValue else { continue }
      do throws(MappingError) {
        let written = try mapping.written(value, of: attribute)
        document.body[attribute.name] = written.value
        document.body[EnvelopeMember.meta(of: attribute.name)] = written.meta.map { .object($0) }
        document.contents[attribute.name] = written.content
      } catch {
        throw StoreError(
          .mapping(id, error), "a default value of \(plan.entity.name) cannot be stored")
      }
    }
    return (document.body, document.attachments)
  }
}

/// The mapping of old names to new names.
private struct Renaming {
  private var successors: [JSONString: JSONString] = [:]

  /// Creates the mapping.
  ///
  /// - Parameter before: the old names. A current name whose declared old name did not exist maps
  ///   from the old name equal to itself.
  init(_ names: [(now: JSONString, before: JSONString?)], before: Set<JSONString>) {
    for (now, old) in names {
      if let old, before.contains(old), successors[old] == nil { successors[old] = now }
    }
    for (now, old) in names where before.contains(now) && successors[now] == nil {
      if old.map({ before.contains($0) }) != true { successors[now] = now }
    }
  }

  func successor(of name: JSONString) -> JSONString? { successors[name] }
}
