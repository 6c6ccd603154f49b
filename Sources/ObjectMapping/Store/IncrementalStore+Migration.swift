internal import Datastore
internal import JSON

// Objects of an earlier model become such of the present one.
//
// Attributes that are gone lose their keys, renamed ones move theirs, new ones get their defaults. The
// metadata document is written last, so that a migration that was cut off is simply done again.

extension IncrementalStore {
  func migrate(
    from metadata: MetadataDocument, _ metadataDocument: Document
  ) throws(StoreError) {
    var plans: [Text: Plan] = [:]
    for entity in metadata.entities { plans[entity.name] = try plan(for: entity) }
    try checkResuming(plans)
    var writes: [(id: ObjectID, action: Action)] = []
    try forEachDocument { (document) throws(StoreError) in
      guard let body = document.body.objectValue,
        let name = body[EnvelopeMember.entityName]?.textValue, let plan = plans[name]
      else { return }
      let migrated = try migrated(body, of: document.id, plan)
      guard migrated != body else { return }
      let update = Action.update(id: document.id, rev: document.rev, body: .object(migrated))
      let kept = document.attachments.map {
        RevisionAttachment($0.name, .stub, digest: $0.digest)
      }
      writes.append((document.id, kept.isEmpty ? update : .attaching(kept, to: update)))
    }
    var described = metadata
    described.describe(model)
    writes.append(
      (
        MetadataDocument.id,
        .update(
          id: MetadataDocument.id, rev: metadataDocument.rev, body: .object(described.body))
      ))
    if isAtomic {
      _ = try perform(.batch(writes.map { $0.action }))
    } else {
      for (id, action) in writes { _ = try perform(action, for: id) }
    }
  }

  /// What becomes of the documents of one entity.
  private struct Plan {
    /// The entity now; nil when it is gone, and its documents are left alone.
    var entity: EntityDescription?
    /// Where the keys of old properties go; nil for properties that are gone.
    var destinations: [(old: Text, new: Text?)] = []
    /// New attributes that begin with a value.
    var added: [AttributeDescription] = []

    /// The keys that go elsewhere, or nowhere.
    var moves: [(old: Text, new: Text?)] { destinations.filter { $0.old != $0.new } }

    /// Whether a document that was migrated already would be made into another one.
    var changesTwice: Bool {
      let old = Set(moves.map { $0.old })
      return moves.contains { $0.new.map { old.contains($0) } ?? false }
        || added.contains { old.contains($0.name) }
    }
  }

  /// A migration that can be cut off has to be one that can be done again.
  private func checkResuming(_ plans: [Text: Plan]) throws(StoreError) {
    guard !isAtomic else { return }
    let names = plans.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for name in names {
      guard let plan = plans[name], let entity = plan.entity else { continue }
      let isTaken = entity.name != name && plans[entity.name] != nil
      if plan.changesTwice || isTaken {
        throw StoreError(
          .cannotMigrate(entity: name, property: nil),
          "names of '\(name)' are given to others, which needs a datastore with atomicBatch")
      }
    }
  }

  private func plan(for old: MetadataDocument.Entity) throws(StoreError) -> Plan {
    guard
      let entity = model.entities.first(where: { ($0.renamedFrom ?? $0.name) == old.name })
    else { return Plan() }
    var plan = Plan(entity: entity)
    var known: Set<Text> = []
    for property in old.properties {
      let successor = entity.successor(of: property.name)
      guard successor == nil || successor?.typeName == property.typeName else {
        throw StoreError(
          .cannotMigrate(entity: old.name, property: property.name),
          "\(old.name).\(property.name) was \(property.typeName), and is another type now")
      }
      plan.destinations.append((property.name, successor?.name))
      if let name = successor?.name { known.insert(name) }
    }
    plan.added = entity.attributes.filter {
      !$0.isTransient && $0.defaultValue != nil && !known.contains($0.name)
    }
    return plan
  }

  private func migrated(
    _ body: JSONObject, of id: ObjectID, _ plan: Plan
  ) throws(StoreError) -> JSONObject {
    guard let entity = plan.entity else { return body }
    var migrated = body
    migrated[EnvelopeMember.entityName] = .string(entity.name)
    // First everything goes, then it comes: two properties may have changed their names.
    let moves = plan.moves.flatMap { old, new in
      [(old, new), (EnvelopeMember.meta(of: old), new.map { EnvelopeMember.meta(of: $0) })]
    }
    for (old, _) in moves { migrated[old] = nil }
    for (old, new) in moves {
      if let new, let value = body[old] { migrated[new] = value }
    }
    for attribute in plan.added where migrated[attribute.name] == nil {
      guard let value = attribute.defaultValue else { continue }
      do throws(MappingError) {
        let written = try mapping.written(value, of: attribute)
        migrated[attribute.name] = written.value
        migrated[EnvelopeMember.meta(of: attribute.name)] = written.meta.map { .object($0) }
      } catch {
        throw StoreError(.mapping(id, error), "a default of \(entity.name) cannot be stored")
      }
    }
    return migrated
  }
}

extension EntityDescription {
  /// The property that a property of the model before has become, with its type.
  fileprivate func successor(of old: Text) -> (name: Text, typeName: Text)? {
    // One of this name that was called otherwise before is another one.
    func isOld(_ name: Text, _ renamedFrom: Text?) -> Bool { (renamedFrom ?? name) == old }
    if let attribute = attributes.first(where: { isOld($0.name, $0.renamedFrom) }) {
      return (attribute.name, Text(attribute.type.rawValue))
    }
    let relationship = relationships.first { isOld($0.name, $0.renamedFrom) }
    return relationship.map { ($0.name, $0.typeName) }
  }
}
