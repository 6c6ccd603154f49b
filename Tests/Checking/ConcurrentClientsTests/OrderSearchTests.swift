import Datastore
import JSON
import Testing

@testable import ConcurrentClients

/// The search agrees with trying all orders, on small histories that are often contradictory.
struct OrderSearchTests {
  /// A history of random operations on one document with plausible outcomes.
  private static func history(_ random: inout RandomGenerator) -> ClientHistory {
    let revs: [RevisionID] = ["1-a", "2-b", "2-c", "3-d"]
    let count = random.below(4) + 3
    var times = Array(1...Int64(count * 2))
    for place in times.indices.reversed() { times.swapAt(place, random.below(place + 1)) }
    return ClientHistory(
      (0..<count).map { number in
        let (one, other) = (times[number * 2], times[number * 2 + 1])
        let (action, outcome) = operation(number, revs, &random)
        let isLost = random.below(8) == 0
        return ClientOperation(
          connection: number + 1, StoreOperation("a", action), call: min(one, other),
          end: isLost ? nil : max(one, other), outcome: isLost ? nil : outcome)
      })
  }

  private static func operation(
    _ number: Int, _ revs: [RevisionID], _ random: inout RandomGenerator
  ) -> (StoreAction, Outcome) {
    let body: JSONValue = ["w": .integer(Int64(number))]
    let rev = revs[random.below(revs.count)]
    let conflict = Outcome.error(DatastoreError(.conflict))
    switch random.below(7) {
    case 0:
      return (
        .create(id: "d", body: body),
        random.below(3) == 0 ? conflict : .ok(.written(id: "d", rev: "1-a"))
      )
    case 1:
      return (
        .update(id: "d", rev: "1-a", body: body),
        random.below(2) == 0 ? conflict : .ok(.written(id: "d", rev: "2-b"))
      )
    case 2:
      return (
        .delete(id: "d", rev: "2-b"),
        random.below(2) == 0 ? conflict : .ok(.written(id: "d", rev: "3-d"))
      )
    case 3:
      let record = RevisionRecord(id: "d", path: ["2-c", "1-a"], body: body)
      return (.insertRevisions([record]), .ok(.inserted([nil])))
    case 4:
      return (.purge(id: "d", revs: [rev]), .ok(.purged(random.below(2) == 0 ? [] : [rev])))
    case 5:
      let leaves = revs.filter { _ in random.below(2) == 0 }.map { Leaf(rev: $0) }
      return (
        .leaves(id: "d"),
        leaves.isEmpty
          ? .error(DatastoreError(.notFound(.missing))) : .ok(.leaves(leaves.reversed()))
      )
    default:
      return (.revsDiff([RevisionQuery(id: "d", revs: [rev])]), .ok(.revsDiff([])))
    }
  }

  /// Whether some order of the entries exists, by trying all.
  private static func hasOrder(
    _ entries: [OrderSearch.Entry], _ forest: DocumentForest, _ done: Set<Int> = []
  ) -> Bool {
    if entries.indices.allSatisfy({ done.contains($0) || entries[$0].end == .max }) { return true }
    for place in entries.indices where !done.contains(place) {
      // Nothing that has not happened may have ended before.
      let isPossible = entries.indices.allSatisfy { other in
        done.contains(other) || entries[other].end > entries[place].call
      }
      guard isPossible else { continue }
      for way in entries[place].ways {
        var next = forest
        guard way.allSatisfy({ next.admit($0) }) else { continue }
        if hasOrder(entries, next, done.union([place])) { return true }
      }
    }
    return false
  }

  @Test func agreesWithTryingAllOrders() {
    var random = RandomGenerator(seed: 7)
    var counts = (ordered: 0, contradictory: 0)
    for _ in 0..<3000 {
      let history = Self.history(&random)
      let reading = HistoryReading(history, Set(ConsistencyPromise.allCases))
      for search in reading.searches(stepsMax: 1_000_000).map(\.search) {
        let expected = Self.hasOrder(search.entries, search.beginning)
        var searching = search
        switch searching.run() {
        case .ordered(let order):
          #expect(expected)
          #expect(Self.isValid(order, search))
          counts.ordered += 1
        case .noOrder:
          #expect(!expected)
          counts.contradictory += 1
        case .unknown: Issue.record("the search ended early")
        }
      }
    }
    // Both answers are frequent.
    #expect(counts.ordered > 300 && counts.contradictory > 300)
  }

  /// Whether an order has all operations with a response, and respects their times.
  private static func isValid(_ order: [Int], _ search: OrderSearch) -> Bool {
    let answered = search.entries.filter { $0.end != .max }.map(\.operation).sorted()
    let times = Dictionary(
      search.entries.map { ($0.operation, ($0.call, $0.end)) }, uniquingKeysWith: { one, _ in one })
    let isInTime = order.indices.allSatisfy { place in
      order[..<place].allSatisfy { earlier in
        guard let one = times[earlier], let other = times[order[place]] else { return false }
        return one.0 < other.1
      }
    }
    return isInTime && answered.allSatisfy { order.contains($0) }
  }
}
