import Datastore
import JSON
import ObjectMapping
import ObjectOperations
import ReferenceDatastore
import Testing

/// Operations on objects as encoded by clients, with documents modified by other clients.
@Suite struct ObjectOperationTests {
  let store = ObjectDatastore(ReferenceDatastore())

  func perform(_ operation: String) throws -> JSONObject {
    let environment = RunEnvironment(seed: 1)
    let json = try JSONValue.parse(operation)
    return try #require(
      try store.perform(StoreOperation(json), environment).json.objectValue)
  }

  func error(_ operation: String) throws -> JSONObject {
    var error = try #require(try perform(operation)["error"]?.objectValue)
    error["message"] = nil
    return error
  }

  static let model =
    #"{"entities":{"E":{"attributes":{"n":{"type":"int16"},"#
    + #""p":{"type":"binary"},"d":{"type":"double"}}}}}"#

  func decode(_ members: String, _ more: String = "") throws -> JSONObject {
    let body = #"{"CDTISEntityName":"E",\#(members)}"#
    return try perform(
      #"{"op":"decodeObject","store":"s","model":\#(Self.model),"id":"x","body":\#(body)\#(more)}"#)
  }

  func open(_ model: String = model) throws {
    _ = try perform(#"{"op":"open","store":"s"}"#)
    _ = try perform(#"{"op":"openObjects","store":"s","model":\#(model),"migrates":true}"#)
  }

  func create(_ members: String, _ attachments: String) throws {
    let body = #"{"CDTISEntityName":"E",\#(members)}"#
    let outcome = try perform(
      #"{"op":"create","store":"s","id":"x","body":\#(body),"attachments":\#(attachments)}"#)
    try #require(outcome["ok"] != nil)
  }

  func attachments() throws -> [JSONString] {
    let document = try perform(#"{"op":"read","store":"s","id":"x"}"#)["ok"]?.objectValue
    return document?["attachments"]?.objectValue?.members.map { $0.name } ?? []
  }

  @Test func contentCountsWhereTheMemberNamesIt() throws {
    let content = #","attachments":{"p":{"data":"AAEC","type":"x/y"}}"#
    func value(_ member: String) throws -> JSONValue? {
      let object = try decode(#""p":"\#(member)""#, content)["ok"]?.objectValue?["object"]
      return object?.objectValue?["values"]?.objectValue?["p"]
    }
    #expect(try value("p") == "AAEC")
    #expect(try value("AA==") == "AA==")
  }

  @Test func patternsMatchCodePoints() throws {
    func codes(_ text: String, _ pattern: String) throws -> JSONValue? {
      let model =
        #"{"entities":{"E":{"attributes":{"t":{"type":"utf8","pattern":"\#(pattern)"}}}}}"#
      return try perform(
        #"{"op":"validateObject","store":"s","model":\#(model),"object":{"id":"x","entity":"E","values":{"t":"\#(text)"}}}"#
      )["ok"]?.objectValue?["codes"]
    }
    #expect(try codes("e\\u0301", ".") == [1680])
    #expect(try codes("e\\u0301", "..") == [])
    #expect(try codes("e\\u0301", "\\u00e9") == [1680])
  }

  @Test func aTextThatIsTooLongForItsPatternIsTooLarge() throws {
    let model =
      #"{"entities":{"E":{"attributes":{"t":{"type":"utf8","pattern":"(a{250}){4}"}}}}}"#
    let text = String(repeating: "b", count: 67_109)
    let error = try error(
      #"{"op":"validateObject","store":"s","model":\#(model),"object":{"id":"x","entity":"E","values":{"t":"\#(text)"}}}"#
    )
    #expect(error == ["kind": "tooLarge", "limit": 67_108_864])
  }

  @Test func theEntityIsNamed() throws {
    let outcome = try perform(
      #"{"op":"decodeObject","store":"s","model":{"entities":{}},"id":"x","body":{"CDTISEntityName":"E"}}"#
    )
    #expect(outcome["error"]?.objectValue?["name"] == "E")
  }

  /// No double equals 2^64 - 1 or has its digits.
  @Test func anImageOfNoDoubleWasNotRounded() throws {
    let outcome = try decode(#""d":1,"CDTISMeta_d":{"ieee754_double":18446744073709551615}"#)
    #expect(outcome["ok"]?.objectValue?["warnings"] == nil)
  }

  @Test func versionsEnd() throws {
    #expect(try decode(#""CDTISObjectVersion":9007199254740992"#)["ok"] != nil)
    #expect(try decode(#""CDTISObjectVersion":9007199254740993"#)["error"] != nil)
    try open()
    try create(#""CDTISObjectVersion":"9007199254740992""#, "{}")
    let update =
      #"{"op":"saveObjects","store":"s","updated":[{"id":"x","entity":"E","values":{"n":1}}]}"#
    #expect(
      try error(update)
        == ["kind": "badObject", "what": "badEnvelope", "name": "CDTISObjectVersion"])
  }

  @Test func attachmentsOfOthersStay() throws {
    try open()
    let two = #"{"n":{"data":"AAEC"},"p":{"data":"AAED"}}"#
    try create(#""n":1,"p":"p""#, two)
    _ = try perform(
      #"{"op":"saveObjects","store":"s","updated":[{"id":"x","entity":"E","values":{"n":2,"p":"AA=="}}]}"#
    )
    #expect(try attachments() == ["n"])
  }

  @Test func migrationsMoveContentAlone() throws {
    try open()
    try create(#""n":1,"p":"p""#, #"{"n":{"data":"AAEC"},"p":{"data":"AAED"}}"#)
    try open(
      #"{"entities":{"E":{"attributes":{"m":{"type":"int16","renamedFrom":"n"},"q":{"type":"binary","renamedFrom":"p"}}}}}"#
    )
    #expect(Set(try attachments()) == ["n", "q"])
    let loaded = try perform(#"{"op":"loadObject","store":"s","id":"x"}"#)["ok"]?.objectValue
    #expect(loaded?["object"]?.objectValue?["values"] == ["m": 1, "q": "AAED"])
  }

  @Test func whatIsWrongWithTheMetadataIsItsMember() throws {
    _ = try perform(#"{"op":"open","store":"s"}"#)
    _ = try perform(
      #"{"op":"create","store":"s","id":"CDTISMetaData","body":{"metaData":{},"objectModel":{"E":{}}}}"#
    )
    #expect(
      try error(#"{"op":"openObjects","store":"s","model":\#(Self.model)}"#)
        == ["kind": "badObject", "what": "badEnvelope", "name": "objectModel"])
  }
}
