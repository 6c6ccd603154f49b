internal import JSON
internal import ObjectMapping

// Relationships and inheritance.

extension ModelReader {
  mutating func relationship(
    _ element: MarkupElement, of entity: JSONString
  ) throws(ModelFileError) -> RelationshipDescription {
    let name = try requiredName(element, "relationship", owner: entity)
    let part = "\(entity).\(name)"
    checkMembers(element, of: part, known: ModelVocabulary.relationshipMembers)
    checkChildren(element, part)
    warnHashModifier(element, part)
    guard let destination = element.nonEmpty("destinationEntity") else {
      throw error(
        element, "the relationship \(part) has no destination",
        expected: "the attribute 'destinationEntity'")
    }
    let isToMany = try flag(element, "toMany")
    var relationship = RelationshipDescription(
      name, to: destination, inverse: element.nonEmpty("inverseName"), isToMany: isToMany,
      isOptional: try flag(element, "optional"), isTransient: try flag(element, "transient"))
    if let text = element.nonEmpty("deletionRule") {
      guard let rule = ModelVocabulary.deleteRules[text] else {
        throw error(
          element, "the relationship \(part) has the deletion rule '\(text)'",
          expected: "Nullify, Cascade, Deny or No Action")
      }
      relationship.deleteRule = rule
    }
    if isToMany {
      relationship.minimumCount = try count("minCount", element, of: part) ?? 0
      relationship.maximumCount = try count("maxCount", element, of: part)
    }
    if try flag(element, "ordered") {
      warn(
        element, .ordered, in: part,
        message: "the order of the objects is not kept: documents list them without order")
    }
    relationship.renamedFrom = renaming(element, name)
    note(renamingOf: element, name, of: entity)
    return relationship
  }

  /// A count; 0 means no limit.
  private func count(
    _ name: JSONString, _ element: MarkupElement, of part: String
  ) throws(ModelFileError) -> Int64? {
    guard let text = element.nonEmpty(name) else { return nil }
    guard let count = Int64(text.string), count >= 0 else {
      throw error(element, "'\(name)' of \(part) is '\(text)'", expected: "a number of objects")
    }
    return count == 0 ? nil : count
  }

  // MARK: Inheritance

  /// Returns the entities with copies of all inherited properties.
  mutating func inheriting(_ drafts: [Draft]) throws(ModelFileError) -> [EntityDescription] {
    var known: [JSONString: Draft] = [:]
    for draft in drafts where known[draft.entity.name] == nil { known[draft.entity.name] = draft }
    var entities: [EntityDescription] = []
    for draft in drafts {
      var entity = draft.entity
      for ancestor in try ancestors(of: draft, known) {
        entity.inherit(from: ancestor.entity)
        renamingIDs.inherit(entity.name, from: ancestor.entity.name)
      }
      if let parent = draft.parent {
        warn(
          draft.element, .inherited, in: entity.name.string,
          message:
            "the entity has copies of the properties of \(parent): a fetch of \(parent) does not "
            + "return its objects, and its inherited relationships have no inverse")
      }
      entity.uniquenessConstraints = stored(entity, draft.element)
      entities.append(entity)
    }
    return entities
  }

  /// The parent of an entity, the parent of the parent, and so on.
  private func ancestors(
    of draft: Draft, _ known: [JSONString: Draft]
  ) throws(ModelFileError) -> [Draft] {
    var ancestors: [Draft] = []
    var seen: Set<JSONString> = [draft.entity.name]
    var place = draft
    while let parent = place.parent {
      guard let next = known[parent] else {
        throw error(
          place.element, "the parent entity '\(parent)' of \(place.entity.name) does not exist")
      }
      guard seen.insert(parent).inserted else {
        throw error(draft.element, "\(draft.entity.name) is an ancestor of itself")
      }
      ancestors.append(next)
      place = next
    }
    return ancestors
  }

  /// The constraints of stored attributes; warns about other ones.
  private mutating func stored(
    _ entity: EntityDescription, _ element: MarkupElement
  ) -> [[JSONString]] {
    entity.uniquenessConstraints.filter { constraint in
      let other = constraint.first { entity.attribute($0)?.isTransient ?? true }
      guard other != nil || constraint.isEmpty else { return true }
      warn(
        element, .uniqueness, in: entity.name.string,
        message:
          "the uniqueness constraint of '\(constraint.map(\.string).joined(separator: ", "))' is left "
          + "out: '\(other ?? "")' is not a stored attribute")
      return false
    }
  }

  // MARK: Inverses

  /// Removes the inverses that are not consistent.
  mutating func dropInverses(_ entities: inout [EntityDescription], _ drafts: [Draft]) {
    var declared: [JSONString: [JSONString: RelationshipDescription]] = [:]
    for entity in entities where declared[entity.name] == nil {
      declared[entity.name] = Dictionary(
        entity.relationships.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    for (place, draft) in drafts.enumerated() {
      let entity = draft.entity.name
      let own = Set(draft.entity.relationships.map(\.name))
      for index in entities[place].relationships.indices {
        let relationship = entities[place].relationships[index]
        guard let inverse = relationship.inverse else { continue }
        let other = declared[relationship.destination]?[inverse]
        guard other?.destination != entity || other?.inverse != relationship.name else { continue }
        entities[place].relationships[index].inverse = nil
        // The warning about the parent entity says so for inherited ones.
        guard own.contains(relationship.name) else { continue }
        let part = "\(entity).\(relationship.name)"
        let element = draft.element.children("relationship").first {
          $0["name"] == relationship.name
        }
        warn(
          element ?? draft.element, .inverse, in: part,
          message: "the relationship has no inverse here: \(relationship.destination).\(inverse) "
            + (other == nil ? "does not exist" : "is not the inverse of it"))
      }
    }
  }
}

extension EntityDescription {
  /// Adds the properties and constraints of an ancestor; a property of its own takes precedence.
  fileprivate mutating func inherit(from ancestor: EntityDescription) {
    var names = Set(attributes.map(\.name) + relationships.map(\.name))
    attributes.insert(
      contentsOf: ancestor.attributes.filter { names.insert($0.name).inserted }, at: 0)
    relationships.insert(
      contentsOf: ancestor.relationships.filter { names.insert($0.name).inserted }, at: 0)
    uniquenessConstraints.insert(contentsOf: ancestor.uniquenessConstraints, at: 0)
  }
}
