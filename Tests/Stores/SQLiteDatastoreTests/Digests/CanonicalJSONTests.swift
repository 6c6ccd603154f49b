import JSON
import Testing

@testable import SQLiteDatastore

@Suite struct CanonicalJSONTests {
  private func text(_ value: JSONValue) -> String {
    String(decoding: CanonicalJSON.bytes(of: value), as: UTF8.self)
  }

  /// U+FF5E comes before U+1F600 in UTF-8 and after it in UTF-16.
  @Test func namesAreSortedByUTF16() {
    #expect(
      text(["\u{ff5e}": 1, "😀": 2, "b": 3, "B": 4, "": 5])
        == "{\"\":5,\"B\":4,\"b\":3,\"😀\":2,\"\u{ff5e}\":1}")
  }

  @Test func onlyFourEscapesAreShort() {
    #expect(
      text(["\t\u{8}\u{c}\n\r\u{0}\u{1f}\"\\/\u{7f}é"])
        == #"["\u0009\u0008\u000c\n\r\u0000\u001f\"\\/"# + "\u{7f}é\"]")
  }

  @Test func numbersHaveOneSpelling() {
    #expect(
      text([.unsigned(.max), .integer(.min), 1.0, .double(-0.0), 2.5])
        == "[18446744073709551615,-9223372036854775808,1,0,2.5]")
  }
}
