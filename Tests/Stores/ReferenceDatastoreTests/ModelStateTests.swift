import Datastore
import JSON
import Testing

struct ModelStateTests {
  /// The model's own digest equals exactly one named digest.
  @Test(
    arguments: [
      (.own, .cdtDigest2, true), (.cdtDigest2, .own, true), (.own, .cdtDigest, false),
      (.couchdb, .cdtDigest, false), (.couchdb, .couchdb, true),
    ] as [(RevisionIDProfile, RevisionIDProfile, Bool)])
  func reopensAsWhatItIs(made: RevisionIDProfile, asked: RevisionIDProfile, isSame: Bool) {
    let model = Model(revisionIDs: made)
    let outcome = model.perform(.open(revisionIDs: asked, collation: nil))
    #expect((outcome.errorKind == nil) == isSame)
  }

  /// A document without an id gets a new random one, also after a batch.
  @Test func theIdsOfABatchAreNotUsedAgain() throws {
    let model = Model()
    var ids: [DocumentID] = []
    for _ in 1...2 {
      let batch = model.perform(
        .batch([.create(id: nil, body: [:]), .create(id: nil, body: [:])]))
      guard case .ok(.batch(let results)) = batch else { throw Unexpected(outcome: batch) }
      for case .written(let id, _) in results { ids.append(id) }
    }
    let single = model.perform(.create(id: nil, body: [:]))
    guard case .ok(.written(let id, _)) = single else { throw Unexpected(outcome: single) }
    #expect(Set(ids + [id]).count == 5)
  }
}
