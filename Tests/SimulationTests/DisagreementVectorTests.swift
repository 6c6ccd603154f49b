import Datastore
import JSON
import ReferenceDatastore
import Scenarios
import Simulation
import Testing

struct DisagreementVectorTests {
  /// The vector of a shortened disagreement can be written, read, and says the same.
  @Test(arguments: Mistake.allCases)
  func aDisagreementIsAVector(mistake: Mistake) throws {
    let differential = Differential(strictness: .contract) { Mistaken(mistake) }
    for seed in 0..<200 as Range<UInt64> {
      guard case .disagreed(let found) = try differential.run(seed: seed) else { continue }
      let shrunk = try differential.shrunk(found)
      let vector = try shrunk.vector()
      let text = VectorFile(family: "model", about: "", vectors: [vector]).json.pretty()
      let read = try VectorFile(JSONValue.parse(text))
      #expect(read.vectors.map { $0.json } == [vector.json])
      #expect(vector.steps.count == shrunk.steps.count)
      #expect(
        vector.steps.last?.template.sample.action.name == shrunk.steps.last?.operation.action.name)
      return
    }
    Issue.record("no seed found it")
  }
}
