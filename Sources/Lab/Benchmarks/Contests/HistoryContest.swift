internal import ConcurrentClients
internal import Datastore
internal import JSON
internal import RacingStores
internal import ReferenceDatastore

/// The check of histories of 8 clients; the baseline performs the same operations one by one on the
/// model.
final class HistoryContest: Contest {
  private static let connections = 8
  private static let operationsPerHistory = 400

  private let histories: [ClientHistory]
  private var model = ReferenceDatastore()

  /// - Parameter count: the number of histories.
  init(count: Int) throws(BenchmarkError) {
    var histories: [ClientHistory] = []
    for seed in 1...UInt64(count) {
      let store = RacingStore()
      do throws(HarnessError) {
        let run = ConcurrentRun(
          seed: seed, store.connection(0).description, connections: Self.connections,
          operationCount: Self.operationsPerHistory)
        histories.append(
          try run.record { number throws(HarnessError) in store.connection(number) })
      } catch {
        throw .harness(error)
      }
    }
    self.histories = histories
  }

  var counts: (store: Int, floor: Int)? {
    let count = histories.reduce(0) { $0 + $1.operations.count }
    return (count, count)
  }

  func prepareStore(run: Int) {}

  func runStore() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for history in histories {
      let verdict = HistoryChecker().check(history)
      guard verdict.findings.isEmpty, verdict.unknown == 0 else {
        throw .disagreement("the history of a correct store has a finding")
      }
      tally.add(marks: verdict.operations)
    }
    return tally
  }

  func prepareFloor(run: Int) { model = ReferenceDatastore() }

  func runFloor() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for history in histories {
      model.reset()
      let environment = RunEnvironment(seed: 1)
      for operation in history.operations {
        _ = model.perform(operation.operation, environment)
        tally.add(flag: true)
      }
    }
    return tally
  }
}
