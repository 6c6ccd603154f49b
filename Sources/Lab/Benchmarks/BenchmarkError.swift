public import Datastore

/// Why a benchmark gave no figure.
public enum BenchmarkError: Error, Hashable, Sendable {
  /// A folder or a file in it could not be made, read or removed.
  case storage(String)
  /// The store could not be asked at all.
  case harness(HarnessError)
  /// The store refused what every store has to do, or answered something else.
  case unexpected(operation: String, outcome: String)
  /// SQLite refused a statement of the floor; the code is the extended one.
  case floor(code: Int32, message: String)
  /// Store and floor did different work, so that their ratio would mean nothing.
  case disagreement(String)
  /// Somebody wanted it to stop.
  case stopped
  /// An earlier report cannot be read.
  case badReport(String)
}

extension BenchmarkError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .storage(let message): "the benchmark's files: \(message)"
    case .harness(let error): "the store could not be asked: \(error)"
    case .unexpected(let operation, let outcome): "\(operation) was answered with \(outcome)"
    case .floor(let code, let message): "SQLite \(code) in the floor: \(message)"
    case .disagreement(let message): "store and floor differ: \(message)"
    case .stopped: "stopped"
    case .badReport(let message): "this is no report of benchmarks: \(message)"
    }
  }
}
