internal import ObjectMapping

/// Records the data of each operation with a save, and detects two that overlap.
///
/// Source: the guide, "A Word of Caution With Asynchronous Contexts": avoid saving the same data on
/// different contexts asynchronously. The warning does not depend on the outcome of the race.
struct SharedDataCheck: Hashable {
  private struct Operation: Hashable {
    let number: Int
    let queue: StackQueue
    var data: Set<SharedData> = []
    var isDone = false
    /// The operations whose times overlap with this one.
    var neighbours: [Int]
  }

  private var operations: [Operation] = []
  private var count = 0

  /// Returns a number for a new operation.
  mutating func number() -> Int {
    count += 1
    return count
  }

  /// Starts an operation.
  mutating func begin(_ number: Int, on queue: StackQueue) {
    let open = operations.filter { !$0.isDone }.map { $0.number }
    for place in operations.indices where !operations[place].isDone {
      operations[place].neighbours.append(number)
    }
    operations.append(Operation(number: number, queue: queue, neighbours: open))
  }

  /// Records that an operation uses data, and returns whether an overlapping operation on the other
  /// context uses it as well.
  mutating func record(_ data: SharedData, by number: Int) -> Bool {
    guard let place = operations.firstIndex(where: { $0.number == number }) else { return false }
    operations[place].data.insert(data)
    let own = operations[place]
    return operations.contains { other in
      other.queue != own.queue && other.data.contains(data)
        && own.neighbours.contains(other.number)
    }
  }

  mutating func end(_ number: Int) {
    guard let place = operations.firstIndex(where: { $0.number == number }) else { return }
    operations[place].isDone = true
    // An operation is removed when all overlapping ones are done.
    let open = Set(operations.filter { !$0.isDone }.map { $0.number })
    operations.removeAll { $0.isDone && open.isDisjoint(with: $0.neighbours) }
  }
}
