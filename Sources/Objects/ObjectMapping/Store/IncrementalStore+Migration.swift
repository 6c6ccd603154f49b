internal import Datastore
internal import Digest
internal import JSON

// Objects of an earlier model become such of the present one.
//
// Attributes that are gone lose their keys, renamed ones move theirs, new ones get their defaults. The
// metadata document is written last, so that a migration that was cut off is simply done again.

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
    // Members that nobody knows stay.
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

  /// What becomes of the documents of one entity.
  private struct Plan {
    /// The entity now.
    var entity: EntityDescription
    /// Where the keys of old properties go; nil for properties that are gone.
    var destinations: [(old: JSONString, new: JSONString?)] = []
    /// New attributes that begin with a value.
    var added: [AttributeDescription] = []

    /// The keys that go elsewhere, or nowhere.
    var moves: [(old: JSONString, new: JSONString?)] { destinations.filter { $0.old != $0.new } }

    /// Whether a document that was migrated already would be made into another one.
    var changesTwice: Bool {
      let old = Set(moves.map { $0.old })
      return moves.contains { $0.new.map { old.contains($0) } ?? false }
        || added.contains { old.contains($0.name) }
    }
  }

  /// A migration that can be cut off has to be one that can be done again.
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
          "names of '\(name)' are given to others, which needs a datastore with atomicBatch")
      }
    }
  }

  /// Nil for an entity that is gone, whose documents are left alone.
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
          "\(old.name).\(property.name) was \(property.typeName), and is another type now")
      }
      plan.destinations.append((property.name, successor))
    }
    let known = Set(plan.destinations.compactMap { $0.new })
    plan.added = attributes.filter { $0.defaultValue != nil && !known.contains($0.name) }
    return plan
  }

  /// The document as it will be; nil when it stays as it is.
  private func migrated(
    _ document: DocumentRevision, _ plan: Plan
  ) throws(StoreError) -> (body: JSONObject, attachments: [RevisionAttachment])? {
    let body = document.body.objectValue ?? JSONObject()
    var migrated = body
    var attachments = document.attachments
    migrated[EnvelopeMember.entityName] = .string(plan.entity.name)
    let moves = plan.moves
    // All go before any comes: two properties may have changed their names with each other.
    for (old, _) in moves {
      migrated[old] = nil
      migrated[EnvelopeMember.meta(of: old)] = nil
    }
    // Content beside the document has the name of the attribute, and so has the member; an attachment
    // that no member names is somebody else's.
    let contents = document.attachments.filter { attachment in
      body[attachment.name] == .string(attachment.name)
        && moves.contains { $0.old == attachment.name }
    }
    attachments.removeAll { attachment in contents.contains { $0.name == attachment.name } }
    var moved: Set<JSONString> = []
    for case (let old, let new?) in moves {
      let (value, meta) = (body[old], body[EnvelopeMember.meta(of: old)])
      // A document without either was migrated before the last attempt ended, or has nothing to move.
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
    written.attachments += attachments.map { attachment in
      // A stub keeps its name; under another one the content is named by its digest.
      let isMoved = moved.contains(attachment.name)
      return RevisionAttachment(
        attachment.name, isMoved ? .chunks : .stub, type: isMoved ? attachment.type : nil,
        digest: attachment.digest, encoding: isMoved ? attachment.encoding : nil)
    }
    return (migrated, written.attachments)
  }

  /// The members of new attributes of a document that has none of them.
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
          .mapping(id, error), "a default of \(plan.entity.name) cannot be stored")
      }
    }
    return (document.body, document.attachments)
  }
}

/// Which names of the model before have become which names now.
private struct Renaming {
  private var successors: [JSONString: JSONString] = [:]

  /// - Parameter before: the names before; a name now that is said to come from another one is the
  ///   one of that name where there was none.
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
