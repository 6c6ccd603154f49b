import Testing
import TouchstoneKit

struct LittleStoreTests {
  /// Runs each vector that applies to the store as one test case.
  @Test(arguments: try Corpus.standard().vectors(offeredBy: LittleStore()))
  func conforms(to vector: CorpusVector) throws {
    try vector.check(LittleStore())
  }

  /// Runs random sequences of operations and checks each outcome with the reference model.
  @Test func agreesWithTheModel() throws {
    try Differential { LittleStore() }.check(seeds: 1...50)
  }
}
