import Datastore
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
}
