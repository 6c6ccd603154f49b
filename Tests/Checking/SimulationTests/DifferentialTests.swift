import Datastore
import JSON
import ReferenceDatastore
import Simulation
import TestSeeds
import Testing

struct DifferentialTests {
  @Test(arguments: [OutcomeChecker.Strictness.model, .contract])
  func theModelAgreesWithItself(strictness: OutcomeChecker.Strictness) throws {
    let differential = Differential(strictness: strictness) { ReferenceDatastore() }
    for seed in RotatingSeeds.next(40) {
      if case .disagreed(let disagreement) = try differential.run(seed: seed) {
        Issue.record("seed \(seed): \(disagreement.steps.suffix(1)) \(disagreement.accepted)")
      }
    }
  }

  /// Each mutant is found within 200 seeds, and shrinks to at most 12 steps.
  @Test(arguments: Mutant.allCases)
  func findsAMutantAndShrinksIt(mutant: Mutant) throws {
    let differential = Differential(strictness: .model) { MutantStore(mutant) }
    for seed in 0..<200 as Range<UInt64> {
      guard case .disagreed(let found) = try differential.run(seed: seed) else { continue }
      let shrunk = try differential.shrunk(found)
      #expect(shrunk.steps.count <= found.steps.count)
      #expect(shrunk.steps.count <= 12, "\(shrunk.steps.map { $0.operation })")
      let again = try differential.shrunk(found)
      #expect(again == shrunk)
      return
    }
    Issue.record("no seed found it")
  }

  @Test func aSeedIsASequence() throws {
    func operations(_ seed: UInt64) throws -> [StoreOperation] {
      let recorder = Recorder()
      _ = try Differential { recorder }.run(seed: seed)
      return recorder.operations
    }
    #expect(try operations(7) == operations(7))
    #expect(try operations(7) != operations(8))
  }

  /// An adapter receives what the store of this process receives. `null` as the body of `writeLocal`
  /// is the removal, so it is no other value.
  @Test func eachOperationSurvivesItsTextForm() throws {
    let recorder = Recorder()
    for seed in 1...300 as ClosedRange<UInt64> {
      _ = try Differential { recorder }.run(seed: seed)
    }
    for operation in recorder.operations {
      let text = operation.json.serialized()
      #expect(try StoreOperation(JSONValue.parse(text)) == operation, "\(text)")
    }
  }
}

/// Mutants of a store.
enum Mutant: CaseIterable, Sendable {
  case forgetsTombstones, countsNoOps, listsDeleted, dropsBodyOnUpdate
  case hidesNegated, sortsByText
}

/// The model with an error in its outcomes.
final class MutantStore: ImplementationUnderTest {
  private let model = ReferenceDatastore()
  private let mutant: Mutant

  init(_ mutant: Mutant) { self.mutant = mutant }

  var description: ImplementationDescription { model.description }

  func reset() { model.reset() }

  func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    let outcome = model.perform(operation, environment)
    switch (mutant, outcome) {
    case (.forgetsTombstones, .ok(.leaves(let leaves))) where leaves.contains { !$0.deleted }:
      return .ok(.leaves(leaves.filter { !$0.deleted }))
    case (.countsNoOps, .ok(.changes(var page))) where page.rows.count == 1:
      page.rows = []
      return .ok(.changes(page))
    case (.listsDeleted, .error(let error)) where error.kind == .notFound(.deleted):
      return .error(DatastoreError(.notFound(.missing)))
    case (.dropsBodyOnUpdate, .ok(.document(var document))) where document.rev.text.utf8.first == 50:
      document.body = [:]
      return .ok(.document(document))
    case (.hidesNegated, .ok(.found(.documents(let found)))):
      guard "\(operation)".contains(#""$ne""#) else { return outcome }
      return .ok(.found(.documents(found.filter { $0.body.objectValue?["a"] != nil })))
    case (.sortsByText, .ok(.found(.documents(let found)))):
      guard "\(operation)".contains(#""sort""#) else { return outcome }
      return .ok(.found(.documents(found.sorted { "\($0.body)" < "\($1.body)" })))
    default: return outcome
    }
  }

  func crash(_ kind: CrashKind) { model.crash(kind) }

  func shutdown() { model.shutdown() }
}

/// The model, with a record of its operations.
final class Recorder: ImplementationUnderTest {
  private let model = ReferenceDatastore()
  private(set) var operations: [StoreOperation] = []

  var description: ImplementationDescription { model.description }

  func reset() { model.reset() }

  func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    operations.append(operation)
    return model.perform(operation, environment)
  }

  func crash(_ kind: CrashKind) { model.crash(kind) }

  func shutdown() { model.shutdown() }
}
