import Datastore
import JSON
import ReferenceDatastore
import Scenarios
import Simulation
import Testing

struct DisagreementVectorTests {
  /// The vector of a shrunk disagreement survives a round trip, and has the same steps.
  @Test(arguments: Mutant.allCases)
  func aDisagreementIsAVector(mutant: Mutant) throws {
    let differential = Differential(strictness: .contract) { MutantStore(mutant) }
    for seed in 0..<200 as Range<UInt64> {
      guard case .disagreed(let found) = try differential.run(seed: seed) else { continue }
      let shrunk = try differential.shrunk(found)
      let vector = try shrunk.vector()
      let text = VectorFile(family: "model", about: "", vectors: [vector]).json.pretty()
      let read = try VectorFile(JSONValue.parse(text))
      #expect(read.vectors.map { $0.json } == [vector.json])
      #expect(vector.steps.count == shrunk.steps.count)
      #expect(
        vector.steps.last?.template?.sample.action.name == shrunk.steps.last?.operation.action.name)
      return
    }
    Issue.record("no seed found it")
  }

  /// The model passes the vector and the faulty store fails it, whatever names the store generates;
  /// no integer in the vector is taken for a sequence.
  @Test(arguments: Fault.allCases)
  func theVectorTellsTheStoresApart(fault: Fault) throws {
    let differential = Differential(strictness: .contract) { Faulty(fault) }
    for seed in 0..<100 as Range<UInt64> {
      guard case .disagreed(let found) = try differential.run(seed: seed) else { continue }
      let vector = try differential.shrunk(found).vector()
      #expect(try passes(vector, ReferenceDatastore()), "\(vector.json.pretty())")
      #expect(try !passes(vector, Faulty(fault)), "\(vector.json.pretty())")
      return
    }
    Issue.record("no seed found it")
  }

  private func passes(
    _ vector: Vector, _ store: some ImplementationUnderTest
  ) throws -> Bool {
    let environment = RunEnvironment(seed: 99)
    var bindings = Bindings()
    for step in vector.steps {
      let operation = try (try #require(step.template)).operation(bindings)
      let outcome = try store.perform(operation, environment)
      guard let expectation = step.expectation,
        case .match(let bound) = expectation.match(outcome, bindings)
      else { return false }
      bindings = bound
    }
    return true
  }
}

/// Faults of a store that is compared under the contract.
enum Fault: CaseIterable, Sendable {
  case generation, refusesUpdate, integerSequences, refusesCreate
}

/// The model with a fault, and without profiles.
final class Faulty: ImplementationUnderTest {
  private let model = ReferenceDatastore()
  private let fault: Fault

  init(_ fault: Fault) { self.fault = fault }

  var description: ImplementationDescription {
    var description = model.description
    description.profiles = []
    return description
  }

  func reset() { model.reset() }

  func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    let outcome = model.perform(foreign(operation, environment), environment)
    switch (fault, outcome, operation.action) {
    case (.generation, .ok(.written(let id, let rev)), .update):
      return .ok(.written(id: id, rev: RevisionID(JSONString("9" + rev.text.string))))
    case (.refusesUpdate, .ok(.written), .update), (.refusesCreate, .ok(.written), .create(nil, _)):
      return .error(DatastoreError(.forbidden))
    case (.integerSequences, .ok(.changes(var page)), .changes(let since, _)):
      for place in page.rows.indices { page.rows[place].seq = integer(page.rows[place].seq) }
      page.last = integer(page.last)
      if since != nil, page.rows.count > 1 { page.rows.removeLast() }
      return .ok(.changes(page))
    case (.integerSequences, .ok(.info(var info)), _):
      info.last = integer(info.last)
      return .ok(.info(info))
    default: return outcome
    }
  }

  /// Returns the operation with an integer sequence replaced by the model's own.
  private func foreign(_ operation: StoreOperation, _ environment: RunEnvironment)
    -> StoreOperation
  {
    guard case .changes(.integer(let position)?, let limit) = operation.action,
      case .ok(.info(let info)) = model.perform(
        StoreOperation(operation.store, .info), environment)
    else { return operation }
    let since = UpdateSequence.text(JSONString("\(position)-\(info.incarnation.string.prefix(8))"))
    return StoreOperation(operation.store, .changes(since: since, limit: limit))
  }

  private func integer(_ sequence: UpdateSequence) -> UpdateSequence {
    guard case .text(let text) = sequence else { return sequence }
    return .integer(Int64(text.string.prefix { $0 != "-" }) ?? 0)
  }

  func crash(_ kind: CrashKind) { model.crash(kind) }

  func shutdown() { model.shutdown() }
}
