import ConcurrentClients
import Datastore
import JSON
import RacingStores
import Testing

struct RaceDefectTests {
  private static func history(
    _ store: RacingStore, seed: UInt64, connections: Int = 4, isControlled: Bool = true
  ) throws -> ClientHistory {
    try ConcurrentRun(
      seed: seed, store.connection(0).description, connections: connections,
      operationCount: 200, isControlled: isControlled
    ).record { number throws(HarnessError) in store.connection(number) }
  }

  @Test func theModelBehindALockHasNoFinding() throws {
    for seed in UInt64(1)...60 {
      for isControlled in [false, true] {
        let history = try Self.history(
          RacingStore(), seed: seed, connections: 8, isControlled: isControlled)
        let verdict = HistoryChecker().check(history)
        #expect(verdict.findings == [])
        #expect(verdict.unknown == 0)
      }
    }
  }

  @Test(arguments: RaceDefect.allCases) func isFound(_ defect: RaceDefect) throws {
    let found = try (UInt64(1)...400).first { seed in
      let history = try Self.history(RacingStore(defect), seed: seed)
      return !HistoryChecker().check(history).findings.isEmpty
    }
    #expect(found != nil, "\(defect.rawValue)")
  }

  /// Each operation alone behaves as in the correct store, so vectors find nothing.
  @Test(arguments: RaceDefect.allCases) func oneClientFindsNothing(_ defect: RaceDefect) throws {
    // A failed batch, or a wrong response, is also wrong for one client.
    let isVisible: Set<RaceDefect> = [
      .batchInPieces, .busyButDone, .conflictAfterRetry, .acknowledgedBeforeWrite,
    ]
    guard !isVisible.contains(defect) else { return }
    for seed in UInt64(1)...10 {
      let history = try Self.history(RacingStore(defect), seed: seed, connections: 1)
      #expect(HistoryChecker().check(history).findings == [], "seed \(seed)")
    }
  }

  @Test func aSeedRepeatsAControlledHistory() throws {
    func words(_ history: ClientHistory) -> [String] {
      history.operations.map {
        "\($0.connection) \($0.call) \($0.end ?? 0) \($0.operation) \($0.outcome.map { "\($0)" } ?? "")"
      }
    }
    for seed in UInt64(1)...5 {
      let one = try Self.history(RacingStore(), seed: seed)
      #expect(words(one) == words(try Self.history(RacingStore(), seed: seed)))
    }
  }
}
