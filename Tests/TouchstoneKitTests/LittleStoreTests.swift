import Testing
import TouchstoneKit

struct LittleStoreTests {
  @Test(arguments: try Corpus.standard().vectors(offeredBy: LittleStore()))
  func conforms(to vector: CorpusVector) throws {
    try vector.check(LittleStore())
  }
}
