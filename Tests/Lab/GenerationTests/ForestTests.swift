import Datastore
import ReferenceDatastore
import Testing

@testable import Generation

struct ForestTests {
  /// The number of ways to choose parents level by level.
  @Test(arguments: zip(1...5, [1, 2, 5, 15, 52]))
  func allForestsAreThere(count: Int, expected: Int) {
    let forests = Forest.all(ofCount: count)
    #expect(forests.count == expected)
    #expect(Set(forests).count == expected)
    for forest in forests {
      #expect(forest.count == count)
      #expect(Set((0..<count).map { forest.letter($0) }).count == count)
    }
  }

  /// An older generation has the higher letters; within one they ascend with the indices.
  @Test func namesContradictGenerations() {
    for forest in Forest.all(ofCount: 5) {
      for place in 1..<forest.count {
        let isYounger = forest.generations[place - 1] < forest.generations[place]
        let descends = forest.letter(place).utf8.lexicographicallyPrecedes(
          forest.letter(place - 1).utf8)
        #expect(descends == isYounger)
      }
    }
  }

  @Test func codesNamePaths() throws {
    let chain = try #require(Forest.all(ofCount: 3).first { $0.generations == [1, 2, 3] })
    #expect(Arrival(tip: 2, length: 2, deleted: true).code(in: chain) == "3abx")
    #expect(
      Arrival(tip: 2, length: 3, deleted: false).record(in: chain).path
        == ["3-a", "2-b", "1-c"])
    #expect(chain.leaves == 0b100)
  }
}

struct ForestExplorerTests {
  static let cases: [ForestCase] = {
    var explorer = ForestExplorer(countMax: 4)
    explorer.explore()
    return explorer.cases
  }()

  /// The arithmetic that finds cases agrees with the model that decides the expectations, and all
  /// orders on which stores cannot differ have the same result.
  @Test(arguments: cases.indices)
  func allOrdersEndAsTheModelDoes(place: Int) throws {
    let schedule = Self.cases[place].schedule
    let forest = schedule.forest
    let isFixed = schedule.arrivals.last?.isAgain ?? false
    let free = isFixed ? Array(schedule.arrivals.dropLast()) : schedule.arrivals
    let end = isFixed ? Array(schedule.arrivals.suffix(1)) : []
    for order in free.orders.map({ $0 + end }) {
      var holdings = Holdings()
      var isSettled = true
      for arrival in order {
        if MergeEvent(arrival, meeting: holdings, in: forest).isDisputed { isSettled = false }
        holdings.merge(arrival, in: forest)
      }
      guard isSettled else { continue }
      let asked = Asked(
        [StoreOperation("a", .insertRevisions(order.map { $0.record(in: forest) }))]
          + [StoreOperation("a", .leaves(id: "d"))])
      #expect(asked.isAgreed)
      guard case .ok(.leaves(let leaves))? = asked.outcomes.last else {
        Issue.record("no leaves")
        continue
      }
      #expect(leaves.first?.rev == holdings.winner(in: forest).map { forest.name($0) })
      let places = (0..<forest.count).filter { holdings.leaves(in: forest) & 1 << $0 != 0 }
      #expect(Set(leaves.map { $0.rev }) == Set(places.map { forest.name($0) }))
    }
  }

  @Test func findsTheSameAgain() {
    var explorer = ForestExplorer(countMax: 4)
    explorer.explore()
    #expect(explorer.cases.map { $0.schedule } == Self.cases.map { $0.schedule })
    #expect(explorer.cases.map { $0.otherOrder } == Self.cases.map { $0.otherOrder })
    #expect(explorer.disputed.allSatisfy { !$0.arrivals.isEmpty })
  }
}
