import Datastore
import JSON
import Replication
import Testing

@testable import ReferenceDatastore

/// Attachments between two stores: transferred bytes, and the final state of the target.
struct AttachmentReplicationTests {
  /// Small chunks of small contents.
  private static let configuration: ReplicatorConfiguration = {
    var configuration = ReplicatorConfiguration()
    configuration.pieceBytes = 6
    return configuration
  }()

  private func data(_ name: JSONString, _ content: String) -> RevisionAttachment {
    RevisionAttachment(name, .data(Base64.encode(Array(content.utf8))), type: "text/plain")
  }

  @Test func largeAndSmallContentArrives() throws {
    var pair = Pair(inlineBytesMax: 8)
    let rev = try pair.create(
      "d", [data("none", ""), data("small", "12345678"), data("a/ü", "x")],
      large: "0123456789abcdefg")
    let watch = Watch(pair.right)
    let run = try pair.replicate(to: watch, Self.configuration)
    #expect(run.state == .complete)
    #expect(run.report.processed == 1)
    #expect(pair.right(.read(id: "d")) == pair.left(.read(id: "d")))
    #expect(pair.contents(of: pair.right, "d", rev) == pair.contents(of: pair.left, "d", rev))
    // One request for the stored length, then three chunks.
    #expect(watch.names == ["putBlob", "putBlob", "putBlob", "putBlob", "insertRevisions"])
  }

  @Test func whatTheTargetHasTravelsAsAStub() throws {
    var pair = Pair(inlineBytesMax: 64)
    let first = try pair.create("d", [data("a", "1"), data("b", "2")])
    _ = try pair.replicate()
    let second = try pair.write(
      .update(
        id: "d", rev: first, body: [:],
        attachments: [
          RevisionAttachment("a", .stub), data("b", "new"),
        ]))
    let watch = Watch(pair.right)
    #expect(try pair.replicate(to: watch, Self.configuration).state == .complete)
    let sent = watch.records.flatMap { $0.attachments }
    #expect(sent.map { $0.content == .stub } == [true, false])
    #expect(pair.contents(of: pair.right, "d", second) == ["a=1", "b=new"])
  }

  /// The target has removed the content between its response and the record.
  @Test func aMissingStubComesAgainWithEverything() throws {
    var pair = Pair(inlineBytesMax: 64)
    let first = try pair.create("d", [data("a", "1")])
    _ = try pair.replicate()
    let second = try pair.write(
      .update(id: "d", rev: first, body: [:], attachments: [RevisionAttachment("a", .stub)]))
    _ = try pair.create("e", [])
    let watch = Watch(pair.right)
    // Another client's edit and a compaction: the ancestor no longer has content.
    watch.before(
      "insertRevisions",
      [
        .insertRevisions([RevisionRecord(id: "d", path: ["2-other", first], body: [:])]), .compact,
      ])
    let run = try pair.replicate(to: watch, Self.configuration)
    #expect(run.state == .complete)
    #expect(run.report.processed == 2)
    #expect(run.report.failures.isEmpty)
    #expect(
      watch.records.filter { $0.id == "d" }.map { $0.attachments[0].content == .stub }
        == [true, false])
    #expect(pair.contents(of: pair.right, "d", second) == ["a=1"])
    #expect(pair.right(.read(id: "e")).result != nil)
  }

  /// A second rejection is a failure without a third attempt.
  @Test(arguments: [DatastoreError.Kind.missingStub, .badAttachment])
  func onceOnly(kind: DatastoreError.Kind) {
    var stage = Stage()
    stage.write(2)
    stage.attachment = RevisionAttachment("a", .stub, digest: "sha256-x", length: 1)
    let refused = DatastoreError(kind)
    stage.rule(.target, "insertRevisions", .ok(.inserted([refused, nil])))
    stage.rule(.target, "insertRevisions", .ok(.inserted([refused])))
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.report.failures.map { $0.id } == ["d1"])
    #expect(stage.report.processed == 2)
    #expect(stage.report.recorded == nil)
    #expect(
      stage.requests(.source, "getRevisions").last
        == .getRevisions([
          RevisionQuery(id: "d1", revs: ["1-a"], latest: true, attachmentsSince: [])
        ]))
    #expect(stage.count(.source, "getRevisions") == 2)
  }

  /// Servers of the family reject the complete request for one stub: the other records are not
  /// delayed.
  @Test func aBatchThatIsRefusedAsAWholeIsTakenApart() {
    var stage = Stage()
    stage.write(3)
    stage.attachment = RevisionAttachment("a", .stub, digest: "sha256-x", length: 1)
    stage.rule(.target, "insertRevisions", .refused(.missingStub))
    stage.rule(.target, "insertRevisions", .refused(.missingStub))
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.stored.map { $0.id } == ["d2", "d3", "d1"])
    #expect(stage.report.processed == 3)
    #expect(stage.report.recorded == .integer(3))
  }

  @Test func whoStopsBeginsNoSecondRound() {
    var stage = Stage()
    stage.write(1)
    stage.attachment = RevisionAttachment("a", .stub, digest: "sha256-x", length: 1)
    stage.rule(.target, "insertRevisions", .ok(.inserted([DatastoreError(.missingStub)])))
    stage.run(until: .target, "insertRevisions")
    stage.tell(.cancel)
    stage.run()
    #expect(stage.state == .stopped)
    #expect(stage.report.recorded == nil)
  }

  /// Content that is too long for the target is not sent in pieces after a stop, and a batch is not
  /// taken apart.
  @Test(arguments: [false, true]) func whoStopsSendsNothingElse(refusesBatch: Bool) {
    var stage = Stage()
    stage.write(2)
    stage.attachment = RevisionAttachment(
      "a", .data("AAAAAAAAAAAA"), digest: "sha256-x", length: 9)
    let error = DatastoreError(.tooLarge(limit: 4))
    stage.rule(
      .target, "insertRevisions", refusesBatch ? .refused(error) : .ok(.inserted([error, error])))
    stage.run(until: .target, "insertRevisions")
    stage.tell(.cancel)
    stage.run()
    #expect(stage.state == .stopped)
    #expect(stage.report.recorded == nil)
    #expect(stage.stored.isEmpty)
  }

  @Test func twoRecordsShareOneTransfer() throws {
    var pair = Pair(inlineBytesMax: 8)
    _ = try pair.create("d", [], large: "0123456789")
    _ = try pair.create("e", [], large: "0123456789")
    let watch = Watch(pair.right)
    let run = try pair.replicate(to: watch, Self.configuration)
    #expect(run.state == .complete)
    #expect(run.report.processed == 2)
    #expect(watch.names.count { $0 == "putBlob" } == 3)
    #expect(pair.right(.list()) == pair.left(.list()))
  }

  @Test(arguments: [true, false])
  func aTransferThatWasCutOffGoesOn(isPerformed: Bool) throws {
    var pair = Pair(inlineBytesMax: 8)
    let rev = try pair.create("d", [], large: "0123456789abcdefg")
    let local = LocalReplication(
      from: Peer(pair.left, store: "a"), to: Peer(pair.right, store: "a"))
    let cut = LocalReplication.Interruption(
      .target, "putBlob", nth: 3, event: .cutOff(isPerformed: isPerformed))
    #expect(
      try local.run(Self.configuration, interruption: cut, pair.environment).state == .started)
    #expect(pair.right(.read(id: "d")).errorKind == .notFound(.missing))
    let watch = Watch(pair.left)
    let again = LocalReplication(from: Peer(watch, store: "a"), to: Peer(pair.right, store: "a"))
    #expect(try again.run(Self.configuration, pair.environment).state == .complete)
    #expect(watch.offsets == (isPerformed ? [12] : [6, 12]))
    #expect(pair.contents(of: pair.right, "d", rev) == ["large=0123456789abcdefg"])
  }

  /// The content at the target is damaged: the transfer starts again, and no wrong bytes are
  /// visible.
  @Test func aDamagedTransferBeginsAnew() throws {
    var pair = Pair(inlineBytesMax: 8)
    let rev = try pair.create("d", [], large: "0123456789")
    let digest = ContentDigest.of(Array("0123456789".utf8))
    for (offset, bytes) in [(0, "012345"), (6, "6x89")] {
      pair.right(
        .putBlob(digest: digest, offset: Int64(offset), bytes: Base64.encode(Array(bytes.utf8))))
    }
    let watch = Watch(pair.left)
    let local = LocalReplication(from: Peer(watch, store: "a"), to: Peer(pair.right, store: "a"))
    let run = try local.run(Self.configuration, pair.environment)
    #expect(run.state == .complete)
    #expect(watch.offsets == [0, 6])
    #expect(pair.contents(of: pair.right, "d", rev) == ["large=0123456789"])
  }

  /// The source has removed the revision during the transfer of its content: the newer one replaces
  /// it.
  @Test func aNewerRevisionTakesThePlaceOfOneThatIsGone() throws {
    var pair = Pair(inlineBytesMax: 8)
    let rev = try pair.create("d", [], large: "0123456789")
    let watch = Watch(pair.left)
    watch.before("readAttachment", [.update(id: "d", rev: rev, body: ["n": 2]), .compact])
    let local = LocalReplication(from: Peer(watch, store: "a"), to: Peer(pair.right, store: "a"))
    let run = try local.run(Self.configuration, pair.environment)
    #expect(run.state == .complete)
    #expect(pair.right(.read(id: "d")) == pair.left(.read(id: "d")))
  }

  /// Inline content of a record of the source can be too large for the target.
  @Test func theTargetsLimitIsSmaller() throws {
    var pair = Pair(inlineBytesMax: 64, right: 8)
    let rev = try pair.create("d", [data("a", "0123456789"), data("b", "1")])
    let run = try pair.replicate(Self.configuration)
    #expect(run.state == .complete)
    #expect(run.report.processed == 1)
    #expect(pair.contents(of: pair.right, "d", rev) == ["a=0123456789", "b=1"])
  }

  /// A target without attachments stores the rest and reports the failures; no checkpoint covers
  /// them.
  @Test func theTargetHasNoAttachments() throws {
    var pair = Pair(inlineBytesMax: 8)
    _ = try pair.create("d", [data("a", "1")])
    _ = try pair.create("e", [])
    let watch = Watch(pair.right)
    watch.hasAttachments = false
    for _ in 0..<2 {
      let run = try pair.replicate(to: watch, Self.configuration)
      #expect(run.state == .error)
      #expect(run.report.failures.map { $0.id } == ["d"])
      #expect(run.report.failures[0].reason.string.contains("unsupported(attachment)"))
      #expect(run.report.recorded == nil)
      #expect(run.report.processed == run.report.total)
    }
    #expect(pair.right(.read(id: "e")).result != nil)
    #expect(pair.right(.read(id: "d")).errorKind == .notFound(.missing))
  }

  /// For a source that does not support attachment arguments, the request is repeated without them.
  @Test func theSourceHasNoAttachments() throws {
    var pair = Pair()
    _ = try pair.create("d", [])
    let watch = Watch(pair.left)
    watch.hasAttachments = false
    watch.hidesIt = true
    let local = LocalReplication(from: Peer(watch, store: "a"), to: Peer(pair.right, store: "a"))
    #expect(try local.run(Self.configuration, pair.environment).state == .complete)
    #expect(watch.names.filter { $0 == "getRevisions" }.count == 2)
    #expect(pair.right(.list()) == pair.left(.list()))
  }
}

/// A store that records its actions, and can be modified before one of them.
final class Watch: ImplementationUnderTest {
  private let store: ReferenceDatastore
  private var disturbance: (name: String, actions: [StoreAction])?
  var hasAttachments = true
  /// Whether the capability is hidden.
  var hidesIt = false
  private(set) var actions: [StoreAction] = []

  init(_ store: ReferenceDatastore) { self.store = store }

  /// Performs actions of another client before the next request of a kind.
  func before(_ name: String, _ actions: [StoreAction]) { disturbance = (name, actions) }

  private static let shown = ["getRevisions", "readAttachment", "putBlob", "insertRevisions"]

  var names: [String] { actions.map { $0.name }.filter { Self.shown.contains($0) } }

  var records: [RevisionRecord] {
    actions.flatMap { (action: StoreAction) -> [RevisionRecord] in
      if case .insertRevisions(let records) = action { records } else { [] }
    }
  }

  var offsets: [Int64] {
    actions.compactMap { (action: StoreAction) -> Int64? in
      if case .readAttachment(_, _, _, let offset, _) = action { offset } else { nil }
    }
  }

  var description: ImplementationDescription {
    var description = store.description
    if !hasAttachments, !hidesIt { description.capabilities.remove(.attachment) }
    return description
  }

  func reset() { store.reset() }
  func crash(_ kind: CrashKind) { store.crash(kind) }
  func shutdown() {}

  func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    if let disturbance, disturbance.name == operation.action.name {
      self.disturbance = nil
      for action in disturbance.actions {
        _ = store.perform(StoreOperation(operation.store, action), environment)
      }
    }
    actions.append(operation.action)
    guard hasAttachments || !operation.action.capabilities.contains(.attachment) else {
      return .error(DatastoreError(.unsupported(what: "attachment")))
    }
    return store.perform(operation, environment)
  }
}

extension Pair {
  /// Creates a document at the left with attachments; the large one is uploaded in chunks.
  mutating func create(
    _ id: DocumentID, _ attachments: [RevisionAttachment], large: String? = nil
  ) throws -> RevisionID {
    var all = attachments
    if let bytes = large.map({ Array($0.utf8) }) {
      let digest = ContentDigest.of(bytes)
      for start in stride(from: 0, to: bytes.count, by: 8) {
        left(
          .putBlob(
            digest: digest, offset: Int64(start),
            bytes: Base64.encode(bytes[start...].prefix(8))))
      }
      all.append(RevisionAttachment("large", .chunks, digest: digest))
    }
    return try write(
      all.isEmpty ? .create(id: id, body: [:]) : .create(id: id, body: [:], attachments: all))
  }

  mutating func write(_ action: StoreAction) throws -> RevisionID {
    guard case .ok(.written(_, let rev)) = left(action) else { throw NotWritten() }
    return rev
  }

  mutating func replicate(
    to target: any ImplementationUnderTest, _ configuration: ReplicatorConfiguration
  ) throws -> (state: ReplicatorState, report: ReplicationReport) {
    try LocalReplication(
      from: Peer(left, store: "a"), to: Peer(target, store: "a")
    ).run(configuration, environment)
  }

  /// Names and complete contents of the attachments of a revision.
  mutating func contents(
    of store: ReferenceDatastore, _ id: DocumentID, _ rev: RevisionID
  ) -> [String] {
    func ask(_ action: StoreAction) -> Outcome {
      store.perform(StoreOperation("a", action), environment)
    }
    guard case .ok(.document(let document)) = ask(.read(id: id, rev: rev)) else { return [] }
    return document.attachments.map { attachment in
      var bytes: [UInt8] = []
      while case .ok(.attachment(let piece)) = ask(
        .readAttachment(
          id: id, rev: rev, name: attachment.name, offset: Int64(bytes.count))),
        let more = Base64.decode(piece.bytes), !more.isEmpty
      {
        bytes += more
      }
      return "\(attachment.name)=\(String(decoding: bytes, as: UTF8.self))"
    }
  }
}

struct NotWritten: Error {}
