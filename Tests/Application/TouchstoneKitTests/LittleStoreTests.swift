import Testing
import TouchstoneKit

struct LittleStoreTests {
  /// Everything that the store has to answer, vector by vector.
  @Test(arguments: try Corpus.standard().vectors(offeredBy: LittleStore()))
  func conforms(to vector: CorpusVector) throws {
    try vector.check(LittleStore())
  }

  /// Random histories, each outcome checked by the model.
  @Test func agreesWithTheModel() throws {
    try Differential { LittleStore() }.check(seeds: 1...50)
  }
}
