/// Why a text is not JSON as this module defines it, and where.
public struct JSONError: Error, Equatable, Sendable {
  /// What is wrong.
  public enum Kind: Equatable, Sendable {
    /// A byte that cannot stand here, and what could.
    case unexpectedByte(UInt8, expected: String)
    /// The text ends too early, and what could have followed.
    case unexpectedEnd(expected: String)
    /// Something follows the value that is not white space.
    case trailingText
    /// The text begins with a byte order mark.
    case byteOrderMark
    /// The bytes of a string are not UTF-8; the offset is that of the sequence's first byte.
    case invalidUTF8
    /// A byte below 0x20 stands unescaped in a string.
    case controlCharacter(UInt8)
    /// A backslash begins no escape sequence of JSON; the offset is that of the backslash.
    case badEscape
    /// An escaped surrogate without its other half; the offset is that of its backslash.
    case unpairedSurrogate
    /// A digit follows a leading zero; the offset is that of the zero.
    case leadingZero
    /// The number has no value here: the literal, shortened in the middle when it is long.
    case numberOutOfRange(String)
    /// A second member of one object has this name; the offset is that of its opening quote.
    case duplicateName(JSONString)
    /// An array or an object is nested deeper than the limit; the offset is that of its bracket.
    case tooDeep(limit: Int)
    /// The text has more bytes than the limit; the offset is that of the first byte too many.
    case tooLarge(limit: Int)
  }

  /// What is wrong.
  public let kind: Kind

  /// Where, in bytes from the start of the text.
  public let offset: Int

  /// An error at an offset in bytes.
  public init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}

extension JSONError: CustomStringConvertible {
  public var description: String { "byte \(offset): \(kind)" }
}

extension JSONError.Kind: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unexpectedByte(let byte, let expected):
      "expected \(expected) but found \(JSONError.spelling(of: byte))"
    case .unexpectedEnd(let expected): "expected \(expected) but the text ends"
    case .trailingText: "expected the end of the text after the value"
    case .byteOrderMark: "the text begins with a byte order mark"
    case .invalidUTF8: "the string is not UTF-8"
    case .controlCharacter(let byte):
      "the control character \(JSONError.spelling(of: byte)) is not escaped"
    case .badEscape: "the backslash begins no escape sequence"
    case .unpairedSurrogate: "the escaped surrogate has no other half"
    case .leadingZero: "a number has no leading zeros"
    case .numberOutOfRange(let literal): "the number \(literal) is out of range"
    case .duplicateName(let name):
      "the object already has a member \(JSONValue.string(name).serialized())"
    case .tooDeep(let limit): "nested deeper than \(limit)"
    case .tooLarge(let limit): "longer than \(limit) bytes"
    }
  }
}

extension JSONError {
  private static func spelling(of byte: UInt8) -> String {
    switch byte {
    case 0x20..<0x7F: "'\(Unicode.Scalar(byte))'"
    default: "0x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
  }
}
