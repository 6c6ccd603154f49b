import JSON
import Testing

@Suite struct JSONPrettyWriterTests {
  @Test(
    arguments: [
      (.null, "null"),
      ([], "[]"),
      ([:], "{}"),
      ([1, 2, ["a": [:], "b": "c"]], #"[1, 2, {"a": {}, "b": "c"}]"#),
    ] as [(JSONValue, String)])
  func whatFitsStaysOnOneLine(value: JSONValue, text: String) {
    #expect(value.pretty() == text)
  }

  @Test func whatDoesNotFitIsBrokenFromTheOutside() {
    let value: JSONValue = [
      "name": "first",
      "steps": [["do": "read", "id": "a"], ["do": "delete", "id": "b", "rev": "1-a"]],
      "empty": [],
    ]
    #expect(
      value.pretty(width: 40) == """
        {
          "name": "first",
          "steps": [
            {"do": "read", "id": "a"},
            {
              "do": "delete",
              "id": "b",
              "rev": "1-a"
            }
          ],
          "empty": []
        }
        """)
    #expect(
      value.pretty(indent: 4, width: 60, sortingNames: true) == """
        {
            "empty": [],
            "name": "first",
            "steps": [
                {"do": "read", "id": "a"},
                {"do": "delete", "id": "b", "rev": "1-a"}
            ]
        }
        """)
  }

  /// The width includes the indentation, the name before the value and the comma after it.
  @Test func fittingIsExact() {
    let value: JSONValue = ["a": [1, 2], "b": [3, 4]]
    #expect(value.pretty(width: 26) == #"{"a": [1, 2], "b": [3, 4]}"#)
    #expect(value.pretty(width: 25) == "{\n  \"a\": [1, 2],\n  \"b\": [3, 4]\n}")
    #expect(value.pretty(width: 14) == "{\n  \"a\": [1, 2],\n  \"b\": [3, 4]\n}")
    #expect(
      value.pretty(width: 13) == "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": [3, 4]\n}")
    #expect(
      value.pretty(width: 12)
        == "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": [\n    3,\n    4\n  ]\n}")
  }

  @Test func scalarsMayPassTheWidth() {
    #expect((["long text"] as JSONValue).pretty(width: 4) == "[\n  \"long text\"\n]")
    #expect(([[:]] as JSONValue).pretty(width: 0) == "[\n  {}\n]")
    #expect(([[]] as JSONValue).pretty(width: 0) == "[\n  []\n]")
  }

  /// The default width of 100 bytes, with the last value that fits and the first that does not.
  @Test func standardWidth() {
    let fitting: JSONValue = [.text(String(repeating: "x", count: 96))]
    let passing: JSONValue = [.text(String(repeating: "x", count: 97))]
    #expect(fitting.pretty().utf8.count == 100)
    #expect(!fitting.pretty().contains("\n"))
    #expect(passing.pretty().contains("\n"))
  }
}
