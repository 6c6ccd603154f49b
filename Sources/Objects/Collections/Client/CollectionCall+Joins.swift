internal import Datastore
internal import JSON

// Joins are not supported: a condition on a reference can only compare the ids in it.

extension CollectionCall {
  /// The error of a call that cannot be made, or nil.
  ///
  /// Source: the guide, "Fetching".
  func refusal(by description: CollectionDescription) -> CollectionError? {
    for field in fields {
      guard let path = FieldPath(field), path.names.count > 1,
        description.properties.contains(where: { $0.reference != nil && $0.field == path.names[0] })
      else { continue }
      return CollectionError(
        QueryError(
          .relatedField, field, message: "related objects can be queried by their ids only")
      )
    }
    return nil
  }

  /// The call with ids in conditions on references converted to their stored form.
  func encoded(for description: CollectionDescription) -> CollectionCall {
    switch self {
    case .query(let query, let policy, let depth):
      return .query(description.encoded(query), policy: policy, depth: depth)
    case .count(let query): return .count(description.encoded(query))
    case .remove(.query(let query), let rule):
      return .remove(.query(description.encoded(query)), rule)
    case .group(var request):
      request.condition = description.encoded(request.condition)
      return .group(request)
    case .save, .load, .remove(.ids, _), .remove(.objects, _): return self
    }
  }

  /// All fields that the call names.
  private var fields: [JSONString] {
    switch self {
    case .save, .load, .remove(.ids, _), .remove(.objects, _): []
    case .query(let query, _, _), .count(let query), .remove(.query(let query), _):
      query.filter.fields + query.sort.map { $0.path }
    case .group(let request):
      request.fields + [request.field].compactMap { $0 } + request.condition.filter.fields
    }
  }
}

extension CollectionFilter {
  fileprivate var fields: [JSONString] {
    terms.flatMap { term in
      switch term {
      case .field(let field, _): [field]
      case .any(let filters), .all(let filters): filters.flatMap { $0.fields }
      }
    }
  }
}
