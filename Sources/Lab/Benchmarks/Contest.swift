internal import JSON

/// The same work done twice: by the store, and by its floor.
///
/// A run calls the four methods in this order. Only the second and the fourth are measured.
protocol Contest: AnyObject {
  /// Makes the inputs of the store's next run.
  func prepareStore(run: Int) throws(BenchmarkError)
  /// Does the work through the store's public face.
  func runStore() throws(BenchmarkError) -> Tally
  /// Makes the inputs of the floor's next run, which may need what the store answered.
  func prepareFloor(run: Int) throws(BenchmarkError)
  /// Does the work on SQLite itself.
  func runFloor() throws(BenchmarkError) -> Tally
  /// Makes both sides agree when all runs are over.
  func finish() throws(BenchmarkError)
  /// How many operations the last run of each had; nil when both had what the benchmark says.
  var counts: (store: Int, floor: Int)? { get }
}

extension Contest {
  func finish() {}

  var counts: (store: Int, floor: Int)? { nil }
}

/// What an answer holds, folded while it is measured, so that no answer goes unread.
///
/// Store and floor must come to the same. The order of what is counted does not matter.
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
