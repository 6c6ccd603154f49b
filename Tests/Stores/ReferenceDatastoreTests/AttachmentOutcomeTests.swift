import Datastore
import JSON
import Testing

@testable import ReferenceDatastore

/// Alternatives that the clauses permit for attachments: each is admitted and then binding.
struct AttachmentOutcomeTests {
  private func violates(
    _ history: [(StoreAction, Outcome)], strictness: OutcomeChecker.Strictness = .contract
  ) -> Int? {
    var checker = OutcomeChecker(profiles: [], strictness: strictness)
    return ([(.open(), .ok(.done))] + history).firstIndex { action, outcome in
      checker.admit(StoreOperation("a", action), outcome) != .admitted
    }.map { $0 - 1 }
  }

  private func error(_ kind: DatastoreError.Kind) -> Outcome { .error(DatastoreError(kind)) }

  private let created: (StoreAction, Outcome) = (
    .create(id: "d", body: [:], attachments: [data("a", "1")]),
    .ok(.written(id: "d", rev: "1-x"))
  )

  private func shown(_ attachments: [RevisionAttachment], rev: RevisionID) -> (StoreAction, Outcome)
  {
    (
      .read(id: "d"),
      .ok(.document(DocumentRevision(id: "d", rev: rev, body: [:], attachments: attachments)))
    )
  }

  private func held(_ name: JSONString, revpos: Int64) -> RevisionAttachment {
    RevisionAttachment(
      name, .stub, type: "text/plain", digest: digest("1"), length: 1, revpos: revpos)
  }

  /// ATT-017: claims of a stub other than name and digest may be checked or ignored.
  @Test func claimsOfStubs() {
    let claim = RevisionAttachment("a", .stub, revpos: 7)
    let update = StoreAction.update(id: "d", rev: "1-x", body: [:], attachments: [claim])
    #expect(
      violates([created, (update, error(.missingStub)), shown([held("a", revpos: 1)], rev: "1-x")])
        == nil)
    let taken: [(StoreAction, Outcome)] = [created, (update, .ok(.written(id: "d", rev: "2-y")))]
    #expect(violates(taken + [shown([held("a", revpos: 1)], rev: "2-y")]) == nil)
    #expect(violates(taken + [shown([held("a", revpos: 7)], rev: "2-y")]) == 2)
    #expect(violates(taken, strictness: .model) == 0)
    #expect(violates([created, (update, error(.badAttachment))]) == 1)
  }

  /// ATT-008: the digest is checked.
  @Test func digestsOfStubs() {
    let claim = RevisionAttachment("a", .stub, digest: digest("2"))
    let update = StoreAction.update(id: "d", rev: "1-x", body: [:], attachments: [claim])
    #expect(violates([created, (update, error(.missingStub))]) == nil)
    #expect(violates([created, (update, .ok(.written(id: "d", rev: "2-y")))]) == 1)
  }

  /// ATT-018: an empty name is either rejected or kept.
  @Test func emptyNames() {
    let create = StoreAction.create(id: "d", body: [:], attachments: [data("", "1")])
    #expect(violates([(create, error(.badAttachment))]) == nil)
    let taken: [(StoreAction, Outcome)] = [(create, .ok(.written(id: "d", rev: "1-x")))]
    #expect(violates(taken + [shown([held("", revpos: 1)], rev: "1-x")]) == nil)
    #expect(violates(taken + [shown([], rev: "1-x")]) == 1)
    #expect(violates([(create, error(.missingStub))]) == 0)
  }

  /// ATT-041, ATT-033: unused content may be kept, and partial uploads may be removed, but neither
  /// reappears.
  @Test func contentOfNobody() {
    let copy = StoreAction.create(
      id: "e", body: [:], attachments: [RevisionAttachment("a", .chunks, digest: digest("1"))])
    let gone: [(StoreAction, Outcome)] = [
      created, (.delete(id: "d", rev: "1-x"), .ok(.written(id: "d", rev: "2-y"))),
      (.compact, .ok(.done)),
    ]
    #expect(violates(gone + [(copy, error(.missingStub))]) == nil)
    #expect(violates(gone + [(copy, .ok(.written(id: "e", rev: "1-z")))]) == nil)
    #expect(
      violates(gone + [(copy, error(.missingStub)), (copy, .ok(.written(id: "e", rev: "1-z")))])
        == 4)
    func put(_ offset: Int64, _ bytes: JSONString, _ held: Int64) -> (StoreAction, Outcome) {
      (.putBlob(digest: digest("abcdef"), offset: offset, bytes: bytes), .ok(.held(held)))
    }
    let opened: [(StoreAction, Outcome)] = [
      put(0, "YWJj", 3), (.close, .ok(.done)), (.open(), .ok(.done)),
    ]
    #expect(violates(opened + [put(0, "", 3)]) == nil)
    #expect(violates(opened + [put(0, "", 0)]) == nil)
    #expect(violates(opened + [put(0, "", 2)]) == 3)
    #expect(violates(opened + [put(0, "", 0), put(0, "", 3)]) == 4)
  }

  /// Two errors in one call: a missing stub and a body that the validation rejects.
  @Test(arguments: [DatastoreError.Kind.missingStub, .forbidden])
  func eitherFault(kind: DatastoreError.Kind) {
    let refuse: (StoreAction, Outcome) = (.setValidation(refuse: .live), .ok(.done))
    let create = StoreAction.create(id: "d", body: [:], attachments: [stub("a")])
    #expect(violates([refuse, (create, error(kind))]) == nil)
    #expect(violates([refuse, (create, error(.badBody))]) == 1)
    let record = RevisionRecord(id: "d", path: ["2-b", "1-a"], body: [:], attachments: [stub("a")])
    let result = Outcome.ok(.inserted([DatastoreError(kind)]))
    #expect(violates([refuse, (.insertRevisions([record]), result)]) == nil)
  }
}
