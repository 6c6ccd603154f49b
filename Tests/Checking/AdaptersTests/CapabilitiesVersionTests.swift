import Datastore
import JSON
import Testing

@testable import Adapters

/// protocol.md, hello: both forms of the list of capabilities.
@Suite struct CapabilitiesVersionTests {
  private static let all: Set<Capability> = [.attachment, .attachmentEncoding, .attachmentPieces]

  /// An adapter in shell that declares these members.
  private func start(_ members: String) throws -> AdapterImplementation {
    let command = """
      while IFS= read -r line; do
        id=${line#*'"id":'}; id=${id%%,*}
        case $line in
        *'"hello"'*)
          printf '{"id":0,"ok":{"protocol":1,"name":"s","version":"1",%s}}\\n' '\(members)';;
        *) printf '{"id":%s,"ok":{}}\\n' "$id";;
        esac
      done
      """
    return try AdapterImplementation(.command(command), runner: "tests")
  }

  static let declarations: [(String, Set<Capability>)] = [
    (#""capabilities":["attachment"]"#, all),
    (#""capabilities":["attachment"],"capabilitiesVersion":1"#, all),
    (#""capabilities":["attachment"],"capabilitiesVersion":2"#, [.attachment]),
    (
      #""capabilities":["attachment","attachmentEncoding"],"capabilitiesVersion":2"#,
      [.attachment, .attachmentEncoding]
    ),
    (
      #""capabilities":["attachment","attachmentEncoding","attachmentPieces"],"#
        + #""capabilitiesVersion":2"#,
      all
    ),
  ]

  @Test(arguments: declarations)
  func anAdapterDeclares(members: String, capabilities: Set<Capability>) throws {
    let implementation = try start(members)
    #expect(implementation.description.capabilities == capabilities)
    implementation.kill()
  }

  @Test(arguments: [
    (#""capabilities":["attachment","attachmentPieces"]"#, "needs \"capabilitiesVersion\": 2"),
    (#""capabilities":["attachmentPieces"],"capabilitiesVersion":2"#, "needs 'attachment'"),
    (#""capabilitiesVersion":4"#, "ok.capabilitiesVersion: expected version 1, 2 or 3, found 4"),
  ])
  func aStartFails(members: String, says: String) throws {
    let error = try #require(throws: HarnessError.self) { try start(members) }
    #expect(error.message.contains(says), "\(error.message)")
  }

  /// A served implementation declares the first form unless it offers only a part.
  @Test(
    arguments: [[], [.attachment], [.attachment, .attachmentPieces], all] as [Set<Capability>])
  func aServedImplementationIsReadBack(capabilities: Set<Capability>) throws {
    let description = ImplementationDescription(
      name: "n", version: "1", capabilities: capabilities)
    let answer = AdapterGreeting.answer(description, canPipeline: false)
    #expect(try AdapterGreeting(answer).description.capabilities == capabilities)
    let isPart = !capabilities.isEmpty && capabilities != Self.all
    #expect(answer.objectValue?["capabilitiesVersion"] == (isPart ? 2 : nil))
  }
}
