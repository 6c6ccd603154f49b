import Datastore
import JSON
import Replication
import Testing

@testable import ReferenceDatastore

/// Replication with stores that offer only a part of the capabilities of attachments.
@Suite struct AttachmentPartsReplicationTests {
  private static let gzip = RevisionAttachment(
    "z", .data("H4sIAAAAAAAAA8tIzcnJV0ivyiwAABlq0t8KAAAA"), type: "text/plain", encoding: "gzip")

  private func data(_ name: JSONString, _ content: String) -> RevisionAttachment {
    RevisionAttachment(name, .data(Base64.encode(Array(content.utf8))), type: "text/plain")
  }

  private func replicate(
    _ pair: Pair, from source: (any ImplementationUnderTest)? = nil,
    to target: (any ImplementationUnderTest)? = nil
  ) throws -> (state: ReplicatorState, report: ReplicationReport) {
    try LocalReplication(
      from: Peer(source ?? pair.left, store: "a"), to: Peer(target ?? pair.right, store: "a")
    ).run(ReplicatorConfiguration(), pair.environment)
  }

  @Test func inlineContentAndStubsNeedNoPieces() throws {
    var pair = Pair(inlineBytesMax: 64)
    let first = try pair.create("d", [data("a", "1"), data("b", "0123456789")])
    let target = PartialStore(pair.right, without: [.attachmentEncoding, .attachmentPieces])
    #expect(try replicate(pair, to: target).state == .complete)
    let second = try pair.write(
      .update(
        id: "d", rev: first, body: [:],
        attachments: [RevisionAttachment("a", .stub), data("b", "new")]))
    let source = PartialStore(pair.left, without: [.attachmentEncoding, .attachmentPieces])
    #expect(try replicate(pair, from: source, to: target).state == .complete)
    #expect(pair.contents(of: pair.right, "d", second) == ["a=1", "b=new"])
    #expect(source.refused + target.refused == [])
    #expect(!(source.names + target.names).contains { $0 == "putBlob" || $0 == "readAttachment" })
  }

  /// Longer content cannot be sent: the failure says why, and other records are stored.
  @Test func longContentIsNeverSentInPieces() throws {
    for isSource in [false, true] {
      var pair = Pair(inlineBytesMax: 8)
      _ = try pair.create("d", [], large: "0123456789abcdefg")
      _ = try pair.create("e", [data("a", "1")])
      let partial = PartialStore(
        isSource ? pair.left : pair.right, without: [.attachmentPieces])
      let run = try replicate(
        pair, from: isSource ? partial : nil, to: isSource ? nil : partial)
      #expect(run.state == .error)
      #expect(run.report.failures.map { $0.id } == ["d"])
      #expect(run.report.failures[0].reason.string.contains("no capability attachmentPieces"))
      #expect(run.report.processed == run.report.total)
      #expect(partial.refused == [])
      #expect(pair.right(.read(id: "e")) == pair.left(.read(id: "e")))
    }
  }

  /// The smaller limit of a target without pieces.
  @Test func aSmallerLimitIsAFailure() throws {
    var pair = Pair(inlineBytesMax: 64, right: 8)
    _ = try pair.create("d", [data("a", "0123456789")])
    let target = PartialStore(pair.right, without: [.attachmentPieces])
    let run = try replicate(pair, to: target)
    #expect(run.state == .error)
    #expect(run.report.failures.map { $0.id } == ["d"])
    #expect(run.report.failures[0].reason.string.contains("no capability attachmentPieces"))
    #expect(target.refused == [])
  }

  /// A batch that is `unsupported` because of one encoding contains other records.
  @Test func encodedContentDelaysNoOtherRecord() throws {
    var pair = Pair(inlineBytesMax: 64)
    _ = try pair.create("d", [Self.gzip])
    _ = try pair.create("e", [data("a", "1")])
    _ = try pair.create("f", [])
    let target = PartialStore(pair.right, without: [.attachmentEncoding])
    let run = try replicate(pair, to: target)
    #expect(run.state == .error)
    #expect(run.report.failures.map { $0.id } == ["d"])
    #expect(run.report.failures[0].reason.string.contains("unsupported"))
    #expect(run.report.processed == run.report.total)
    for id in ["e", "f"] as [DocumentID] {
      #expect(pair.right(.read(id: id)) == pair.left(.read(id: id)))
    }
    #expect(pair.right(.read(id: "d")).errorKind == .notFound(.missing))
  }
}

/// A store that rejects the operations of some capabilities as `unsupported`.
private final class PartialStore: ImplementationUnderTest {
  private let store: ReferenceDatastore
  private let lacking: Set<Capability>
  private(set) var names: [String] = []
  /// The names of the rejected operations.
  private(set) var refused: [String] = []

  init(_ store: ReferenceDatastore, without lacking: Set<Capability>) {
    self.store = store
    self.lacking = lacking
  }

  var description: ImplementationDescription {
    var description = store.description
    description.capabilities.subtract(lacking)
    return description
  }

  func reset() { store.reset() }
  func crash(_ kind: CrashKind) { store.crash(kind) }
  func shutdown() {}

  func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    names.append(operation.action.name)
    guard operation.action.capabilities.isDisjoint(with: lacking) else {
      refused.append(operation.action.name)
      return .error(DatastoreError(.unsupported(what: operation.action.name)))
    }
    return store.perform(operation, environment)
  }
}
