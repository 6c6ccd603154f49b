internal import JSON

// Floating point numbers: the image takes precedence over the digits.

extension DocumentMapping {
  func double(
    _ stored: Stored, of name: JSONString, _ warnings: inout [MappingWarning]
  ) throws(MappingError) -> Double? {
    let token = try token(stored, of: name)
    let number = token == nil ? try plainNumber(stored.value, of: name) : nil
    guard let image = stored.meta[MetaMember.double] else {
      return token?.value ?? number
    }
    guard let bits = image.bits(of: Int64.self) else {
      throw MappingError(
        .badImage, name, message: "\(image.serialized()) is not an image of 64 bits")
    }
    let pictured = Double(bitPattern: bits)
    if let token {
      if token.agrees(with: pictured) {
        // Only the bits distinguish one NaN from another.
        if pictured.isNaN, bits != Double.nan.bitPattern, Transport.mayHaveRounded(image, bits) {
          warnings.append(MappingWarning(.imageMayBeRounded, name))
        }
        return pictured
      }
      // Rounding may change the class of a non-finite image, so its token takes precedence: a NaN
      // may become an infinity, and an infinity a finite number.
      let meant = token.value
      guard Transport.mayHaveRounded(image, bits),
        (token == .nan ? [Double.infinity, -.infinity] : [meant]).contains(where: {
          Double($0.bitPattern) == Double(bits)
        })
      else {
        throw MappingError(
          .badImage, name, message: "the token is \(token.rawValue), the image is \(pictured)")
      }
      warnings.append(MappingWarning(.imageMayBeRounded, name))
      return meant
    }
    guard let number, number.bitPattern != bits, Transport.mayHaveRounded(image, bits),
      // A zero without its sign is not a rounded image.
      number != pictured
    else { return pictured }
    if trustsNumbers {
      // Such libraries also write -0 as 0.
      for candidate in number == 0 ? [number, -0.0] : [number]
      where Double(candidate.bitPattern) == Double(bits) {
        return candidate
      }
    }
    warnings.append(MappingWarning(.imageMayBeRounded, name))
    return pictured
  }

  /// The float of an attribute. Conversion to a double does not change images of 32 bits.
  func float(_ stored: Stored, of name: JSONString) throws(MappingError) -> Float? {
    let token = try token(stored, of: name)
    let number = token == nil ? try plainNumber(stored.value, of: name) : nil
    guard let image = stored.meta[MetaMember.single] else {
      let float = (token?.value ?? number).map { Float($0) }
      guard token != nil || float?.isFinite != false else {
        throw MappingError(.outOfRange, name, message: "\(number ?? 0) is out of range for float")
      }
      return float
    }
    guard let wide = image.bits(of: Int32.self), let bits = UInt32(exactly: wide) else {
      throw MappingError(
        .badImage, name, message: "\(image.serialized()) is not an image of 32 bits")
    }
    let pictured = Float(bitPattern: bits)
    guard token?.agrees(with: Double(pictured)) ?? true else {
      throw MappingError(
        .badImage, name, message: "the token is \(token?.rawValue ?? ""), the image is \(pictured)")
    }
    return pictured
  }

  /// The number in the document, encoded as a number or, by the released versions, as a text; nil
  /// if absent.
  private func plainNumber(
    _ value: JSONValue?, of name: JSONString
  ) throws(MappingError) -> Double? {
    switch value {
    case nil, .null?: return nil
    case .string(let text)?:
      if text.isNumeric, let number = Double(text.string) {
        guard number.isFinite else {
          throw MappingError(.outOfRange, name, message: "\(text) is out of range for double")
        }
        return number
      }
    default: if let number = value?.number { return number }
    }
    throw MappingError(
      .wrongType, name, message: "expected a number, found \(value?.serialized() ?? "nothing")")
  }

  private func token(_ stored: Stored, of name: JSONString) throws(MappingError) -> NonFinite? {
    guard let token = stored.meta[MetaMember.nonFinite] else { return nil }
    guard let token = token.textValue.flatMap({ NonFinite(rawValue: $0.string) }) else {
      throw MappingError(
        .badImage, name, message: "\(token.serialized()) is not infinity, -infinity or nan")
    }
    return token
  }
}

extension NonFinite {
  /// The number that the token represents.
  fileprivate var value: Double {
    switch self {
    case .nan: .nan
    case .infinity: .infinity
    case .negativeInfinity: -.infinity
    }
  }

  fileprivate func agrees(with number: Double) -> Bool {
    number == value || number.isNaN && self == .nan
  }
}

extension JSONValue {
  /// The bits of an image, as an unsigned integer or as a signed integer of the same width; nil for
  /// any other value.
  fileprivate func bits<Signed: FixedWidthInteger & SignedInteger>(
    of type: Signed.Type
  ) -> UInt64? where Signed.Magnitude: UnsignedInteger & FixedWidthInteger {
    switch self {
    case .integer(let value):
      if value < 0 {
        return Signed(exactly: value).map { UInt64(Signed.Magnitude(truncatingIfNeeded: $0)) }
      }
      return Signed.Magnitude(exactly: value).map { UInt64($0) }
    case .unsigned(let value): return Signed.Magnitude(exactly: value).map { UInt64($0) }
    case .double(let value):
      if let bits = Signed.Magnitude(exactly: value) { return UInt64(bits) }
      return Signed(exactly: value).map { UInt64(Signed.Magnitude(truncatingIfNeeded: $0)) }
    default: return nil
    }
  }
}

/// The effect of JSON libraries that store all numbers as doubles on integers.
enum Transport {
  /// Whether an image may be rounded: it is a number but not an integer, or an integer that such
  /// libraries write.
  static func mayHaveRounded(_ image: JSONValue, _ bits: UInt64) -> Bool {
    switch image {
    case .integer(let value): mayHaveRounded(value)
    case .unsigned(let value):
      UInt64(exactly: Double(value)) == value || digits(of: Double(value)) == String(value)
    default: true
    }
  }

  /// Whether such libraries write this integer: a double represents it, or it is the shortest
  /// digits of a double followed by zeros.
  static func mayHaveRounded(_ value: Int64) -> Bool {
    let double = Double(value)
    return Int64(exactly: double) == value || digits(of: double) == String(value)
  }

  /// The digits of an integer below 10^21 in ECMAScript.
  private static func digits(of value: Double) -> String? {
    DecimalNumber(text: "\(value)".utf8)?.description
  }
}
