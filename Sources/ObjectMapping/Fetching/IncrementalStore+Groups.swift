internal import Datastore
public import JSON

// Dictionaries instead of objects.

extension IncrementalStore {
  /// Dictionaries of the objects that a request asks for, in its order, or of groups of them, in the
  /// order of the first object of each.
  ///
  /// Offset and limit count dictionaries. Sums of integers and decimals are exact, and `wrongType` when
  /// they cannot be held; averages are doubles.
  public func fetchGroups(
    _ request: FetchRequest, _ groups: GroupRequest
  ) throws(StoreError) -> [[Text: PropertyValue]] {
    let entity = try entity(request.entity)
    try request.checkPage()
    try check(groups, entity)
    var all = request
    (all.offset, all.limit) = (0, nil)
    let objects = try fetch(all)
    let isReckoned = groups.columns.contains { if case .reckoned = $0 { true } else { false } }
    var parts: [[ManagedObject]] = []
    if groups.groupBy.isEmpty {
      parts = isReckoned ? [objects] : objects.map { [$0] }
    } else {
      var places: [[PropertyValue]: Int] = [:]
      for object in objects {
        let key = groups.groupBy.map { object.properties[$0] ?? .none }
        if let place = places[key] {
          parts[place].append(object)
        } else {
          places[key] = parts.count
          parts.append([object])
        }
      }
    }
    let page = parts.dropFirst(Int(clamping: request.offset))
      .prefix(request.limit.map { Int(clamping: $0) } ?? .max)
    var dictionaries: [[Text: PropertyValue]] = []
    for part in page {
      var dictionary: [Text: PropertyValue] = [:]
      for column in groups.columns {
        switch column {
        case .attribute(let name):
          dictionary[name] = part.first?.properties[name] ?? PropertyValue.none
        case .reckoned(let function, let name, let alias):
          dictionary[alias] = try Reckoning(function, name).value(of: part)
        }
      }
      dictionaries.append(dictionary)
    }
    return dictionaries
  }

  private func check(_ groups: GroupRequest, _ entity: EntityDescription) throws(StoreError) {
    func known(_ name: Text) throws(StoreError) {
      guard let attribute = entity.attribute(name), !attribute.isTransient else {
        throw StoreError(
          PredicateError(.unknownKey, name, "\(entity.name) has no such attribute"))
      }
    }
    for name in groups.groupBy { try known(name) }
    let isReckoned = groups.columns.contains { if case .reckoned = $0 { true } else { false } }
    for column in groups.columns {
      switch column {
      case .attribute(let name):
        try known(name)
        guard !isReckoned && groups.groupBy.isEmpty || groups.groupBy.contains(name) else {
          throw StoreError(
            PredicateError(
              .unsupported, name, "a group has one value of what it is grouped by only"))
        }
      case .reckoned(_, let name, _): try known(name)
      }
    }
  }
}

/// A function over the values of an attribute; nil and NaN do not count.
private struct Reckoning {
  let function: GroupRequest.Function
  let name: Text

  init(_ function: GroupRequest.Function, _ name: Text) {
    self.function = function
    self.name = name
  }

  func value(of objects: [ManagedObject]) throws(StoreError) -> PropertyValue {
    var values: [AttributeValue] = []
    for object in objects {
      if case .value(let value) = object.rank(of: name) { values.append(value) }
    }
    switch function {
    case .count: return .attribute(.integer(Int64(values.count)))
    case .min: return extreme(values) { $0.isLess(than: $1) }
    case .max: return extreme(values) { $1.isLess(than: $0) }
    case .sum: return .attribute(try sum(values))
    case .average:
      guard !values.isEmpty else { return .none }
      return .attribute(.double(try total(values) / Double(values.count)))
    }
  }

  private func extreme(
    _ values: [AttributeValue], _ isBefore: (ValueRank, ValueRank) -> Bool
  ) -> PropertyValue {
    guard var best = values.first else { return .none }
    for value in values.dropFirst() where isBefore(ValueRank(value), ValueRank(best)) {
      best = value
    }
    return .attribute(best)
  }

  private func wrongType(_ message: String) -> StoreError {
    StoreError(PredicateError(.wrongType, name, message))
  }

  private func sum(_ values: [AttributeValue]) throws(StoreError) -> AttributeValue {
    guard let first = values.first else { return .integer(0) }
    switch first {
    case .integer:
      var sum: Int64 = 0
      for case .integer(let value) in values {
        let (next, isTooLarge) = sum.addingReportingOverflow(value)
        guard !isTooLarge else { throw wrongType("the sum is beyond 64 bits") }
        sum = next
      }
      return .integer(sum)
    case .decimal(var sum):
      for case .decimal(let value) in values.dropFirst() {
        guard let next = sum.adding(value) else { throw wrongType("the sum is beyond 128 bits") }
        sum = next
      }
      return .decimal(sum)
    default: return .double(try total(values))
    }
  }

  private func total(_ values: [AttributeValue]) throws(StoreError) -> Double {
    var total = 0.0
    for value in values {
      switch value {
      case .integer(let value): total += Double(value)
      case .double(let value), .date(let value): total += value
      case .float(let value): total += Double(value)
      case .decimal(let value): total += Double(value.description) ?? 0
      default: throw wrongType("only numbers are added")
      }
    }
    return total
  }
}

extension DecimalNumber {
  /// The exact sum; nil when 128 bits and the exponents cannot hold it.
  func adding(_ other: DecimalNumber) -> DecimalNumber? {
    guard !isNaN, !other.isNaN else { return .nan }
    guard mantissa != 0 else { return other }
    guard other.mantissa != 0 else { return self }
    let exponent = min(exponent, other.exponent)
    guard let left = scaled(to: exponent), let right = other.scaled(to: exponent) else {
      return nil
    }
    if isNegative == other.isNegative {
      let (sum, isTooLarge) = left.addingReportingOverflow(right)
      return isTooLarge
        ? nil : DecimalNumber(mantissa: sum, exponent: exponent, isNegative: isNegative)
    }
    let isMore = left > right
    return DecimalNumber(
      mantissa: isMore ? left - right : right - left, exponent: exponent,
      isNegative: isMore ? isNegative : other.isNegative)
  }

  private func scaled(to exponent: Int) -> UInt128? {
    var mantissa = mantissa
    for _ in exponent..<self.exponent {
      let (product, isTooLarge) = mantissa.multipliedReportingOverflow(by: 10)
      guard !isTooLarge else { return nil }
      mantissa = product
    }
    return mantissa
  }
}
