public import JSON

extension ManagedObjectModel {
  /// Warnings about parts of a predicate that are not portable to other platforms: doubles compared
  /// for equality, whose digits may have been lost.
  ///
  /// Source: "Double values" of CDTIncrementalStore's guide.
  public func portabilityWarnings(
    _ predicate: FetchPredicate, of entity: JSONString
  ) -> [PortabilityWarning] {
    switch predicate {
    case .truth: return []
    case .and(let parts), .or(let parts):
      return parts.flatMap { portabilityWarnings($0, of: entity) }
    case .not(let part): return portabilityWarnings(part, of: entity)
    case .comparison(let comparison):
      guard case .path(let path) = comparison.subject,
        let (owner, attribute) = attribute(at: path[...], from: entity),
        attribute.type == .double || attribute.type == .float
      else { return [] }
      switch (comparison.operator, comparison.operand) {
      case (_, .value(.none)): return []
      case (.isIn, .list(let values)) where values.allSatisfy({ $0 == .none }): return []
      case (.equal, _), (.notEqual, _), (.isIn, _):
        return [
          PortabilityWarning(
            path: "\(owner).\(attribute.name)", reason: .floatingPointCompared)
        ]
      default: return []
      }
    }
  }

  /// The attribute at the end of a key path, with its entity.
  private func attribute(
    at path: ArraySlice<JSONString>, from name: JSONString
  ) -> (owner: JSONString, AttributeDescription)? {
    guard let first = path.first, let entity = self[name] else { return nil }
    if path.count == 1 { return entity.attribute(first).map { (name, $0) } }
    return entity.relationship(first).flatMap {
      attribute(at: path.dropFirst(), from: $0.destination)
    }
  }
}
