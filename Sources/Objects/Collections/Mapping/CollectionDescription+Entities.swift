internal import JSON

// Conversion between objects and entities.

extension CollectionDescription {
  /// The entity of an object: mapped properties under the names of their fields, then the unknown
  /// fields.
  ///
  /// - Parameter ids: returns the ids of the objects of a relation, in order.
  func entity(
    of object: CollectionObject, ids: (CollectionReference) -> [JSONString]
  ) -> JSONObject {
    var entity = JSONObject()
    entity[EntityField.id] = object.id.map { .string($0) }
    for property in properties {
      guard let reference = property.reference else {
        entity[property.field] = object.values[property.name]
        continue
      }
      // A field without ids was kept as an unknown field; a non-empty relation replaces it.
      let ids = ids(reference).distinct.map { reference.value(of: $0) }
      guard ids.isEmpty, object.unknownFields[property.field] != nil else {
        entity[property.field] = reference.isToMany ? .array(ids) : ids.first
        continue
      }
    }
    for member in object.unknownFields.members where entity[member.name] == nil {
      entity[member.name] = member.value
    }
    return entity
  }

  /// The object of an entity; properties whose fields are missing get their defaults.
  ///
  /// - Parameter forgetsComputed: whether background relations start empty.
  func object(of entity: JSONObject, forgetsComputed: Bool) -> CollectionObject {
    var object = CollectionObject(id: entity[EntityField.id]?.textValue)
    var known: Set<JSONString> = [EntityField.id]
    for property in properties {
      let value = entity[property.field]
      guard let reference = property.reference else {
        known.insert(property.field)
        object.values[property.name] = value ?? property.defaultValue
        continue
      }
      guard let ids = reference.ids(in: value) else { continue }
      known.insert(property.field)
      object.related[reference.relation] =
        reference.isComputed && forgetsComputed ? [] : ids.map { .id($0) }
    }
    object.unknownFields = JSONObject(
      entity.members.filter { !known.contains($0.name) }.map { ($0.name, $0.value) })
    return object
  }

  /// The ids in an entity for a reference.
  func ids(_ reference: CollectionReference, in entity: JSONObject) -> [JSONString] {
    let property = properties.first { $0.reference == reference }
    return property.flatMap { reference.ids(in: entity[$0.field]) } ?? []
  }
}
