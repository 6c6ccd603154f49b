internal import JSON

// Floating point numbers: the image decides, whatever became of the digits.

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
      throw MappingError(.badImage, name, message: "\(image.serialized()) is no image of 64 bits")
    }
    let pictured = Double(bitPattern: bits)
    if let token {
      if token.agrees(with: pictured) {
        // The bits of a NaN are the only thing that tells one from another.
        if pictured.isNaN, bits != Double.nan.bitPattern, Transport.mayHaveRounded(image, bits) {
          warnings.append(MappingWarning(.imageMayBeRounded, name))
        }
        return pictured
      }
      // Rounding may make another thing of what is not finite, so that its token counts for more:
      // an infinity of a NaN, and a finite number of that.
      let meant = token.value
      guard Transport.mayHaveRounded(image, bits),
        (token == .nan ? [Double.infinity, -.infinity] : [meant]).contains(where: {
          Double($0.bitPattern) == Double(bits)
        })
      else {
        throw MappingError(
          .badImage, name, message: "the token says \(token.rawValue), the image \(pictured)")
      }
      warnings.append(MappingWarning(.imageMayBeRounded, name))
      return meant
    }
    guard let number, number.bitPattern != bits, Transport.mayHaveRounded(image, bits),
      // A zero that lost its sign is no rounded image.
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

  /// Images of 32 bits come through doubles unharmed.
  func float(_ stored: Stored, of name: JSONString) throws(MappingError) -> Float? {
    let token = try token(stored, of: name)
    let number = token == nil ? try plainNumber(stored.value, of: name) : nil
    guard let image = stored.meta[MetaMember.single] else {
      let float = (token?.value ?? number).map { Float($0) }
      guard token != nil || float?.isFinite != false else {
        throw MappingError(.outOfRange, name, message: "\(number ?? 0) is no float")
      }
      return float
    }
    guard let wide = image.bits(of: Int32.self), let bits = UInt32(exactly: wide) else {
      throw MappingError(.badImage, name, message: "\(image.serialized()) is no image of 32 bits")
    }
    let pictured = Float(bitPattern: bits)
    guard token?.agrees(with: Double(pictured)) ?? true else {
      throw MappingError(
        .badImage, name, message: "the token says \(token?.rawValue ?? ""), the image \(pictured)")
    }
    return pictured
  }

  /// The number that stands in the document, written as a number or, by the released versions, as a
  /// text; nil for none.
  private func plainNumber(
    _ value: JSONValue?, of name: JSONString
  ) throws(MappingError) -> Double? {
    switch value {
    case nil, .null?: return nil
    case .string(let text)?:
      if text.isNumeric, let number = Double(text.string) {
        guard number.isFinite else {
          throw MappingError(.outOfRange, name, message: "\(text) is no double")
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
  /// The number that the token stands for.
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
  /// The bits of an image, written without a sign or with the sign of its width; nil for none.
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

/// What JSON libraries that keep only doubles do to integers.
enum Transport {
  /// Whether an image may be a rounded one: it is written as a number that is no integer, or is one
  /// that such libraries write.
  static func mayHaveRounded(_ image: JSONValue, _ bits: UInt64) -> Bool {
    switch image {
    case .integer(let value): mayHaveRounded(value)
    case .unsigned(let value):
      UInt64(exactly: Double(value)) == value || digits(of: Double(value)) == String(value)
    default: true
    }
  }

  /// Whether an integer is one that such libraries write: one that doubles hold, or the shortest digits
  /// of a double with zeros behind them.
  static func mayHaveRounded(_ value: Int64) -> Bool {
    let double = Double(value)
    return Int64(exactly: double) == value || digits(of: double) == String(value)
  }

  /// The digits that ECMAScript gives an integer below 10^21.
  private static func digits(of value: Double) -> String? {
    DecimalNumber(text: "\(value)".utf8)?.description
  }
}
