import JSON
import ReferenceDatastore
import SQLiteDatastore
import Scenarios
import Simulation
import Storage
import TestSeeds
import Testing

struct SQLiteDifferentialTests {
  /// The seeds 1 to 200, and 400 that change with the commit, in parts that can run in parallel.
  static let parts: [ClosedRange<UInt64>] =
    [1, 101].map { $0...($0 + 99) }
    + (0..<4 as Range<UInt64>).map { part in
      let first = RotatingSeeds.first + 100 * part
      return first...(first + 99)
    }

  /// The outcomes of the SQLite store equal those of the model exactly.
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

  /// The SQLite store follows the contract with revision ids of its own.
  @Test func isRightUnderTheContract() throws {
    let differential = Differential(strictness: .contract) {
      SQLiteDatastore(storage: MemoryStorage())
    }
    for seed in RotatingSeeds.next(60) {
      if case .disagreed(let found) = try differential.run(seed: seed) {
        Issue.record("seed \(seed): \(try differential.shrunk(found).vector().json.pretty())")
      }
    }
  }

  /// A record of a revision that the store made has the content of that revision: ids are derived
  /// from contents, so another content would be forged. This sequence once had such a record.
  @Test func recordsOfMadeRevisionsAreNotForged() throws {
    let differential = Differential(stepCount: 100, strictness: .contract) {
      SQLiteDatastore(storage: MemoryStorage())
    }
    guard case .agreed = try differential.run(seed: 208) else {
      Issue.record("seed 208 disagrees")
      return
    }
  }
}
