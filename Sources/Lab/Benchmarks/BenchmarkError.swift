public import Datastore

/// The reason why a benchmark has no figure.
public enum BenchmarkError: Error, Hashable, Sendable {
  /// A folder or a file in it could not be created, read or removed.
  case storage(String)
  /// The store could not be tested at all.
  case harness(HarnessError)
  /// The store rejected a valid operation, or returned an unexpected result.
  case unexpected(operation: String, outcome: String)
  /// SQLite rejected a statement of the baseline; the code is the extended one.
  case floor(code: Int32, message: String)
  /// Store and baseline did different work, so their ratio would be meaningless.
  case disagreement(String)
  /// The run was cancelled.
  case stopped
  /// An earlier report is invalid.
  case badReport(String)
}

extension BenchmarkError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .storage(let message): "the benchmark's files: \(message)"
    case .harness(let error): "the store could not be tested: \(error)"
    case .unexpected(let operation, let outcome): "unexpected result of \(operation): \(outcome)"
    case .floor(let code, let message): "SQLite error \(code) in the baseline: \(message)"
    case .disagreement(let message): "store and baseline differ: \(message)"
    case .stopped: "stopped"
    case .badReport(let message): "invalid benchmark report: \(message)"
    }
  }
}
