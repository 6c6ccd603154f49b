import Datastore
import JSON
import Testing

@testable import SQLiteDatastore

struct FieldTreeTests {
  /// The values at paths of a stored text, or the error.
  private static func values(_ paths: [JSONString], _ json: String) -> Result<
    [JSONValue?], BodyCodecError
  > {
    var tree = FieldTree()
    let slots = paths.compactMap { FieldPath($0) }.map { tree.slot(for: $0) }
    var values = [JSONValue?](repeating: "left over", count: tree.slotCount)
    return Array(json.utf8).withUnsafeBufferPointer { bytes in
      Result { () throws(BodyCodecError) in
        try tree.extract(from: bytes, into: &values)
        return slots.map { values[$0] }
      }
    }
  }

  static let bodies: [(String, [JSONString], [JSONValue?])] = [
    (#"{}"#, ["a"], [nil]), (#"{"a":1}"#, ["a"], [1]), (#"{"b":1,"a":2}"#, ["a", "b"], [2, 1]),
    (#"{"x":{"a":[{"b":"}"}],"c":"\"]"},"a":-1.5e3}"#, ["a"], [-1500.0]),
    (#"{"a":{"b":{"c":true}},"d":null}"#, ["a.b.c", "d"], [true, .null]),
    (#"{"a":{"b":1,"c":2}}"#, ["a.c", "a", "a.c.d"], [2, ["b": 1, "c": 2], nil]),
    (#"{"a":[{"b":1}]}"#, ["a.b"], [nil]), (#"{"a":5,"b":6}"#, ["a.b", "b"], [nil, 6]),
    (#"{"\u0061":1,"a\"":2}"#, ["a", "a\""], [1, 2]), (#"{"a.b":1,"a":{"b":2}}"#, [#"a\.b"#], [1]),
    (#"{"":{"":3}}"#, ["."], [3]), (#"{"a":"é\u0000x"}"#, ["a"], ["é\u{0}x"]),
    (#" { "x" : [ 1 , 2 ] , "a" : { "b" : 7 } } "#, ["a.b", "no"], [7, nil]),
    (#"{"a":{},"b":[],"c":1}"#, ["c", "a.x"], [1, nil]),
  ]

  @Test(arguments: bodies)
  func takesWhatIsWanted(json: String, paths: [JSONString], expected: [JSONValue?]) throws {
    #expect(try Self.values(paths, json).get() == expected)
  }

  /// Damaged text yields an error or other values, never a trap.
  @Test func survivesEveryCut() {
    for (json, paths, _) in Self.bodies {
      let bytes = Array(json.utf8)
      for count in bytes.indices {
        _ = Self.values(paths, String(decoding: bytes[..<count], as: UTF8.self))
        for byte in "\"\\{}[],:0x".utf8 {
          var damaged = bytes
          damaged[count] = byte
          _ = Self.values(paths, String(decoding: damaged, as: UTF8.self))
        }
      }
    }
    for json in ["", "[]", "{", #"{"a""#, #"{"a":"#, #"{"a":[}"#, #"{"x":}"#, #"{"x":[1"#] {
      #expect(throws: BodyCodecError.self) { try Self.values(["a"], json).get() }
    }
  }
}
