internal import Datastore
public import JSON

// Dictionaries instead of objects.

extension IncrementalStore {
  /// Dictionaries of the objects of a fetch, in its order, or of groups of them, in the order of
  /// the first object of each group.
  ///
  /// Offset and limit count dictionaries. Sums of integers and decimals are exact; an overflow is
  /// `wrongType`. Averages are doubles.
  public func fetchGroups(
    _ request: ObjectFetchRequest, _ groups: GroupRequest
  ) throws(StoreError) -> [[JSONString: PropertyValue]] {
    try request.check(in: model)
    let entity = try entity(request.entity)
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
        let key = groups.groupBy.map { (object.properties[$0] ?? .none).asKey }
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
    var dictionaries: [[JSONString: PropertyValue]] = []
    for part in page {
      var dictionary: [JSONString: PropertyValue] = [:]
      for column in groups.columns {
        switch column {
        case .attribute(let name):
          dictionary[name] = part.first?.properties[name] ?? PropertyValue.none
        case .reckoned(let function, let name, let alias):
          let type = entity.attribute(name)?.type
          dictionary[alias] = try Aggregation(function, name, type: type).value(of: part)
        }
      }
      dictionaries.append(dictionary)
    }
    return dictionaries
  }

  private func check(_ groups: GroupRequest, _ entity: EntityDescription) throws(StoreError) {
    @discardableResult
    func known(_ name: JSONString) throws(StoreError) -> AttributeType {
      guard let attribute = entity.attribute(name), !attribute.isTransient else {
        throw StoreError(
          FetchPredicateError(.unknownKey, name, message: "\(entity.name) has no such attribute"))
      }
      return attribute.type
    }
    for name in groups.groupBy { try known(name) }
    let isReckoned = groups.columns.contains { if case .reckoned = $0 { true } else { false } }
    for column in groups.columns {
      switch column {
      case .attribute(let name):
        try known(name)
        guard !isReckoned && groups.groupBy.isEmpty || groups.groupBy.contains(name) else {
          throw StoreError(
            FetchPredicateError(
              .unsupported, name,
              message: "a column of a group must be a grouping attribute or an aggregate"))
        }
      case .reckoned(let function, let name, _):
        guard function.takes(try known(name)) else {
          throw StoreError(
            FetchPredicateError(
              .wrongType, name, message: "\(function.rawValue) is not defined for such values"))
        }
      }
    }
  }
}

extension PropertyValue {
  /// The value in a key of a group: equal for 0 and −0, and for all NaNs.
  fileprivate var asKey: PropertyValue {
    switch self {
    case .attribute(.double(let number)) where number == 0: .attribute(.double(0))
    case .attribute(.double(let number)) where number.isNaN: .attribute(.double(.nan))
    case .attribute(.float(let number)) where number == 0: .attribute(.float(0))
    case .attribute(.float(let number)) where number.isNaN: .attribute(.float(.nan))
    default: self
    }
  }
}

extension GroupRequest.Function {
  /// Whether the function accepts values of a type: bytes have no order, and only numbers can be
  /// added.
  fileprivate func takes(_ type: AttributeType) -> Bool {
    switch (self, type) {
    case (.count, _): true
    case (_, .binary), (_, .xform): false
    case (.min, _), (.max, _): true
    case (_, .utf8), (_, .id), (_, .bool), (_, .date1970): false
    default: true
    }
  }
}

/// An aggregate over the values of an attribute; nil and NaN are ignored.
private struct Aggregation {
  let function: GroupRequest.Function
  let name: JSONString
  let type: AttributeType?

  init(_ function: GroupRequest.Function, _ name: JSONString, type: AttributeType?) {
    self.function = function
    self.name = name
    self.type = type
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
      return values.isEmpty ? .none : .attribute(.double(average(values)))
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
    StoreError(FetchPredicateError(.wrongType, name, message: message))
  }

  private func sum(_ values: [AttributeValue]) throws(StoreError) -> AttributeValue {
    switch type {
    case .int16?, .int32?, .int64?:
      var sum: Int128 = 0
      for case .integer(let value) in values { sum += Int128(value) }
      guard let sum = Int64(exactly: sum) else { throw wrongType("the sum exceeds 64 bits") }
      return .integer(sum)
    case .decimal?:
      guard var sum = DecimalNumber(mantissa: 0, exponent: 0) else { return .decimal(.nan) }
      for case .decimal(let value) in values {
        guard let next = sum.adding(value) else { throw wrongType("the sum exceeds 128 bits") }
        sum = next
      }
      return .decimal(sum)
    default: return .double(total(values))
    }
  }

  private func average(_ values: [AttributeValue]) -> Double {
    let count = values.count
    switch try? sum(values) {
    case .decimal(let sum)?: return (Double(sum.description) ?? .nan) / Double(count)
    default: break
    }
    let integers = values.compactMap {
      if case .integer(let value) = $0 { Int128(value) } else { nil }
    }
    guard integers.count == count else { return total(values) / Double(count) }
    let sum = integers.reduce(0, +)
    if sum.magnitude <= 1 << 53 { return Double(sum) / Double(count) }
    // The sum of large integers may not be a double although the average is one.
    let (whole, rest) = sum.quotientAndRemainder(dividingBy: Int128(count))
    return Double(whole) + Double(rest) / Double(count)
  }

  private func total(_ values: [AttributeValue]) -> Double {
    var total = 0.0
    for value in values {
      switch value {
      case .integer(let value): total += Double(value)
      case .double(let value): total += value
      case .float(let value): total += Double(value)
      case .decimal(let value): total += Double(value.description) ?? 0
      default: break
      }
    }
    return total
  }
}

extension DecimalNumber {
  /// The exact sum; nil if 128 bits and the exponent range cannot represent it.
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
