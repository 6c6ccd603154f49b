import JSON
import Testing

@Suite struct JSONWriterTests {
  @Test(
    arguments: [
      (.null, "null"),
      (true, "true"),
      (false, "false"),
      (0, "0"),
      (-7, "-7"),
      (.integer(.min), "-9223372036854775808"),
      (.integer(.max), "9223372036854775807"),
      (.unsigned(.max), "18446744073709551615"),
      (1.0, "1.0"),
      (0.1, "0.1"),
      (-0.0, "-0.0"),
      (1e16, "1e+16"),
      (.double(.leastNonzeroMagnitude), "5e-324"),
      (.double(.greatestFiniteMagnitude), "1.7976931348623157e+308"),
      (.double(.infinity), "null"),
      (.double(-.infinity), "null"),
      (.double(.nan), "null"),
      ("", "\"\""),
      ([], "[]"),
      ([:], "{}"),
      ([1, [2], .null], "[1,[2],null]"),
      (["b": 1, "a": ["c": [:]], "": "x"], #"{"b":1,"a":{"c":{}},"":"x"}"#),
      (["\"\n": 0], #"{"\"\n":0}"#),
    ] as [(JSONValue, String)])
  func compactText(value: JSONValue, text: String) {
    #expect(value.serialized() == text)
  }

  /// `String` equality would treat composed and decomposed text as equal, so bytes are compared.
  @Test(
    arguments: [
      ("\"\\/", #""\"\\/""#),
      ("\u{8}\u{C}\n\r\t", #""\b\f\n\r\t""#),
      ("\u{0}\u{1}\u{B}\u{1F}", #""\u0000\u0001\u000b\u001f""#),
      ("\u{7F}\u{80}", "\"\u{7F}\u{80}\""),
      (
        "\u{E9}e\u{301}\u{2028}\u{FEFF}\u{FFFF}\u{1F600}",
        "\"\u{E9}e\u{301}\u{2028}\u{FEFF}\u{FFFF}\u{1F600}\""
      ),
    ] as [(JSONString, String)])
  func onlyWhatMustBeIsEscaped(text: JSONString, written: String) {
    #expect(JSONValue.string(text).serializedBytes() == Array(written.utf8))
  }

  /// Each byte to escape at each position of the words of the scan.
  @Test(arguments: 0..<24)
  func escapedByteAtEachPlace(place: Int) {
    let before = String(repeating: "~", count: place)
    for after in ["", "\u{20}", "\u{E9} and a plain run"] {
      for (byte, escape) in [("\"", "\\\""), ("\\", "\\\\"), ("\u{1F}", "\\u001f")] {
        let written = JSONValue.text(before + byte + after).serialized()
        #expect(Array(written.utf8) == Array("\"\(before)\(escape)\(after)\"".utf8))
      }
    }
  }

  @Test func namesSortByBytesAtEachLevel() {
    let value: JSONValue = [
      "b": 1, "\u{E9}": 2, "a": [["z": 1, "y": 2]], "a2": 3, "a10": 4, "B": 5, "e\u{301}": 6, "": 7,
      "\u{FF5E}": 8, "\u{1F600}": 9,
    ]
    #expect(
      value.serialized(sortingNames: true)
        == "{\"\":7,\"B\":5,\"a\":[{\"y\":2,\"z\":1}],\"a10\":4,\"a2\":3,\"b\":1,\"e\u{301}\":6,"
        + "\"\u{E9}\":2,\"\u{FF5E}\":8,\"\u{1F600}\":9}")
  }

  @Test func writingAppends() {
    var bytes = Array("x = ".utf8)
    (["a": 1] as JSONValue).write(to: &bytes)
    ([true] as JSONValue).write(to: &bytes, sortingNames: true)
    #expect(String(decoding: bytes, as: UTF8.self) == #"x = {"a":1}[true]"#)
  }

  /// The text is returned up to a limit of its bytes, and not beyond.
  @Test func theTextMayBeBounded() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<500 {
      let value = random.value(depthMax: 4)
      let bytes = value.serializedBytes()
      #expect(value.serializedBytes(atMost: bytes.count) == bytes)
      #expect(value.serializedBytes(atMost: .max) == bytes)
      for limit in Set([0, bytes.count / 2, bytes.count - 1]) {
        #expect(value.serializedBytes(atMost: limit) == nil)
      }
    }
  }

  @Test func randomValuesSurviveTheirText() throws {
    var random = SplitMix64(seed: 1)
    for round in 0..<2_000 {
      let value = random.value(depthMax: 4)
      let bytes = value.serializedBytes()
      guard try JSONValue.parse(bytes) == value,
        try JSONValue.parse(value.pretty(indent: round % 5, width: round % 120)) == value,
        try JSONValue.parse(value.serialized(sortingNames: true)).isSameValue(as: value)
      else {
        Issue.record("round \(round): \(value.serialized()) is read as another value")
        return
      }
    }
  }

  @Test func randomDoublesSurviveTheirText() throws {
    var random = SplitMix64(seed: 2)
    for _ in 0..<50_000 {
      let value = JSONValue.double(random.finiteDouble())
      guard try JSONValue.parse(value.serializedBytes()) == value else {
        Issue.record("\(value) is read as another value")
        return
      }
    }
  }
}
