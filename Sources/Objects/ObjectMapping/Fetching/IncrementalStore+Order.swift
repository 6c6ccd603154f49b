internal import Datastore
internal import JSON

// The order of objects.

extension ObjectFetchRequest {
  /// Sorts objects by the request's keys and then by id, and applies its offset and limit.
  /// `check(in:)` must accept the request.
  public func arranged(_ objects: [ManagedObject]) -> [ManagedObject] {
    let ordered = objects.sorted { left, right in
      for key in sort {
        let (first, second) = (left.rank(of: key.key), right.rank(of: key.key))
        if first.isLess(than: second) { return key.ascending }
        if second.isLess(than: first) { return !key.ascending }
      }
      return left.id.text.utf8.lexicographicallyPrecedes(right.id.text.utf8)
    }
    let rest = ordered.dropFirst(Int(clamping: offset))
    return Array(rest.prefix(limit.map { Int(clamping: $0) } ?? .max))
  }
}

extension ManagedObject {
  func rank(of name: JSONString) -> ValueRank {
    guard case .attribute(let value)? = properties[name] else { return .absent }
    return ValueRank(value)
  }
}

/// The rank of a value among those of its attribute.
enum ValueRank {
  case absent
  case nan
  case value(AttributeValue)

  init(_ value: AttributeValue) {
    switch value {
    case .double(let number) where number.isNaN: self = .nan
    case .float(let number) where number.isNaN: self = .nan
    case .decimal(let number) where number.isNaN: self = .nan
    default: self = .value(value)
    }
  }

  private var kind: Int {
    switch self {
    case .absent: 0
    case .nan: 1
    case .value: 2
    }
  }

  func isLess(than other: ValueRank) -> Bool {
    guard case .value(let value) = self, case .value(let otherValue) = other else {
      return kind < other.kind
    }
    switch (value, otherValue) {
    case (.bool(let left), .bool(let right)): return !left && right
    case (.text(let left), .text(let right)), (.identifier(let left), .identifier(let right)):
      return left.utf8.lexicographicallyPrecedes(right.utf8)
    default: return value.isLess(than: otherValue)
    }
  }
}
