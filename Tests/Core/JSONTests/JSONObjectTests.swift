import JSON
import Testing

@Suite struct JSONObjectTests {
  @Test func lastValueOfANameCountsAtTheFirstPlace() {
    let object = JSONObject([("a", 1), ("b", 2), ("a", 3)])
    #expect(object.members == [.init("a", 3), .init("b", 2)])
    #expect(object.count == 2)
  }

  @Test func subscriptReadsAndChanges() {
    var object: JSONObject = ["a": 1, "b": 2]
    #expect(object["b"] == 2)
    #expect(object["c"] == nil)
    object["a"] = nil
    object["b"] = 3
    object["c"] = .null
    object["d"] = nil
    #expect(object.members == [.init("b", 3), .init("c", .null)])
  }

  @Test func namesAreComparedByBytes() {
    let object: JSONObject = ["\u{E9}": 1, "e\u{301}": 2]
    #expect(object.count == 2)
    #expect(object["\u{E9}"] == 1)
    #expect(object["e\u{301}"] == 2)
  }

  @Test func orderCounts() {
    #expect(JSONObject([("a", 1), ("b", 2)]) != JSONObject([("b", 2), ("a", 1)]))
    #expect(JSONObject().isEmpty)
    #expect(!JSONObject([("a", 1)]).isEmpty)
  }
}
