import JSON
import Testing

@Suite struct JSONValueTests {
  @Test func unsignedIntegersHaveOneForm() {
    #expect(JSONValue(UInt64(0)) == .integer(0))
    #expect(JSONValue(UInt64(1) << 63 - 1) == .integer(.max))
    #expect(JSONValue(UInt64(1) << 63) == .unsigned(1 << 63))
  }

  /// The name of each kind in messages, and the only accessor that returns a value for it.
  @Test(
    arguments: [
      (.null, "null", 0), (true, "a boolean", 1), (1, "a number", 2),
      (.unsigned(.max), "a number", 0),
      (1.5, "a number", 0), ("a", "a string", 3), ([1], "an array", 4), (["a": 1], "an object", 5),
    ] as [(JSONValue, String, Int)])
  func accessors(value: JSONValue, kind: String, accessor: Int) {
    #expect(value.kind == kind)
    #expect(value.boolValue == (accessor == 1 ? true : nil))
    #expect(value.integerValue == (accessor == 2 ? 1 : nil))
    #expect(value.textValue == (accessor == 3 ? "a" : nil))
    #expect(value.arrayValue == (accessor == 4 ? [1] : nil))
    #expect(value.objectValue == (accessor == 5 ? ["a": 1] : nil))
  }

  /// Values are displayed as JSON in test failures and in a debugger.
  @Test func printsAsJSON() {
    let object: JSONObject = ["b": [1, .null, "x\ny"], "a": 1.0]
    #expect("\(object)" == #"{"b":[1,null,"x\ny"],"a":1.0}"#)
    #expect("\(JSONValue.object(object))" == "\(object)")
    #expect("\(JSONValue.string("a"))" == #""a""#)
  }
}
