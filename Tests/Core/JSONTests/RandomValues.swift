import JSON

extension SplitMix64 {
  /// Any finite JSON value, nested to at most this depth.
  mutating func value(depthMax: Int) -> JSONValue {
    switch next(below: depthMax > 0 ? 9 : 6) {
    case 0: return .null
    case 1: return .bool(next(below: 2) == 0)
    case 2: return .integer(Int64(truncatingIfNeeded: next() >> next(below: 64)))
    case 3: return JSONValue(next())
    case 4: return .double(finiteDouble())
    case 5: return .string(text())
    case 6, 7: return .object(object(depthMax: depthMax - 1))
    default:
      return .array((0..<next(below: 5)).map { _ in value(depthMax: depthMax - 1) })
    }
  }

  private mutating func object(depthMax: Int) -> JSONObject {
    JSONObject((0..<next(below: 20)).map { _ in (text(), value(depthMax: depthMax)) })
  }

  /// Any finite bit pattern, with a higher probability of subnormal numbers and zeros.
  mutating func finiteDouble() -> Double {
    while true {
      let mask: UInt64 = next(below: 8) == 0 ? 0x800F_FFFF_FFFF_FFFF : .max
      let double = Double(bitPattern: next(below: 50) == 0 ? 1 << 63 : next() & mask)
      if double.isFinite { return double }
    }
  }

  /// Text of scalars of all lengths of UTF-8, with a higher probability of characters that must be
  /// escaped.
  private mutating func text() -> JSONString {
    var scalars = String.UnicodeScalarView()
    for _ in 0..<next(below: 20) {
      let bound = [0x20, 0x80, 0x80, 0x800, 0x10000, 0x110000][next(below: 6)]
      let special: [Unicode.Scalar] = ["\"", "\\", "/", "\u{7F}", "e", "\u{301}"]
      let code = UInt32(next(below: bound))
      scalars.append(Unicode.Scalar(code) ?? special[next(below: special.count)])
    }
    return JSONString(String(scalars))
  }
}
