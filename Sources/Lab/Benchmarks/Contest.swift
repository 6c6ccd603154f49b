internal import JSON

/// The same work done twice: by the store, and by its baseline.
///
/// A run calls the four methods in this order. Only the second and the fourth are measured.
protocol Contest: AnyObject {
  /// Creates the inputs of the store's next run.
  func prepareStore(run: Int) throws(BenchmarkError)
  /// Does the work through the store's public interface.
  func runStore() throws(BenchmarkError) -> Tally
  /// Creates the inputs of the baseline's next run, which may depend on the store's results.
  func prepareFloor(run: Int) throws(BenchmarkError)
  /// Does the work on SQLite directly.
  func runFloor() throws(BenchmarkError) -> Tally
  /// Makes both databases equal after all runs.
  func finish() throws(BenchmarkError)
  /// The number of operations in the last run of each; nil if both had the benchmark's number.
  var counts: (store: Int, floor: Int)? { get }
}

extension Contest {
  func finish() {}

  var counts: (store: Int, floor: Int)? { nil }
}

/// A tally of a result, computed during the measurement, so that every result is read.
struct Tally: Hashable {
  /// Rows, revisions or acknowledgements.
  private(set) var rows = 0
  /// Bytes of names and of nothing else.
  private(set) var nameBytes = 0
  /// The ends of names, added up.
  private(set) var nameEnds: UInt64 = 0
  /// Top-level members of bodies, and flags that are set.
  private(set) var marks = 0

  mutating func addRow() { rows += 1 }

  mutating func add(marks: Int) { self.marks += marks }

  mutating func add(flag: Bool) { marks += flag ? 1 : 0 }

  mutating func add(name: UnsafeRawBufferPointer) {
    nameBytes += name.count
    guard name.count >= 8 else { return }
    nameEnds &+= name.loadUnaligned(fromByteOffset: name.count - 8, as: UInt64.self)
  }

  mutating func add(name: JSONString) { name.withBytes { add(name: UnsafeRawBufferPointer($0)) } }
}
