internal import JSON

// Conditions for one value.

extension SelectorReader {
  /// Parses operators, all of which must hold.
  static func conditions(
    _ object: JSONObject, path: String, depth: Int
  ) throws(DatastoreError) -> [Condition] {
    guard depth <= FindSelector.depthMax else {
      throw DatastoreError(
        .tooLarge(limit: Int64(FindSelector.depthMax)), "\(path): selector nested too deeply")
    }
    var conditions: [Condition] = []
    let parent = path
    for member in object.members {
      let path = DecodingPath.member(member.name, of: parent)
      guard member.name.isOperator else {
        throw fault(member.name, path, message: "expected operators only, found a field")
      }
      if member.name == "$maxDistance", object["$nearSphere"] != nil { continue }
      if member.name == "$nearSphere" {
        conditions.append(try near(object, path: parent))
        continue
      }
      conditions.append(try condition(member.name, member.value, path: path, depth: depth))
    }
    return conditions
  }

  private static func condition(
    _ name: JSONString, _ value: JSONValue, path: String, depth: Int
  ) throws(DatastoreError) -> Condition {
    switch name.string {
    case "$eq": return .equals(try operand(value, path))
    case "$ne": return .differs(try operand(value, path))
    case "$in": return .isIn(try operands(name, value, path: path))
    case "$nin": return .notIn(try operands(name, value, path: path))
    case "$lt": return try comparison(.less, value, path: path)
    case "$lte": return try comparison(.lessOrEqual, value, path: path)
    case "$gt": return try comparison(.greater, value, path: path)
    case "$gte": return try comparison(.greaterOrEqual, value, path: path)
    case "$exists":
      guard let exists = value.boolValue else {
        throw fault(name, path, message: "expected a boolean")
      }
      return .exists(exists)
    case "$type":
      guard let text = value.textValue, let type = ValueType(rawValue: text.string) else {
        let types = ValueType.allCases.map { $0.rawValue }.joined(separator: ", ")
        throw fault(name, path, message: "expected one of \(types)")
      }
      return .type(type)
    case "$all":
      guard let values = value.arrayValue else {
        throw fault(name, path, message: "expected an array")
      }
      return .hasAll(values)
    case "$size":
      guard let size = value.wholeNumber, size >= 0 else {
        throw fault(name, path, message: "expected an integer of 64 bits, 0 or more")
      }
      return .size(size)
    case "$mod": return try remainder(value, path)
    case "$elemMatch": return try element(value, path, depth: depth)
    case "$regex":
      guard let pattern = value.textValue else {
        throw fault(name, path, message: "expected a string")
      }
      return .matches(try RegularExpression(pattern, path: path))
    case "$within": return try within(value, path)
    case "$not":
      guard let object = value.objectValue, !object.isEmpty else {
        throw fault(name, path, message: "expected operators")
      }
      return .not(try conditions(object, path: path, depth: depth + 1))
    default: throw misplaced(name, path)
    }
  }

  private static func remainder(
    _ value: JSONValue, _ path: String
  ) throws(DatastoreError) -> Condition {
    guard let pair = value.arrayValue, pair.count == 2, let divisor = pair[0].wholeNumber,
      let remainder = pair[1].wholeNumber, divisor != 0
    else {
      throw fault(
        "$mod", path, message: "expected two integers of 64 bits, the first of them not 0")
    }
    return .remainder(divisor: divisor, remainder)
  }

  private static func element(
    _ value: JSONValue, _ path: String, depth: Int
  ) throws(DatastoreError) -> Condition {
    guard let object = value.objectValue else {
      throw fault("$elemMatch", path, message: "expected operators or a selector")
    }
    if isOfValues(object) {
      return .element(.conditions(try conditions(object, path: path, depth: depth + 1)))
    }
    return .element(
      .selector(try selector(object, path: path, depth: depth + 1, isElement: true)))
  }

  /// Whether an object contains operators for a value. `$not` is valid for values and for
  /// selectors, so its operand decides.
  static func isOfValues(_ object: JSONObject) -> Bool {
    object.members.contains { member in
      switch member.name.string {
      case "$and", "$or", "$nor", "$text": false
      case "$not": member.value.objectValue.map(isOfValues) ?? false
      default: member.name.isOperator
      }
    }
  }

  // MARK: Operands

  private static func comparison(
    _ comparison: Comparison, _ value: JSONValue, path: String
  ) throws(DatastoreError) -> Condition {
    let operand = try operand(value, path)
    if case .value(let value) = operand {
      switch value {
      case .bool, .integer, .unsigned, .string: break
      case .double(let number) where number.isFinite: break
      default:
        throw fault(
          JSONString(comparison.rawValue), path,
          message: "expected a boolean, a number, a string or a decimal")
      }
    }
    return .compares(comparison, operand)
  }

  private static func operands(
    _ name: JSONString, _ value: JSONValue, path: String
  ) throws(DatastoreError) -> [Operand] {
    guard let values = value.arrayValue else {
      throw fault(name, path, message: "expected an array")
    }
    var operands: [Operand] = []
    for (index, value) in values.enumerated() {
      operands.append(try operand(value, DecodingPath.element(index, of: path)))
    }
    return operands
  }

  /// Parses a value; an object whose only member is `$decimal` is a decimal number and not a value.
  static func operand(
    _ value: JSONValue, _ path: String
  ) throws(DatastoreError) -> Operand {
    guard let object = value.objectValue, object.count == 1, let decimal = object["$decimal"] else {
      return .value(value)
    }
    guard let text = decimal.textValue, isDecimal(text) else {
      throw fault(
        "$decimal", DecodingPath.member("$decimal", of: path),
        message: "expected the text of a decimal number")
    }
    return .decimal(text)
  }

  /// Whether a text is a decimal number: a sign, digits with a point, an exponent of up to six
  /// digits; at most 1,000 bytes.
  private static func isDecimal(_ text: JSONString) -> Bool {
    var bytes = Array(text.utf8)[...]
    guard bytes.count <= 1000 else { return false }
    func skip(_ accepted: String) -> Int {
      let rest = bytes.drop { accepted.utf8.contains($0) }
      defer { bytes = rest }
      return bytes.count - rest.count
    }
    func skipOne(_ accepted: String) -> Bool {
      guard let first = bytes.first, accepted.utf8.contains(first) else { return false }
      bytes = bytes.dropFirst()
      return true
    }
    _ = skipOne("+-")
    var digitCount = skip("0123456789")
    if skipOne(".") { digitCount += skip("0123456789") }
    guard digitCount > 0 else { return false }
    if skipOne("eE") {
      _ = skipOne("+-")
      guard (1...6).contains(skip("0123456789")) else { return false }
    }
    return bytes.isEmpty
  }
}

extension JSONValue {
  /// The value as an integer of 64 signed bits, in any notation.
  fileprivate var wholeNumber: Int64? {
    switch self {
    case .integer(let value): return value
    case .double(let value):
      guard value >= -0x1p63, value < 0x1p63 else { return nil }
      let whole = Int64(value)
      return Double(whole) == value ? whole : nil
    default: return nil
    }
  }
}
