/// The error for a text that is not valid JSON as defined by this module.
public struct JSONError: Error, Equatable, Sendable {
  /// The kind of the error.
  public enum Kind: Equatable, Sendable {
    /// An invalid byte, and the expected input.
    case unexpectedByte(UInt8, expected: String)
    /// The text ends early; the associated value is the expected input.
    case unexpectedEnd(expected: String)
    /// The value is followed by something other than white space.
    case trailingText
    /// The text begins with a byte order mark.
    case byteOrderMark
    /// The bytes of a string are not UTF-8; the offset is that of the first byte of the sequence.
    case invalidUTF8
    /// A byte below 0x20 is unescaped in a string.
    case controlCharacter(UInt8)
    /// A backslash does not begin an escape sequence of JSON; the offset is that of the backslash.
    case badEscape
    /// An escaped surrogate without its pair; the offset is that of its backslash.
    case unpairedSurrogate
    /// A digit follows a leading zero; the offset is that of the zero.
    case leadingZero
    /// The number cannot be represented; the associated value is the literal, with its middle
    /// elided if it is long.
    case numberOutOfRange(String)
    /// A second member of one object has this name; the offset is that of its opening quote.
    case duplicateName(JSONString)
    /// An array or an object is nested deeper than the limit; the offset is that of its bracket.
    case tooDeep(limit: Int)
    /// The text is longer than the limit in bytes; the offset is that of the first byte beyond the
    /// limit.
    case tooLarge(limit: Int)
  }

  /// The kind of the error.
  public let kind: Kind

  /// The offset in bytes from the start of the text.
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
      "expected \(expected), found \(JSONError.text(of: byte))"
    case .unexpectedEnd(let expected): "expected \(expected), found the end of the text"
    case .trailingText: "expected the end of the text after the value"
    case .byteOrderMark: "the text begins with a byte order mark"
    case .invalidUTF8: "the string is not UTF-8"
    case .controlCharacter(let byte):
      "the control character \(JSONError.text(of: byte)) is not escaped"
    case .badEscape: "invalid escape sequence"
    case .unpairedSurrogate: "unpaired surrogate in an escape sequence"
    case .leadingZero: "a number must not have leading zeros"
    case .numberOutOfRange(let literal): "the number \(literal) is out of range"
    case .duplicateName(let name):
      "the object already has a member \(JSONValue.string(name).serialized())"
    case .tooDeep(let limit): "nested deeper than \(limit) levels"
    case .tooLarge(let limit): "longer than \(limit) bytes"
    }
  }
}

extension JSONError {
  private static func text(of byte: UInt8) -> String {
    switch byte {
    case 0x20..<0x7F: "'\(Unicode.Scalar(byte))'"
    default: "0x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
  }
}
