import Testing
import TouchstoneKit

struct LittleStoreTests {
  /// Runs the vectors that apply to the store.
  @Test func conforms() throws {
    try Corpus.standard().check(LittleStore())
  }

  /// Runs random sequences of operations and checks each outcome with the reference model.
  @Test func agreesWithTheModel() throws {
    try Differential { LittleStore() }.check(seeds: 1...50)
  }

  /// Simulates 3 replicas with lost messages, partitions and wrong clocks, and checks every write.
  @Test(arguments: UInt64(1)...5)
  func losesNoWrite(seed: UInt64) throws {
    let participants = World.Participants(makeStore: { _ in PlainStore(LittleStore()) })
    let generator = ScenarioGenerator(capabilities: [], crashes: [])
    let run = try Campaign(generator, participants).run(seed: seed)
    #expect(run.findings.map(\.sentence) == [])
  }

  /// Runs each of some vectors as one test case.
  @Test(arguments: try Corpus.standard().vectors(offeredBy: LittleStore(), matching: ["winner-*"]))
  func choosesTheWinner(_ vector: CorpusVector) throws {
    try vector.check(LittleStore())
  }
}
