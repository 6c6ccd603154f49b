import ConcurrentClients
import Datastore
import JSON
import SQLiteDatastore
import Storage
import Testing

@testable import SQLiteSimulation

/// Other tests draw random numbers of SQLite at the same time, so the counts of schedules differ here.
struct InterleavingTests {
  @Test func anEditAndInfo() throws {
    let number = try #require(
      (1...InterleavingExperiment.pairCount).first { number in
        (try? InterleavingExperiment(runsMax: 1).explore(pair: number).name) == "an edit and info"
      })
    let result = try InterleavingExperiment().explore(pair: number)
    #expect(result.isComplete)
    #expect(result.failure == nil)
    #expect(result.outcomes.map(\.words) == ["update: ok, info: ok"])
  }

  /// A store that checks the leaf in one transaction and writes in another.
  @Test func aDefectIsFound() throws {
    let result = try InterleavingExperiment { CheckingBefore($0) }.explore(pair: 1)
    #expect(result.failure?.findings.map(\.check).contains(.order) == true)
  }

  private final class CheckingBefore: ImplementationUnderTest {
    private let store: SQLiteDatastore

    init(_ storage: MemoryStorage) {
      store = SQLiteDatastore(
        storage: storage, busyMilliseconds: InterleavingExperiment.busyMilliseconds)
    }

    var description: ImplementationDescription { store.description }

    func reset() throws(HarnessError) { try store.reset() }

    func crash(_ kind: CrashKind) throws(HarnessError) { try store.crash(kind) }

    func shutdown() throws(HarnessError) { try store.shutdown() }

    func perform(
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) throws(HarnessError) -> Outcome {
      guard case .update(let id, let rev, let body) = operation.action,
        case .ok(.leaves(let leaves)) = try store.perform(
          StoreOperation(operation.store, .leaves(id: id)), environment),
        leaves.contains(where: { $0.rev == rev })
      else { return try store.perform(operation, environment) }
      let number = body.objectValue?["w"]?.integerValue ?? 0
      let child = RevisionID(JSONString("2-\(number)"))
      let record = RevisionRecord(id: id, path: [child, rev], body: body)
      let outcome = try store.perform(
        StoreOperation(operation.store, .insertRevisions([record])), environment)
      return outcome.result == nil ? outcome : .ok(.written(id: id, rev: child))
    }
  }
}
