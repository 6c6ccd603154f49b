internal import JSON

// The stored values of a reference: ids, or objects that also name the collection.

extension CollectionReference {
  private enum Member {
    static let type: JSONString = "_type"
    static let collection: JSONString = "_collection"
    static let typeName: JSONValue = "KinveyRef"
  }

  /// The stored value for an object.
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

  /// The id in a stored value; nil if it is not a reference.
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

  /// The distinct ids in a field; nil if it contains other values.
  func ids(in value: JSONValue?) -> [JSONString]? {
    switch value {
    case nil, .null: return []
    case .array(let elements):
      // An object that had no id when it was saved is stored as null.
      let meant = form == .ids ? elements : elements.filter { $0 != .null }
      let ids = meant.compactMap { id(of: $0) }
      return ids.count == meant.count ? ids.distinct : nil
    case let value?: return id(of: value).map { [$0] }
    }
  }

  /// A field with its objects replaced by others; nil removes one.
  func replacing(in value: JSONValue?, _ change: (JSONString) -> JSONString?) -> JSONValue? {
    func changed(_ value: JSONValue) -> JSONValue? {
      guard let id = id(of: value) else { return value }
      return change(id).map { $0 == id ? value : self.value(of: $0) }
    }
    if case .array(let elements)? = value { return .array(elements.compactMap { changed($0) }) }
    return value.flatMap { changed($0) }
  }

  /// A condition on the field, with ids converted to their stored form.
  func encoded(_ test: FieldTest) -> FieldTest {
    guard form != .ids else { return test }
    func encoded(_ value: JSONValue) -> JSONValue {
      value.textValue.map { self.value(of: $0) } ?? value
    }
    func encoded(_ operators: [FieldOperator]) -> [FieldOperator] {
      operators.map { each in
        switch each {
        case .differs(let value): .differs(encoded(value))
        case .isIn(let values): .isIn(values.map { encoded($0) })
        case .notIn(let values): .notIn(values.map { encoded($0) })
        default: each
        }
      }
    }
    switch test {
    case .equals(let value): return .equals(encoded(value))
    case .isNull: return test
    case .meets(let operators): return .meets(encoded(operators))
    case .fails(let operators): return .fails(encoded(operators))
    }
  }
}

extension CollectionDescription {
  /// A query with the ids in conditions on references converted to their stored form.
  func encoded(_ query: CollectionQuery) -> CollectionQuery {
    guard properties.contains(where: { ($0.reference?.form ?? .ids) != .ids }) else { return query }
    var query = query
    query.filter = encoded(query.filter)
    return query
  }

  private func encoded(_ filter: CollectionFilter) -> CollectionFilter {
    CollectionFilter(
      filter.terms.map { term in
        switch term {
        case .field(let field, let test):
          let property = properties.first { $0.field == field }
          return .field(field, property?.reference?.encoded(test) ?? test)
        case .any(let filters): return .any(filters.map { encoded($0) })
        case .all(let filters): return .all(filters.map { encoded($0) })
        }
      })
  }
}
