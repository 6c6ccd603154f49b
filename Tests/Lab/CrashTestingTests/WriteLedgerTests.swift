import Datastore
import JSON
import Oracles
import Testing

@testable import CrashTesting

/// The ledger's findings about a store, from the requests and results of clients.
@Suite struct WriteLedgerTests {
  /// The content of a store with these leaves.
  private func holdings(_ records: [RevisionRecord]) throws -> StoreHoldings {
    try StoreHoldings(ids: []) { action throws(HarnessError) in
      switch action {
      case .changes:
        .ok(
          .changes(
            ChangesPage(
              rows: records.map {
                ChangesRow(
                  seq: .integer(1), id: $0.id, deleted: $0.deleted,
                  leaves: [Leaf(rev: $0.path[0], deleted: $0.deleted)])
              }, last: .integer(1), more: false)))
      default:
        .ok(
          .revisions(
            records.map { RevisionAnswer(id: $0.id, rev: $0.path[0], found: .records([$0])) }))
      }
    }
  }

  private func kind(
    _ ledger: WriteLedger, _ records: RevisionRecord...
  ) throws -> CrashFinding.Kind? {
    ledger.check(try holdings(records))?.kind
  }

  private let first = RevisionRecord(id: "d", path: ["1-a"], body: ["n": 1])
  private let second = RevisionRecord(id: "d", path: ["2-b", "1-a"], body: ["n": 2])

  @Test func anAcknowledgedRevisionMustBeThere() throws {
    var ledger = WriteLedger()
    ledger.note(.create(id: "d", body: ["n": 1]), .written(id: "d", rev: "1-a"))
    #expect(try kind(ledger, first) == nil)
    #expect(try kind(ledger) == .lost)
    #expect(try kind(ledger, RevisionRecord(id: "d", path: ["1-a"], body: ["n": 2])) == .lost)
    #expect(
      try kind(ledger, RevisionRecord(id: "d", path: ["1-a"], deleted: true, body: ["n": 1]))
        == .lost)
    // A descendant that no client wrote.
    #expect(try kind(ledger, second) == .stranger)
  }

  @Test func anAttemptMayBeThereAsItWasSaid() throws {
    var ledger = WriteLedger()
    ledger.note(.create(id: "d", body: ["n": 1]), .written(id: "d", rev: "1-a"))
    ledger.note(.update(id: "d", rev: "1-a", body: ["n": 2]), nil)
    #expect(try kind(ledger, first) == nil)
    #expect(try kind(ledger, second) == nil)
    #expect(
      try kind(ledger, RevisionRecord(id: "d", path: ["2-b", "1-a"], body: ["n": 3])) == .stranger)
  }

  @Test func recordsBringTheirAncestors() throws {
    var ledger = WriteLedger()
    ledger.note(.insertRevisions([second]), .inserted([nil]))
    #expect(try kind(ledger, second) == nil)
    #expect(
      try kind(ledger, RevisionRecord(id: "d", path: ["2-b", "1-x"], body: ["n": 2])) == .stranger)
    var refused = WriteLedger()
    refused.note(.insertRevisions([second]), .inserted([DatastoreError(.forbidden)]))
    #expect(try kind(refused) == nil)
    #expect(try kind(refused, second) == .stranger)
  }

  @Test func attachmentsAreTheBytesThatWereSaid() throws {
    let (right, wrong) = (Content(Array("right".utf8)), Content(Array("wrong".utf8)))
    func data(_ content: Content) -> RevisionAttachment {
      RevisionAttachment("x", .data(content.base64(content.bytes.indices)))
    }
    var ledger = WriteLedger()
    ledger.note(
      .create(id: "d", body: ["n": 1], attachments: [data(right)]), .written(id: "d", rev: "1-a"))
    var record = first
    #expect(try kind(ledger, record) == .lost)
    record.attachments = [data(wrong)]
    #expect(try kind(ledger, record) == .lost)
    record.attachments = [data(right)]
    #expect(try kind(ledger, record) == nil)
  }

  @Test func whatMayBeForgotten() throws {
    var ledger = WriteLedger()
    ledger.note(.insertRevisions([first]), .inserted([nil]))
    var purged = ledger
    purged.note(.purge(id: "d", revs: ["1-a"]), nil)
    #expect(try kind(purged) == nil)
    #expect(try kind(purged, first) == nil)
    var doubtful = ledger
    doubtful.note(.destroy, nil)
    #expect(try kind(doubtful) == nil)
    #expect(try kind(doubtful, first) == nil)
    ledger.note(.destroy, .done)
    #expect(try kind(ledger) == nil)
    #expect(try kind(ledger, first) == .stranger)
  }

  @Test func localDocuments() {
    var ledger = WriteLedger()
    ledger.note(.writeLocal(id: "l", body: ["n": 1]), .done)
    #expect(ledger.check(local: "l", ["n": 1]) == nil)
    #expect(ledger.check(local: "l", nil)?.kind == .lost)
    #expect(ledger.check(local: "l", ["n": 2])?.kind == .lost)
    ledger.note(.writeLocal(id: "l", body: nil), nil)
    #expect(ledger.check(local: "l", nil) == nil)
    #expect(ledger.check(local: "l", ["n": 1]) == nil)
    #expect(ledger.check(local: "l", ["n": 2])?.kind == .stranger)
  }

  @Test func writesOfABatchStandForThemselves() throws {
    var ledger = WriteLedger()
    ledger.note(
      .batch([.create(id: "d", body: ["n": 1]), .writeLocal(id: "l", body: [:])]),
      .batch([.written(id: "d", rev: "1-a"), .done]))
    #expect(try kind(ledger, first) == nil)
    #expect(try kind(ledger) == .lost)
    #expect(ledger.check(local: "l", nil)?.kind == .lost)
  }
}
