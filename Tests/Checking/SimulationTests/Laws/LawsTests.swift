import Datastore
import JSON
import ReferenceDatastore
import TestSeeds
import Testing

@testable import Simulation

/// A store that violates one law.
final class LawBreaker: ImplementationUnderTest {
  private let honest = ReferenceDatastore()
  private let mutant: Mutant
  private var last: [DocumentID: RevisionID] = [:]
  private var before: ReferenceDatastore.Snapshot?

  enum Mutant {
    case alwaysMissing, lastWins, poorRelation, longNames, crowded, forgetful
  }

  init(_ mutant: Mutant) { self.mutant = mutant }

  var description: ImplementationDescription { honest.description }

  func reset() { honest.reset() }

  func shutdown() { honest.shutdown() }

  func crash(_ kind: CrashKind) {
    if mutant == .forgetful, let before { honest.restore(before) }
    honest.crash(kind)
  }

  func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    switch (mutant, operation.action) {
    case (.alwaysMissing, .revsDiff(let queries)):
      return .ok(
        .revsDiff(
          queries.map { Difference(id: $0.id, missing: $0.revs, possibleAncestors: []) }))
    case (.poorRelation, .insertRevisions(let records)) where operation.store == "b":
      let live = records.filter { !$0.deleted }
      _ = honest.perform(StoreOperation("b", .insertRevisions(live)), environment)
      return .ok(.inserted(records.map { _ in nil }))
    case (.longNames, .insertRevisions(let records)):
      let short = records.filter { $0.id.text.utf8.count < 10 }
      _ = honest.perform(StoreOperation(operation.store, .insertRevisions(short)), environment)
      return .ok(.inserted(records.map { _ in nil }))
    case (.crowded, .insertRevisions(let records)):
      let first = records.prefix(2)
      _ = honest.perform(
        StoreOperation(operation.store, .insertRevisions(Array(first))), environment)
      return .ok(.inserted(records.map { _ in nil }))
    case (.forgetful, .insertRevisions): before = honest.snapshot
    case (.lastWins, .insertRevisions(let records)):
      for record in records { last[record.id] = record.path.first }
    default: break
    }
    let outcome = honest.perform(operation, environment)
    guard mutant == .lastWins, case .ok(.document(var document)) = outcome else { return outcome }
    document.rev = last[document.id] ?? document.rev
    return .ok(.document(document))
  }
}

struct LawsTests {
  @Test(arguments: Law.allCases)
  func theModelKeepsTheLaws(law: Law) throws {
    let laws = Laws(.model)
    for seed in RotatingSeeds.next(20) {
      let finding = try laws.check(law, seed: seed)
      #expect(finding == nil, "\(String(describing: finding))")
    }
  }

  @Test(arguments: [
    (Law.repetition, LawBreaker.Mutant.alwaysMissing), (.order, .lastWins),
    (.replicaNames, .poorRelation), (.documentNames, .longNames), (.batches, .crowded),
    (.restarts, .forgetful),
  ])
  func eachLawSeesAMutant(law: Law, mutant: LawBreaker.Mutant) throws {
    let laws = Laws(
      World.Participants(makeStore: { _ in PlainStore(LawBreaker(mutant)) }))
    let found = try (UInt64(1)...20).contains { seed in
      try laws.check(law, seed: seed) != nil
    }
    #expect(found)
  }

  /// Histories contain deletions, long paths, conflicts and sessions.
  @Test func historiesHoldConflictsAndSessions() {
    let histories = (UInt64(1)...20).map { LawHistory(seed: $0) }
    #expect(histories.contains { $0.records.contains { $0.deleted } })
    #expect(histories.contains { $0.records.contains { $0.path.count > 3 } })
    #expect(
      histories.allSatisfy { history in
        history.shuffled.count == history.records.count
      })
    #expect(
      histories.contains { history in
        history.steps.contains { if case .replicate = $0 { true } else { false } }
      })
  }
}
