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
