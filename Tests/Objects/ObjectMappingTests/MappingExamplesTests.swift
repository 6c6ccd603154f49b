import Datastore
import JSON
import ObjectMapping
import Testing

/// Examples of every type: the stored members, and the decoded value.
struct MappingExamplesTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let type: AttributeType
    /// The value; nil for nil.
    let value: AttributeValue?
    /// The members of the document for the attribute `p`.
    let members: String

    init(_ type: AttributeType, _ value: AttributeValue?, _ members: String) {
      (self.type, self.value, self.members) = (type, value, members)
    }

    var testDescription: String { "\(type.rawValue) \(members)" }
  }

  static func mapping(
    _ attribute: AttributeDescription, form: DocumentMapping.Form = .documented,
    trustsNumbers: Bool = false
  ) throws -> DocumentMapping {
    DocumentMapping(
      try ManagedObjectModel([EntityDescription("E", attributes: [attribute])]), form: form,
      trustsNumbers: trustsNumbers)
  }

  static func decode(
    _ members: String, as type: AttributeType, trustsNumbers: Bool = false
  ) throws -> (value: AttributeValue?, warnings: [MappingWarning]) {
    let mapping = try mapping(AttributeDescription("p", type), trustsNumbers: trustsNumbers)
    var body = try #require(try JSONValue.parse(members).objectValue)
    body["CDTISEntityName"] = "E"
    let (object, warnings) = try mapping.decode(EntityDocument(body: body), id: "x")
    guard case .attribute(let value)? = object.properties["p"] else { return (nil, warnings) }
    return (value, warnings)
  }

  static let examples: [Example] = [
    Example(.utf8, .text("h\u{e9}\0\u{1f600}"), #"{"p":"h\u00e9\u0000\ud83d\ude00"}"#),
    Example(.utf8, .text(""), #"{"p":""}"#),
    Example(.utf8, nil, "{}"),
    Example(.bool, .bool(true), #"{"p":1}"#),
    Example(.bool, .bool(false), #"{"p":0}"#),
    Example(.int16, .integer(-32768), #"{"p":-32768}"#),
    Example(.int64, .integer(.min), #"{"p":-9223372036854775808}"#),
    Example(.int64, .integer(.max), #"{"p":9223372036854775807}"#),
    Example(
      .double, .double(1.5), #"{"p":1.5,"CDTISMeta_p":{"ieee754_double":4609434218613702656}}"#),
    Example(
      .double, .double(-0.0), #"{"p":-0.0,"CDTISMeta_p":{"ieee754_double":9223372036854775808}}"#),
    Example(
      .double, .double(.leastNonzeroMagnitude), #"{"p":5e-324,"CDTISMeta_p":{"ieee754_double":1}}"#),
    Example(
      .double, .double(.greatestFiniteMagnitude),
      #"{"p":1.7976931348623157e308,"CDTISMeta_p":{"ieee754_double":9218868437227405311}}"#),
    Example(
      .double, .double(.infinity),
      #"""
      {"p":1.7976931348623157e308,
       "CDTISMeta_p":{"nonFinite":"infinity","ieee754_double":9218868437227405312}}
      """#),
    Example(
      .double, .double(-.infinity),
      #"""
      {"p":-1.7976931348623157e308,
       "CDTISMeta_p":{"nonFinite":"-infinity","ieee754_double":18442240474082181120}}
      """#),
    Example(
      .double, .double(.nan),
      #"{"p":null,"CDTISMeta_p":{"nonFinite":"nan","ieee754_double":9221120237041090560}}"#),
    Example(.float, .float(1.5), #"{"p":1.5,"CDTISMeta_p":{"ieee754_single":1069547520}}"#),
    Example(.float, .float(0.1), #"{"p":0.1,"CDTISMeta_p":{"ieee754_single":1036831949}}"#),
    Example(
      .float, .float(.greatestFiniteMagnitude),
      #"{"p":3.4028234663852886e38,"CDTISMeta_p":{"ieee754_single":2139095039}}"#),
    Example(
      .float, .float(.leastNormalMagnitude),
      #"{"p":1.1754944e-38,"CDTISMeta_p":{"ieee754_single":8388608}}"#),
    Example(
      .float, .float(.leastNonzeroMagnitude), #"{"p":1e-45,"CDTISMeta_p":{"ieee754_single":1}}"#),
    Example(.float, .float(-0.0), #"{"p":-0.0,"CDTISMeta_p":{"ieee754_single":2147483648}}"#),
    Example(
      .float, .float(.infinity),
      #"""
      {"p":3.4028234663852886e38,
       "CDTISMeta_p":{"nonFinite":"infinity","ieee754_single":2139095040}}
      """#),
    Example(
      .float, .float(-.infinity),
      #"""
      {"p":-3.4028234663852886e38,
       "CDTISMeta_p":{"nonFinite":"-infinity","ieee754_single":4286578688}}
      """#),
    Example(
      .float, .float(.nan),
      #"{"p":null,"CDTISMeta_p":{"nonFinite":"nan","ieee754_single":2143289344}}"#),
    decimal("1", "ACEAAAEAAAAAAAAAAAAAAAAAAAA="), decimal("-1", "ADEAAAEAAAAAAAAAAAAAAAAAAAA="),
    decimal("123.45", "/iEAADkwAAAAAAAAAAAAAAAAAAA="),
    decimal(String(repeating: "9", count: 38), "ACgAAP////8/IooJesSGWqhMO0s="),
    decimal(
      "-" + String(repeating: "9", count: 38) + String(repeating: "0", count: 127),
      "fzgAAP////8/IooJesSGWqhMO0s="),
    decimal(
      "0." + String(repeating: "0", count: 127) + "1", "gCEAAAEAAAAAAAAAAAAAAAAAAAA="),
    decimal("1" + String(repeating: "0", count: 127), "fyEAAAEAAAAAAAAAAAAAAAAAAAA="),
    decimal("1.5", "/yEAAA8AAAAAAAAAAAAAAAAAAAA="),
    Example(
      .decimal, .decimal(.nan),
      #"{"p":null,"CDTISMeta_p":{"nonFinite":"nan","nsdecimal":"ABAAAAAAAAAAAAAAAAAAAAAAAAA="}}"#),
    Example(.date1970, .date(0), #"{"p":0}"#),
    Example(.date1970, .date(978_307_200), #"{"p":978307200}"#),
    Example(.date1970, .date(-86_400.5), #"{"p":-86400.5}"#),
    Example(.date1970, .date(-62_135_596_800), #"{"p":-62135596800}"#),
    Example(.date1970, .date(1.0000001), #"{"p":1.0000001}"#),
    Example(
      .binary, .bytes([]), #"{"p":"","CDTISMeta_p":{"mime-type":"application/octet-stream"}}"#),
    Example(
      .binary, .bytes([0]),
      #"{"p":"AA==","CDTISMeta_p":{"mime-type":"application/octet-stream"}}"#),
    Example(
      .binary, .bytes(Array("hello".utf8)),
      #"{"p":"aGVsbG8=","CDTISMeta_p":{"mime-type":"application/octet-stream"}}"#),
    Example(.id, .identifier("x-coredata://S/E/p1"), #"{"p":"x-coredata://S/E/p1"}"#),
  ]

  static func decimal(_ text: String, _ image: String) -> Example {
    Example(
      .decimal, DecimalNumber(text: text.utf8).map { .decimal($0) },
      #"{"p":"\#(text)","CDTISMeta_p":{"nsdecimal":"\#(image)"}}"#)
  }

  @Test(arguments: examples) func isWritten(_ example: Example) throws {
    let mapping = try Self.mapping(AttributeDescription("p", example.type))
    var object = ManagedObject("x", of: "E")
    if let value = example.value { object.properties["p"] = .attribute(value) }
    let document = try mapping.encode(object)
    var expected = try #require(try JSONValue.parse(example.members).objectValue)
    expected["CDTISEntityName"] = "E"
    expected["CDTISObjectVersion"] = "1"
    let (found, wanted) = (JSONValue.object(document.body), JSONValue.object(expected))
    #expect(found.isSameValue(as: wanted), "\(found.serialized())")
    #expect(document.contents.isEmpty)
  }

  @Test(arguments: examples) func isRead(_ example: Example) throws {
    let (value, warnings) = try Self.decode(example.members, as: example.type)
    #expect(value == example.value)
    // A double represents -2^63, so the value may have been rounded.
    let isSuspect = example.value == .integer(.min)
    #expect(warnings.map { $0.kind } == (isSuspect ? [.integerMayBeRounded] : []))
  }

  /// The released form has the same content.
  @Test(arguments: examples) func comesBackFromTheReleasedForm(_ example: Example) throws {
    let mapping = try Self.mapping(AttributeDescription("p", example.type), form: .released)
    var object = ManagedObject("x", of: "E")
    if let value = example.value { object.properties["p"] = .attribute(value) }
    let document = try mapping.encode(object)
    #expect(document.contents.isEmpty == (example.type != .binary || example.value == nil))
    #expect(try mapping.decode(document, id: "x").object == object)
  }

  /// Objects are displayed as JSON in test failures and in a debugger.
  @Test func objectsPrintAsJSON() {
    let object = ManagedObject(
      "o", of: "Dish",
      [
        "name": .attribute(.text("Stew")), "guests": .toMany(["a", "b"]), "cook": .none,
        "image": .attribute(.bytes([1, 2])),
      ],
      identifier: "x-coredata://1", version: 2)
    let properties = #"{"cook":null,"guests":["a","b"],"image":"AQI=","name":"Stew"}"#
    #expect(
      "\(object)"
        == #"{"id":"o","entity":"Dish","version":2,"identifier":"x-coredata://1","properties":"#
        + properties + "}")
  }
}
