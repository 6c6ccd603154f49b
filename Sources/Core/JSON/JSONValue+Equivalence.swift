extension JSONValue {
  /// Whether both are the same JSON value: numbers by exact value, members in any order, text by
  /// bytes.
  ///
  /// `1`, `1.0` and `1e0` are one value, as are `0` and `-0`; 2^53 + 1 and its neighboring double
  /// are two. A NaN, which JSON text cannot encode, is not equal to any value.
  public func isSameValue(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isSameValue(as: $1) }
    case (.object(let left), .object(let right)): left.hasSameMembers(as: right)
    case (.integer(let left), .integer(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    // Conversion of the integer to a double might round it, so the double is converted to an
    // integer if it is integral.
    case (.integer(let left), .double(let right)): left == right.signedInteger
    case (.double(let left), .integer(let right)): left.signedInteger == right
    case (.unsigned(let left), .double(let right)): left == right.unsignedInteger
    case (.double(let left), .unsigned(let right)): left.unsignedInteger == right
    // An unsigned integer above `Int64.max` is not a signed one; a smaller one is not in normal
    // form but has the same value.
    case (.integer(let left), .unsigned(let right)): left == Int64(exactly: right)
    case (.unsigned(let left), .integer(let right)): Int64(exactly: left) == right
    default: false
    }
  }
}

extension Double {
  // `Int64(exactly:)` would need the C library's `trunc`, which is not linked into a program
  // without another import of that library.

  /// The same number as an integer of 64 signed bits, or nil if it is not one.
  fileprivate var signedInteger: Int64? {
    guard self >= -0x1p63, self < 0x1p63 else { return nil }
    let truncated = Int64(self)
    return Double(truncated) == self ? truncated : nil
  }

  /// The same number as an integer of 64 unsigned bits, or nil if it is not one.
  fileprivate var unsignedInteger: UInt64? {
    guard self >= 0, self < 0x1p64 else { return nil }
    let truncated = UInt64(self)
    return Double(truncated) == self ? truncated : nil
  }
}

extension JSONObject {
  /// Whether both have the same names with the same values, in any order.
  fileprivate func hasSameMembers(as other: JSONObject) -> Bool {
    guard count == other.count else { return false }
    // Members usually have the same order on both sides; an index is only built if they do not.
    var index: [JSONString: JSONValue]?
    for (left, right) in zip(members, other.members) {
      if left.name == right.name {
        guard left.value.isSameValue(as: right.value) else { return false }
        continue
      }
      let values =
        index ?? Dictionary(other.members.map { ($0.name, $0.value) }) { first, _ in first }
      index = values
      guard let value = values[left.name], left.value.isSameValue(as: value) else { return false }
    }
    return true
  }
}
