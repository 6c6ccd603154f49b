/// The bytes with a meaning in JSON, by name.
extension UInt8 {
  static var quote: UInt8 { 0x22 }
  static var backslash: UInt8 { 0x5C }
  static var slash: UInt8 { 0x2F }
  static var comma: UInt8 { 0x2C }
  static var colon: UInt8 { 0x3A }
  static var openBracket: UInt8 { 0x5B }
  static var closeBracket: UInt8 { 0x5D }
  static var openBrace: UInt8 { 0x7B }
  static var closeBrace: UInt8 { 0x7D }
  static var plus: UInt8 { 0x2B }
  static var minus: UInt8 { 0x2D }
  static var period: UInt8 { 0x2E }
  static var zero: UInt8 { 0x30 }
  static var nine: UInt8 { 0x39 }
  static var space: UInt8 { 0x20 }
  static var tab: UInt8 { 0x09 }
  static var newline: UInt8 { 0x0A }
  static var carriageReturn: UInt8 { 0x0D }
  static var backspace: UInt8 { 0x08 }
  static var formFeed: UInt8 { 0x0C }

  static var lowerB: UInt8 { 0x62 }
  static var lowerE: UInt8 { 0x65 }
  static var lowerF: UInt8 { 0x66 }
  static var lowerN: UInt8 { 0x6E }
  static var lowerR: UInt8 { 0x72 }
  static var lowerT: UInt8 { 0x74 }
  static var lowerU: UInt8 { 0x75 }
  static var upperE: UInt8 { 0x45 }

  /// The value of an ASCII decimal digit.
  var decimalDigit: UInt8? {
    self >= .zero && self <= .nine ? self - .zero : nil
  }

  /// The value of an ASCII hexadecimal digit in either case.
  var hexadecimalDigit: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}
