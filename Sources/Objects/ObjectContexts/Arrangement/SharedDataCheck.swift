internal import ObjectMapping

/// Notes which data each operation that saves works on, and finds two that overlap.
///
/// Source: the guide, "A Word of Caution With Asynchronous Contexts": try to avoid saving the same data on
/// different contexts asynchronously. It warns whichever way the race went.
struct SharedDataCheck: Hashable {
  private struct Operation: Hashable {
    let number: Int
    let queue: StackQueue
    var data: Set<SharedData> = []
    var isDone = false
    /// Those whose times overlap with this one's.
    var neighbours: [Int]
  }

  private var operations: [Operation] = []
  private var count = 0

  /// A number for an operation.
  mutating func number() -> Int {
    count += 1
    return count
  }

  /// Begins an operation.
  mutating func begin(_ number: Int, on queue: StackQueue) {
    let open = operations.filter { !$0.isDone }.map { $0.number }
    for place in operations.indices where !operations[place].isDone {
      operations[place].neighbours.append(number)
    }
    operations.append(Operation(number: number, queue: queue, neighbours: open))
  }

  /// Notes that an operation works on something, and answers whether a neighbour on the other context
  /// does so as well.
  mutating func note(_ data: SharedData, by number: Int) -> Bool {
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
    // One is forgotten when all its neighbours are done.
    let open = Set(operations.filter { !$0.isDone }.map { $0.number })
    operations.removeAll { $0.isDone && open.isDisjoint(with: $0.neighbours) }
  }
}
