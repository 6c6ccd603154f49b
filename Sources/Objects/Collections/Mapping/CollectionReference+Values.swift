internal import JSON

// What stands in the field of a reference: ids, or little objects that name the collection as well.

extension CollectionReference {
  private enum Member {
    static let type: JSONString = "_type"
    static let collection: JSONString = "_collection"
    static let typeName: JSONValue = "KinveyRef"
  }

  /// What means an object in a field.
  func value(of id: JSONString) -> JSONValue {
    switch form {
    case .ids: .string(id)
    case .kinveyRef:
      [
        Member.type: Member.typeName, Member.collection: .string(collection),
        EntityField.id: .string(id),
      ]
    }
  }

  /// The id of the object that a value means; nil when it means none.
  func id(of value: JSONValue) -> JSONString? {
    switch form {
    case .ids: return value.textValue
    case .kinveyRef:
      guard let reference = value.objectValue, reference[Member.type] == Member.typeName,
        reference[Member.collection] == .string(collection)
      else { return nil }
      return reference[EntityField.id]?.textValue
    }
  }

  /// The ids in a field, each once; nil when it holds something else.
  func ids(in value: JSONValue?) -> [JSONString]? {
    switch value {
    case nil, .null: return []
    case .array(let elements):
      // An object that had no id when it was meant stands there as null.
      let meant = form == .ids ? elements : elements.filter { $0 != .null }
      let ids = meant.compactMap { id(of: $0) }
      return ids.count == meant.count ? ids.distinct : nil
    case let value?: return id(of: value).map { [$0] }
    }
  }

  /// A field with other objects in the place of those that it means; nil takes one out.
  func replacing(in value: JSONValue?, _ change: (JSONString) -> JSONString?) -> JSONValue? {
    func changed(_ value: JSONValue) -> JSONValue? {
      guard let id = id(of: value) else { return value }
      return change(id).map { $0 == id ? value : self.value(of: $0) }
    }
    if case .array(let elements)? = value { return .array(elements.compactMap { changed($0) }) }
    return value.flatMap { changed($0) }
  }

  /// A condition on the field, with ids turned into what stands there.
  func spelled(_ test: FieldTest) -> FieldTest {
    guard form != .ids else { return test }
    func spelled(_ value: JSONValue) -> JSONValue {
      value.textValue.map { self.value(of: $0) } ?? value
    }
    func spelled(_ operators: [FieldOperator]) -> [FieldOperator] {
      operators.map { each in
        switch each {
        case .differs(let value): .differs(spelled(value))
        case .isIn(let values): .isIn(values.map { spelled($0) })
        case .notIn(let values): .notIn(values.map { spelled($0) })
        default: each
        }
      }
    }
    switch test {
    case .equals(let value): return .equals(spelled(value))
    case .isNull: return test
    case .meets(let operators): return .meets(spelled(operators))
    case .fails(let operators): return .fails(spelled(operators))
    }
  }
}

extension CollectionDescription {
  /// A query with the ids in conditions on references turned into what stands in their fields.
  func spelled(_ query: CollectionQuery) -> CollectionQuery {
    guard properties.contains(where: { ($0.reference?.form ?? .ids) != .ids }) else { return query }
    var query = query
    query.filter = spelled(query.filter)
    return query
  }

  private func spelled(_ filter: CollectionFilter) -> CollectionFilter {
    CollectionFilter(
      filter.terms.map { term in
        switch term {
        case .field(let field, let test):
          let property = properties.first { $0.field == field }
          return .field(field, property?.reference?.spelled(test) ?? test)
        case .any(let filters): return .any(filters.map { spelled($0) })
        case .all(let filters): return .all(filters.map { spelled($0) })
        }
      })
  }
}
