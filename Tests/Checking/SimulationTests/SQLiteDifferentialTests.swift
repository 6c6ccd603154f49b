import JSON
import ReferenceDatastore
import SQLiteDatastore
import Scenarios
import Simulation
import Storage
import Testing

struct SQLiteDifferentialTests {
  /// The fixed list of seeds: 1 to 2,000, in parts that can run beside each other.
  static let parts: [ClosedRange<UInt64>] = stride(from: 1, to: 2000, by: 100).map { first in
    UInt64(first)...UInt64(first + 99)
  }

  /// What the SQLite store does is what the model does, to the letter.
  @Test(arguments: parts)
  func agreesWithTheModel(seeds: ClosedRange<UInt64>) throws {
    let differential = Differential(strictness: .model) {
      SQLiteDatastore(storage: MemoryStorage())
    }
    for seed in seeds {
      guard case .disagreed(let found) = try differential.run(seed: seed) else { continue }
      let shrunk = try differential.shrunk(found)
      Issue.record("seed \(seed): \(try shrunk.vector().json.pretty())")
      return
    }
  }

  /// And what it does is right under the contract, its revision ids being its own.
  @Test func isRightUnderTheContract() throws {
    let differential = Differential(strictness: .contract) {
      SQLiteDatastore(storage: MemoryStorage())
    }
    for seed in 1...60 as ClosedRange<UInt64> {
      if case .disagreed(let found) = try differential.run(seed: seed) {
        Issue.record("seed \(seed): \(try differential.shrunk(found).vector().json.pretty())")
      }
    }
  }
}
