import Datastore
import JSON
import Testing

struct ContractTests {
  /// Ids are bytes: ids that are canonically equivalent in Unicode are distinct documents.
  @Test func identifiersAreBytes() {
    let composed: DocumentID = "é"
    let decomposed: DocumentID = "e\u{301}"
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, "é"]).count == 2)
  }

  @Test func environmentFollowsFromItsSeed() {
    let one = RunEnvironment(seed: 42)
    let two = RunEnvironment(seed: 42)
    let other = RunEnvironment(seed: 43)
    #expect(one.randomBytes(20) == two.randomBytes(20))
    #expect(one.nextRandom() == two.nextRandom())
    #expect(one.randomBytes(16) != other.randomBytes(16))
    // SplitMix64's published first outputs for the seed 1234567.
    let published = RunEnvironment(seed: 1_234_567)
    #expect(published.nextRandom() == 6_457_827_717_110_365_317)
    #expect(published.nextRandom() == 3_203_168_211_198_807_973)
  }

  @Test func operationsNameTheCapabilitiesTheyNeed() {
    #expect(StoreAction.read(id: "d").capabilities.isEmpty)
    #expect(StoreAction.delete(id: "d", rev: "1-a").capabilities.isEmpty)
    #expect(StoreAction.delete(id: "d", rev: "1-a", body: [:]).capabilities == [.tombstoneBodies])
    #expect(
      StoreAction.batch([.resolve(id: "d", leaves: [], keep: "1-a")]).capabilities
        == [.atomicBatch, .resolve])
  }

  @Test func limitsReachOthersOnlyTogether() {
    var limits = ImplementationDescription.Limits.minimum
    #expect(limits.reaches(.minimum))
    limits.bodyBytesMax += 1
    limits.depthMax -= 1
    #expect(!limits.reaches(.minimum))
  }
}
