import JSON
import ObjectMapping
import Testing

/// Version hashes depend on stored properties only.
struct VersionHashTests {
  static func hash(_ model: String) throws -> JSONString {
    let json = try JSONValue.parse(#"{"entities":{"E":"# + model + "}}")
    return try #require(try ManagedObjectModel(json)["E"]).versionHash
  }

  static let plain =
    #"{"attributes":{"a":{"type":"utf8"}},"relationships":{"r":{"destination":"E","many":true}}}"#

  /// The digest as described, computed independently.
  @Test func isTheDescribedDigest() throws {
    #expect(
      try Self.hash(Self.plain)
        == "df1b411c810c6433b7cc488367bc609902424669f27d2904a75fdd9548e52727")
    #expect(
      try Self.hash(#"{"attributes":{"x":{"type":"xform","optional":false,"transformer":"T"}}}"#)
        == "503135265b57fdd063300dfdc9e21516a8cce1ff195639ebb09e0b1b4f80f72c")
  }

  @Test(arguments: [
    #"{"attributes":{"a":{"type":"utf8","default":"x","minLength":1,"pattern":"x+"}},"relationships":{"r":{"destination":"E","many":true}}}"#,
    #"{"attributes":{"a":{"type":"utf8"}},"relationships":{"r":{"destination":"E","many":true,"delete":"cascade","minCount":1,"maxCount":4}}}"#,
    #"{"attributes":{"t":{"type":"int16","transient":true},"a":{"type":"utf8"}},"relationships":{"r":{"destination":"E","many":true}}}"#,
    #"{"renamedFrom":"F","attributes":{"a":{"type":"utf8","renamedFrom":"b"}},"relationships":{"r":{"destination":"E","many":true}}}"#,
  ])
  func staysWhenStoredObjectsFit(_ model: String) throws {
    #expect(try Self.hash(model) == Self.hash(Self.plain))
  }

  @Test(arguments: [
    #"{"attributes":{"b":{"type":"utf8"}},"relationships":{"r":{"destination":"E","many":true}}}"#,
    #"{"attributes":{"a":{"type":"id"}},"relationships":{"r":{"destination":"E","many":true}}}"#,
    #"{"attributes":{"a":{"type":"utf8","optional":false}},"relationships":{"r":{"destination":"E","many":true}}}"#,
    #"{"attributes":{"a":{"type":"utf8"}},"relationships":{"r":{"destination":"E"}}}"#,
    #"{"attributes":{"a":{"type":"utf8"}},"relationships":{"r":{"destination":"E","many":true,"inverse":"r"}}}"#,
    #"{"attributes":{"a":{"type":"utf8","transient":true}},"relationships":{"r":{"destination":"E","many":true}}}"#,
  ])
  func changesWithWhatIsStored(_ model: String) throws {
    #expect(try Self.hash(model) != Self.hash(Self.plain))
  }
}
