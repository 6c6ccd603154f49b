import Datastore
import JSON
import Selectors
import Testing

@testable import Oracles
@testable import Simulation

/// The oracles' own matcher of selectors agrees with that of the model and the replicators.
struct SelectorAgreementTests {
  @Test func oraclesAndModelSelectTheSame() throws {
    let description = ImplementationDescription(
      name: "any", version: "1", capabilities: [.find, .regex, .decimals],
      profiles: [.core, .exactNumbers])
    var generator = OperationGenerator(
      workload: Workload(seed: 1, description, isHonest: true), knowledge: Knowledge(),
      random: KeyedRandom(seed: 1, key: 1))
    var selected = 0
    for number in 0..<20_000 {
      let body = generator.soughtBody()
      guard let selector = generator.soughtSelector() else { continue }
      let record = RevisionRecord(id: "a", path: ["1-a"], body: body)
      let isSelected = Subject(body, id: "a", rev: "1-a").matches(selector)
      #expect(
        selector.selects(record) == isSelected,
        "\(number): \(selector.json.serialized()) of \(body.serialized())")
      selected += isSelected ? 1 : 0
    }
    #expect((2_000...16_000).contains(selected))
  }

  /// Expressions that the generator does not produce.
  @Test(arguments: [
    ("^(ab|c)+$", "cabc", true), ("^(a*)*b$", "aaac", false), ("(a|)b", "b", true),
    ("^a{2,3}$", "aaaa", false), ("^()*$", "", true), ("^(a|()){3}$", "a", true),
    (#"^[^\d]$"#, "é", true),
  ])
  func expressions(pattern: String, text: String, matches: Bool) throws {
    let selector = try FindSelector(["a": ["$regex": .text(pattern)]])
    let record = RevisionRecord(id: "a", path: ["1-a"], body: ["a": .text(text)])
    #expect(selector.selects(record) == matches)
  }
}
