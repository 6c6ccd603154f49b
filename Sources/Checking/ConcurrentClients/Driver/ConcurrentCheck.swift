public import Datastore

/// The check of concurrent clients as one line of a test.
///
///     try ConcurrentCheck { number in MyStore.connection(number) }.run(seeds: 1...100)
public struct ConcurrentCheck: Sendable {
  private let connections: Int
  private let operationCount: Int
  private let isControlled: Bool
  private let checker: HistoryChecker
  private let connect: ConcurrentRun.Connector

  /// - Parameters:
  ///   - connections: the number of clients, 1 or more.
  ///   - operationCount: the operations of all clients in one history.
  ///   - isControlled: whether one client runs at a time and the seed decides which; the store then
  ///     calls `RunEnvironment.pass` where another client can come between.
  ///   - checker: which guarantees are required.
  ///   - connect: opens connection 1, 2 and so on to the same stores. Each is used by one thread at a
  ///     time; only connection 1 is reset, at the beginning of each history.
  public init(
    connections: Int = 4, operationCount: Int = 200, isControlled: Bool = false,
    checker: HistoryChecker = HistoryChecker(), _ connect: @escaping ConcurrentRun.Connector
  ) {
    self.connections = connections
    self.operationCount = operationCount
    self.isControlled = isControlled
    self.checker = checker
    self.connect = connect
  }

  /// Records one history for each seed, and throws the first finding.
  public func run(seeds: ClosedRange<UInt64>) throws(ConcurrencyError) {
    for seed in seeds {
      let history: ClientHistory
      do throws(HarnessError) {
        let description = try connect(1).description
        history = try ConcurrentRun(
          seed: seed, description, connections: connections, operationCount: operationCount,
          isControlled: isControlled
        ).record(connect)
      } catch {
        throw .harness(error)
      }
      guard let finding = checker.check(history).findings.first else { continue }
      throw .finding(finding, history, seed: seed)
    }
  }
}

/// The reason why a check of concurrent clients failed.
public enum ConcurrencyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A violation in the history of a seed.
  case finding(HistoryFinding, ClientHistory, seed: UInt64)
  /// The store failed, so there is no verdict.
  case harness(HarnessError)

  /// The finding with the operations that show it, as few as possible.
  public var description: String {
    switch self {
    case .harness(let error): return "\(error)"
    case .finding(let finding, let history, let seed):
      let witness = OrderWitness(finding, in: history, Set(ConsistencyPromise.allCases))
      let lines =
        witness.map { witness in
          witness.items.map { item in
            Self.line(history.operations[item.operation], item.words.joined(separator: "; "))
          }
        }
        ?? finding.operations.map { place in
          let operation = history.operations[place]
          return Self.line(operation, operation.outcome?.description ?? "no response")
        }
      return (["seed \(seed): \(finding.sentence)"] + lines).joined(separator: "\n  ")
    }
  }

  private static func line(_ operation: ClientOperation, _ words: String) -> String {
    "connection \(operation.connection), \(operation.call) to "
      + "\(operation.end.map { "\($0)" } ?? "no response"): \(operation.operation.action.name): "
      + words
  }
}
