import JSON
import Testing

@Suite struct JSONErrorTests {
  @Test(
    arguments: [
      (.unexpectedByte(0x78, expected: "',' or '}'"), "expected ',' or '}', found 'x'"),
      (.unexpectedByte(0x00, expected: "a value"), "expected a value, found 0x00"),
      (.unexpectedByte(0x7F, expected: "a value"), "expected a value, found 0x7F"),
      (.unexpectedByte(0xC3, expected: "a value"), "expected a value, found 0xC3"),
      (.unexpectedEnd(expected: "a digit"), "expected a digit, found the end of the text"),
      (.trailingText, "expected the end of the text after the value"),
      (.byteOrderMark, "the text begins with a byte order mark"),
      (.invalidUTF8, "the string is not UTF-8"),
      (.controlCharacter(0x0A), "the control character 0x0A is not escaped"),
      (.badEscape, "invalid escape sequence"),
      (.unpairedSurrogate, "unpaired surrogate in an escape sequence"),
      (.leadingZero, "a number must not have leading zeros"),
      (.numberOutOfRange("1e400"), "the number 1e400 is out of range"),
      (.duplicateName("a\"\n"), #"the object already has a member "a\"\n""#),
      (.tooDeep(limit: 512), "nested deeper than 512 levels"),
      (.tooLarge(limit: 1000), "longer than 1000 bytes"),
    ] as [(JSONError.Kind, String)])
  func description(kind: JSONError.Kind, text: String) {
    #expect(JSONError(kind, at: 17).description == "byte 17: \(text)")
  }
}
