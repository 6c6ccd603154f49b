import Datastore
import JSON
import Testing

@testable import Adapters

/// protocol.md, hello: restrictions, in the third version of the list of capabilities.
@Suite struct RestrictionDeclarationTests {
  private func read(_ members: String) throws -> ImplementationDescription {
    try AdapterGreeting(
      try JSONValue.parse(#"{"protocol":1,"name":"s","version":"1",\#(members)}"#)
    ).description
  }

  @Test func anAdapterDeclaresRestrictions() throws {
    let description = try read(
      #""capabilitiesVersion":3,"capabilities":["find","attachment"],"#
        + #""restrictions":["findWithoutSort","ownDigests","changesFromStart"]"#)
    #expect(description.restrictions == [.findWithoutSort, .ownDigests, .changesFromStart])
    // As in version 2, each capability is listed.
    #expect(description.capabilities == [.find, .attachment])
  }

  /// Adapters without the member keep their meaning.
  @Test(arguments: [1, 2, 3]) func anAdapterWithoutRestrictions(version: Int) throws {
    let description = try read(#""capabilitiesVersion":\#(version),"capabilities":["attachment"]"#)
    #expect(description.restrictions == [])
    #expect(description.capabilities.contains(.attachmentPieces) == (version == 1))
  }

  @Test(arguments: [
    (
      #""capabilitiesVersion":3,"restrictions":["noSort"]"#,
      "ok.restrictions[0]: 'noSort' is not one of checkpointsOnOneSide, changesFromStart, "
        + "findWithoutSort, historyLimitAtCreation, ownDigests, purgeMovesNoRow"
    ),
    (
      #""restrictions":["changesFromStart"]"#,
      #"ok.restrictions: restrictions need "capabilitiesVersion": 3"#
    ),
    (
      #""capabilitiesVersion":2,"restrictions":["changesFromStart"]"#,
      #"ok.restrictions: restrictions need "capabilitiesVersion": 3"#
    ),
    (
      #""capabilitiesVersion":3,"restrictions":["findWithoutSort"]"#,
      "ok.restrictions: 'findWithoutSort' needs the capability 'find'"
    ),
    (
      #""capabilitiesVersion":3,"capabilities":["attachment","attachmentPieces"],"#
        + #""restrictions":["ownDigests"]"#,
      "ok.restrictions: 'ownDigests' excludes the capability 'attachmentPieces'"
    ),
  ])
  func aDeclarationIsRejected(members: String, says: String) throws {
    let error = try #require(throws: DecodingFailure.self) { try read(members) }
    #expect("\(error)" == says)
  }

  /// A served implementation uses the third version only if it has restrictions.
  @Test(
    arguments: [[], [.changesFromStart], [.changesFromStart, .findWithoutSort]]
      as [Set<Restriction>])
  func aServedImplementationIsReadBack(restrictions: Set<Restriction>) throws {
    let description = ImplementationDescription(
      name: "n", version: "1",
      capabilities: [.find, .attachment, .attachmentEncoding, .attachmentPieces],
      restrictions: restrictions)
    let answer = AdapterGreeting.answer(description, canPipeline: false)
    let readBack = try AdapterGreeting(answer).description
    #expect(readBack.restrictions == restrictions)
    #expect(readBack.capabilities == description.capabilities)
    #expect(answer.objectValue?["capabilitiesVersion"] == (restrictions.isEmpty ? nil : 3))
  }
}
