import Datastore
import JSON
import Testing

@testable import Replication

/// Sequences of stores of the family: integers, texts, and arrays of both.
struct OpaqueSequenceTests {
  @Test(arguments: [
    "7", "0", "\"7-abc\"", "\"7\"", "\"[7]\"", "\"\"", #"[12,"g1AAAA"]"#, "[1]", #"["x"]"#,
  ])
  func roundTripAsAParameter(json: String) throws {
    let sequence = try UpdateSequence(JSONValue.parse(Array(json.utf8)), path: "")
    #expect(sequence.json.serialized() == json)
    let isBeginning = sequence == .integer(0)
    #expect(UpdateSequence(parameter: sequence.parameter) == (isBeginning ? nil : sequence))
  }

  @Test(arguments: ["null", "true", "1.5", "{}", "[]", "[[1]]", "[1.5]", "[null]"])
  func others(json: String) throws {
    let error = try #require(throws: DecodingFailure.self) {
      try UpdateSequence(JSONValue.parse(Array(json.utf8)), path: "since")
    }
    #expect(error.path == "since")
  }
}
