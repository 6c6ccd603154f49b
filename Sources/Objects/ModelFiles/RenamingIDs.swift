internal import JSON
internal import ObjectMapping

/// The renaming identifiers of a version: a name of its own unless the file has another one.
///
/// Core Data connects an entity or property of two versions if its identifiers are equal. A model
/// of Touchstone has the name in the previous version instead.
struct RenamingIDs: Hashable, Sendable {
  /// The identifiers of entities, by name.
  var entities: [JSONString: JSONString] = [:]
  /// The identifiers of properties, by entity and name.
  var properties: [JSONString: [JSONString: JSONString]] = [:]

  mutating func inherit(_ entity: JSONString, from ancestor: JSONString) {
    guard let inherited = properties[ancestor] else { return }
    properties[entity, default: [:]].merge(inherited) { own, _ in own }
  }

  /// Returns a model whose previous names are those of an earlier version.
  func renaming(
    _ model: ManagedObjectModel, from source: RenamingIDs
  ) throws(ModelError) -> ManagedObjectModel {
    let names = source.entities.reversed()
    var entities = model.entities
    for place in entities.indices {
      let name = entities[place].name
      let old = names[self.entities[name] ?? name] ?? name
      entities[place].renamedFrom = old == name ? nil : old
      let oldNames = (source.properties[old] ?? [:]).reversed()
      let known = properties[name] ?? [:]
      func previous(_ property: JSONString) -> JSONString? {
        let old = oldNames[known[property] ?? property]
        return old == property ? nil : old
      }
      for index in entities[place].attributes.indices {
        entities[place].attributes[index].renamedFrom = previous(
          entities[place].attributes[index].name)
      }
      for index in entities[place].relationships.indices {
        entities[place].relationships[index].renamedFrom = previous(
          entities[place].relationships[index].name)
      }
    }
    return try ManagedObjectModel(entities)
  }
}

extension [JSONString: JSONString] {
  /// The names by identifiers; of two names with one identifier, the first in byte order.
  fileprivate func reversed() -> [JSONString: JSONString] {
    let ordered = sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return Dictionary(ordered.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
  }
}

extension RenamingIDs {
  /// The identifiers of a model that has them as previous names.
  init(_ model: ManagedObjectModel) {
    for entity in model.entities {
      entities[entity.name] = entity.renamedFrom ?? entity.name
      var names: [JSONString: JSONString] = [:]
      for attribute in entity.attributes {
        names[attribute.name] = attribute.renamedFrom ?? attribute.name
      }
      for relationship in entity.relationships {
        names[relationship.name] = relationship.renamedFrom ?? relationship.name
      }
      properties[entity.name] = names
    }
  }
}
