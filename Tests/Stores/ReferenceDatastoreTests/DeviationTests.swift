import Datastore
import JSON
import ReferenceDatastore
import Testing

struct DeviationTests {
  static let all = Deviation.all.map(\.id)

  @Test func idsAreWellFormedAndUnique() {
    #expect(Set(Self.all).count == Self.all.count)
    #expect(Self.all.count >= 30)
    for id in Self.all {
      #expect(id.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 })
    }
    for deviation in Deviation.all {
      #expect(!deviation.clauses.isEmpty && !deviation.products.isEmpty, "\(deviation.id)")
      #expect(deviation.sentence.utf8.last == UInt8(ascii: "."), "\(deviation.id)")
    }
  }

  /// CDTDatastore was never run.
  @Test func evidenceIsNotOverstated() {
    for deviation in Deviation.all {
      for observation in deviation.products where observation.product == "CDTDatastore" {
        #expect(observation.evidence == .read, "\(deviation.id)")
      }
    }
  }

  private func transcript(
    _ operations: [(StoreAction, Outcome)], profiles: Set<Profile> = [],
    collation: CollationName = .bytes
  ) -> Transcript {
    var store = ImplementationDescription(name: "s", version: "1", profiles: profiles)
    store.defaults.collation = collation
    let all = [(StoreAction.open(), Outcome.ok(.done))] + operations
    return Transcript(
      all.map { Transcript.Exchange(StoreOperation("a", $0.0), $0.1) }, of: store)
  }

  private func insert(_ path: RevisionID..., deleted: Bool = false) -> (StoreAction, Outcome) {
    let record = RevisionRecord(id: "d", path: path, deleted: deleted, body: [:])
    return (.insertRevisions([record]), .ok(.inserted([nil])))
  }

  private func missing(_ asked: RevisionID..., reported: [RevisionID]) -> (StoreAction, Outcome) {
    let answer = reported.map { Difference(id: "d", missing: [$0], possibleAncestors: []) }
    return (.revsDiff([RevisionQuery(id: "d", revs: asked)]), .ok(.revsDiff(answer)))
  }

  private let stubs = Deviation.named(["stubs-are-missing"])

  @Test func aDeviationExplainsExactlyItsOutcome() {
    let history = insert("2-b", "1-a")
    let right = transcript([history, missing("1-a", "2-b", reported: [])])
    #expect(right.explanation(by: stubs)?.isEmpty == true)
    let deviating = transcript([history, missing("1-a", "2-b", reported: ["1-a"])])
    #expect(deviating.explanation(by: stubs)?.map(\.id) == ["stubs-are-missing"])
    #expect(deviating.explanation(by: []) == nil)
    // Another outcome of the same operation is no part of the deviation.
    let wrong = transcript([history, missing("1-a", "2-b", reported: ["2-b"])])
    #expect(wrong.explanation(by: stubs) == nil)
    #expect(wrong.explanation(by: Deviation.all) == nil)
  }

  /// A store with a declared deviation must have it everywhere.
  @Test func aDeviationThatComesAndGoesIsNotExplained() {
    let history = insert("2-b", "1-a")
    let both = transcript([
      history, missing("1-a", reported: ["1-a"]), missing("1-a", reported: []),
    ])
    #expect(both.explanation(by: stubs) == nil)
  }

  /// Whether CouchDB accepts the edit depends on state that no answer shows.
  @Test func aConditionalDeviationMayComeAndGo() {
    let declared = Deviation.named(["edit-of-unknown-document-accepted"])
    let accepted = (
      StoreAction.update(id: "d", rev: "1-a", body: [:]),
      Outcome.ok(.written(id: "d", rev: "2-b"))
    )
    let rejected = (
      StoreAction.update(id: "e", rev: "1-a", body: [:]),
      Outcome.error(DatastoreError(.conflict))
    )
    let leaves = (StoreAction.leaves(id: "d"), Outcome.ok(.leaves([Leaf(rev: "2-b")])))
    let stub = (
      StoreAction.read(id: "d", rev: "1-a"),
      Outcome.error(DatastoreError(.notFound(.bodyMissing)))
    )
    for order in [[accepted, rejected], [rejected, accepted]] {
      let history = transcript(order + [leaves, stub])
      #expect(history.explanation(by: declared)?.count == 1)
    }
    // The accepted edit is in the state: a store that forgets it is not explained.
    let forgotten = (
      StoreAction.leaves(id: "d"), Outcome.error(DatastoreError(.notFound(.missing)))
    )
    #expect(transcript([accepted, forgotten]).explanation(by: declared) == nil)
  }

  @Test func theSmallestSetIsFound() {
    let history = transcript([
      insert("2-b", "1-a"), missing("1-a", reported: ["1-a"]),
      (.delete(id: "e", rev: "1-a"), .error(DatastoreError(.notFound(.deleted)))),
    ])
    let found = history.explanations(among: Deviation.all).map { $0.map(\.id) }
    #expect(found == [["delete-of-unknown-document-is-deleted", "stubs-are-missing"]])
    let others = Deviation.all.filter { $0.id != "stubs-are-missing" }
    #expect(history.explanations(among: others).isEmpty)
  }

  private let failing = StoreOperation("a", .historyLimit(0))

  @Test func aMissingResponseIsExplained() {
    let declared = Deviation.named(["history-limit-0-fails"])
    var ended = transcript([insert("1-a")])
    ended.unanswered = failing
    #expect(ended.explanation(by: declared)?.map(\.id) == ["history-limit-0-fails"])
    #expect(ended.explanation(by: stubs) == nil)
    #expect(ended.explanation(by: []) == nil)
    #expect(
      ended.explanations(among: Deviation.all).map { $0.map(\.id) } == [["history-limit-0-fails"]])
    ended.unanswered = StoreOperation("a", .historyLimit(1))
    #expect(ended.explanation(by: Deviation.all) == nil)
    // A store with the deviation has no outcome there, so any outcome contradicts it.
    let answered = transcript([
      (.historyLimit(0), .error(DatastoreError(.badRequest(path: "limit"))))
    ])
    #expect(!answered.isPermitted(with: declared))
    #expect(answered.isPermitted(with: []))
  }

  @Test func aFollowerEndsAtAMissingResponse() {
    let store = ImplementationDescription(name: "s", version: "1")
    let modes: [(StoreFollower.Mode, Bool)] = [
      (.rulesOnly, false), (.declared(stubs), false),
      (.declared(Deviation.named(["history-limit-0-fails"])), true), (.discovering(), true),
      (.discovering(beside: stubs), true),
    ]
    for (mode, isExplained) in modes {
      var follower = StoreFollower(of: store, mode: mode)
      #expect(follower.admit(StoreOperation("a", .open()), .ok(.done)) == .admitted)
      #expect(follower.admitUnanswered(failing) == isExplained)
      #expect(follower.occurred == (isExplained ? ["history-limit-0-fails"] : []))
    }
  }

  @Test func theModelOfAMissingResponseHasNone() throws {
    let store = DeviatingDatastore(Deviation.named(["history-limit-0-fails"]))
    let environment = RunEnvironment(seed: 1)
    _ = try store.perform(StoreOperation("a", .open()), environment)
    let error = #expect(throws: HarnessError.self) { try store.perform(failing, environment) }
    #expect(error?.breakdown != nil)
    _ = try store.perform(StoreOperation("a", .historyLimit(1)), environment)
  }

  @Test func idsWithNULAreStored() {
    let id: DocumentID = "a\u{0}b"
    let created = (
      StoreAction.create(id: id, body: ["n": 1]), Outcome.ok(.written(id: id, rev: "1-x"))
    )
    let other = (
      StoreAction.create(id: "a\u{1}b", body: [:]), Outcome.ok(.written(id: "a\u{1}b", rev: "1-y"))
    )
    let list = (
      StoreAction.list(),
      Outcome.ok(.list([ListRow(id: id, rev: "1-x"), ListRow(id: "a\u{1}b", rev: "1-y")]))
    )
    let read = (
      StoreAction.read(id: id),
      Outcome.ok(.document(DocumentRevision(id: id, rev: "1-x", body: ["n": 1])))
    )
    let conflict = (
      StoreAction.create(id: id, body: [:]), Outcome.error(DatastoreError(.conflict))
    )
    let declared = Deviation.named(["nul-in-ids-accepted"])
    let history = [created, other, list, read, conflict]
    #expect(transcript(history).explanation(by: declared)?.count == 1)
    #expect(transcript(history).explanation(by: []) == nil)
    // The document is in the state afterwards.
    let lost = (StoreAction.read(id: id), Outcome.error(DatastoreError(.notFound(.missing))))
    #expect(transcript([created, lost]).explanation(by: declared) == nil)
  }

  @Test func specialMembersAreStored() {
    let body: JSONValue = ["_replication_id": "x", "n": 1]
    let created = (
      StoreAction.create(id: "d", body: body), Outcome.ok(.written(id: "d", rev: "1-x"))
    )
    func read(_ body: JSONValue) -> (StoreAction, Outcome) {
      (.read(id: "d"), .ok(.document(DocumentRevision(id: "d", rev: "1-x", body: body))))
    }
    let declared = Deviation.named(["special-members-stored"])
    #expect(transcript([created, read(body)]).explanation(by: declared)?.count == 1)
    #expect(transcript([created, read(["n": 1])]).explanation(by: declared) == nil)
    let record = RevisionRecord(id: "d", path: ["1-x"], deleted: false, body: body)
    let arrived = (StoreAction.insertRevisions([record]), Outcome.ok(.inserted([nil])))
    for id in ["special-members-stored", "special-members-of-records-stored"] {
      let stored = transcript([arrived, read(body)])
      #expect(stored.explanation(by: Deviation.named([id]))?.count == 1, "\(id)")
    }
    #expect(
      transcript([created]).explanation(by: Deviation.named(["special-members-of-records-stored"]))
        == nil)
  }

  /// The ids were recorded from CouchDB 3.4.3: a stored member is part of the digest, a removed one
  /// is not.
  @Test(
    arguments: [
      ("_access", "1-56c6fbf0163b12bf51f7b1cc7ad70826"),
      ("_replication_state", "1-5b80c106a63c4de9f97ace2f02f7549e"),
      ("_conflicts", "1-967a00dff5e02add41819138abb3284d"),
    ] as [(JSONString, RevisionID)])
  func aStoredSpecialMemberIsPartOfTheRevisionID(member: JSONString, rev: RevisionID) throws {
    var product = ImplementationDescription(name: "s", version: "1", profiles: [.couchdb])
    product.defaults.revisionIDs = .couchdb
    product.defaults.collation = .couchdb
    let deviations = Deviation.named(["special-members-ignored", "special-members-stored"])
    let store = DeviatingDatastore(declaring: product, deviations)
    let environment = RunEnvironment(seed: 1)
    _ = try store.perform(StoreOperation("a", .open()), environment)
    let body = JSONValue.object(JSONObject([(member, JSONValue.text("x"))]))
    let outcome = try store.perform(StoreOperation("a", .create(id: "d", body: body)), environment)
    #expect(outcome == Outcome.ok(.written(id: "d", rev: rev)))
  }

  @Test func aFollowerContinuesBehindADeviation() {
    let store = ImplementationDescription(name: "s", version: "1")
    var follower = StoreFollower(of: store, mode: .declared(stubs))
    let (insertion, inserted) = insert("2-b", "1-a")
    let (question, answer) = missing("1-a", reported: ["1-a"])
    let operations: [(StoreAction, Outcome)] = [
      (.open(), .ok(.done)), (insertion, inserted), (question, answer),
      (.leaves(id: "d"), .ok(.leaves([Leaf(rev: "2-b")]))),
    ]
    for (action, outcome) in operations {
      #expect(follower.admit(StoreOperation("a", action), outcome) == .admitted)
    }
    #expect(follower.occurred == ["stubs-are-missing"])
    follower.crashed()
    #expect(follower.admit(StoreOperation("a", .open()), .ok(.done)) == .admitted)
    let wrong = follower.admit(StoreOperation("a", .leaves(id: "d")), .ok(.leaves([])))
    guard case .violation = wrong else {
      Issue.record("a wrong outcome behind the deviation is admitted: \(wrong)")
      return
    }
  }
}
