import JSON
import Testing

@Suite struct ObjectReaderTests {
  private static let object: JSONObject = [
    "text": "t", "integer": 7, "bool": true, "array": [1, 2], "object": ["in": "x"], "null": .null,
    "fraction": 1.0, "large": .unsigned(.max),
  ]

  private func reader(path: String = "") -> ObjectReader {
    ObjectReader(ObjectReaderTests.object, path: path)
  }

  @Test func eachKindIsRead() throws {
    var reader = reader()
    #expect(try reader.text("text") == "t")
    #expect(try reader.optionalText("text") == "t")
    #expect(try reader.integer("integer") == 7)
    #expect(try reader.optionalInteger("integer") == 7)
    #expect(try reader.bool("bool") == true)
    #expect(try reader.optionalBool("bool") == true)
    #expect(try reader.array("array") == [1, 2])
    #expect(try reader.optionalArray("array") == [1, 2])
    #expect(try reader.required("null") == .null)
    #expect(reader.optional("null") == .some(.null))
    var inner = try reader.reader("object")
    #expect(inner.path == "object")
    #expect(try inner.text("in") == "x")
    #expect(try reader.optionalReader("object")?.path == "object")
  }

  @Test func absentIsNilWhereOptional() throws {
    var reader = reader()
    #expect(reader.optional("absent") == nil)
    #expect(try reader.optionalText("absent") == nil)
    #expect(try reader.optionalInteger("absent") == nil)
    #expect(try reader.optionalBool("absent") == nil)
    #expect(try reader.optionalArray("absent") == nil)
    #expect(try reader.optionalReader("absent") == nil)
    #expect(try reader.optionalElements("absent") { value, _ in value } == nil)
  }

  typealias Read = @Sendable (inout ObjectReader, JSONString) throws(DecodingFailure) -> Void

  /// Each typed method with a member of its kind, a member that it rejects, and the message.
  private static let methods: [(Read, Read, refused: JSONString, message: String)] = [
    (
      { reader, name throws(DecodingFailure) in _ = try reader.text(name) },
      { reader, name throws(DecodingFailure) in _ = try reader.optionalText(name) },
      "integer", "expected a string, found a number"
    ),
    (
      { reader, name throws(DecodingFailure) in _ = try reader.integer(name) },
      { reader, name throws(DecodingFailure) in _ = try reader.optionalInteger(name) },
      "text", "expected an integer, found a string"
    ),
    (
      { reader, name throws(DecodingFailure) in _ = try reader.integer(name) },
      { reader, name throws(DecodingFailure) in _ = try reader.optionalInteger(name) },
      "fraction", "expected an integer of 64 signed bits, found 1.0"
    ),
    (
      { reader, name throws(DecodingFailure) in _ = try reader.integer(name) },
      { reader, name throws(DecodingFailure) in _ = try reader.optionalInteger(name) },
      "large", "expected an integer of 64 signed bits, found 18446744073709551615"
    ),
    (
      { reader, name throws(DecodingFailure) in _ = try reader.bool(name) },
      { reader, name throws(DecodingFailure) in _ = try reader.optionalBool(name) },
      "null", "expected a boolean, found null"
    ),
    (
      { reader, name throws(DecodingFailure) in _ = try reader.array(name) },
      { reader, name throws(DecodingFailure) in _ = try reader.optionalArray(name) },
      "object", "expected an array, found an object"
    ),
    (
      { reader, name throws(DecodingFailure) in _ = try reader.reader(name) },
      { reader, name throws(DecodingFailure) in _ = try reader.optionalReader(name) },
      "array", "expected an object, found an array"
    ),
    (
      { reader, name throws(DecodingFailure) in
        _ = try reader.elements(name) { value, _ in value }
      },
      { reader, name throws(DecodingFailure) in
        _ = try reader.optionalElements(name) { value, _ in value }
      },
      "bool", "expected an array, found a boolean"
    ),
  ]

  @Test func failuresNameTheMember() {
    for (required, optional, refused, message) in ObjectReaderTests.methods {
      var reader = reader(path: "steps[3]")
      let mismatch = DecodingFailure(path: "steps[3].\(refused)", message: message)
      #expect(throws: mismatch) { try required(&reader, refused) }
      #expect(throws: mismatch) { try optional(&reader, refused) }
      let missing = DecodingFailure(path: "steps[3].absent", message: "missing member")
      #expect(throws: missing) { try required(&reader, "absent") }
      #expect(throws: Never.self) { try optional(&reader, "absent") }
    }
  }

  /// An explicit null is a value of the wrong kind, and differs from an absent member.
  @Test func nullIsRefusedByTypedMethods() {
    for (required, optional, _, _) in ObjectReaderTests.methods {
      var reader = reader()
      for read in [required, optional] {
        let failure = #expect(throws: DecodingFailure.self) { try read(&reader, "null") }
        #expect(failure?.path == "null")
        #expect(failure?.message.hasSuffix(", found null") == true)
      }
    }
  }

  @Test func onlyAnObjectHasMembers() {
    let failure = DecodingFailure(path: "a[0]", message: "expected an object, found an array")
    #expect(throws: failure) { try ObjectReader([1], path: "a[0]") }
    #expect(throws: DecodingFailure(path: "", message: "expected an object, found null")) {
      try ObjectReader(.null)
    }
  }

  @Test func unknownMembersAreRefused() throws {
    let value: JSONValue = ["a": 1, "x": 2, "b": 3, "y": 4]
    var reader = try ObjectReader(value, path: "do")
    #expect(throws: DecodingFailure(path: "do.a", message: "unknown member; known here: none")) {
      try reader.finish()
    }
    _ = try reader.integer("a")
    _ = reader.optional("c")
    _ = try reader.integer("b")
    _ = try reader.integer("a")
    #expect(throws: DecodingFailure(path: "do.x", message: "unknown member; known here: a, c, b")) {
      try reader.finish()
    }
    _ = try reader.required("x")
    _ = try reader.required("y")
    try reader.finish()
  }

  @Test func elementsKnowTheirPlace() throws {
    let value: JSONValue = ["steps": [["id": "a"], ["id": 7]]]
    var reader = try ObjectReader(value)
    let read = { (value: JSONValue, path: String) throws(DecodingFailure) -> JSONString in
      var reader = try ObjectReader(value, path: path)
      return try reader.text("id")
    }
    let failure = DecodingFailure(
      path: "steps[1].id", message: "expected a string, found a number")
    #expect(throws: failure) { try reader.elements("steps", read) }
    #expect(try reader.elements("steps") { _, path in path } == ["steps[0]", "steps[1]"])
    let nested: JSONValue = [[1], [2, 3]]
    let paths = try nested.elements(at: "") { value, path throws(DecodingFailure) in
      try value.elements(at: path) { _, path in path }
    }
    #expect(paths == [["[0][0]"], ["[1][0]", "[1][1]"]])
  }

  @Test func descriptionsHaveThePathFirst() {
    #expect(
      DecodingFailure(path: "a.b[1]", message: "missing member").description
        == "a.b[1]: missing member")
    #expect(DecodingFailure(path: "", message: "missing member").description == "missing member")
  }
}
