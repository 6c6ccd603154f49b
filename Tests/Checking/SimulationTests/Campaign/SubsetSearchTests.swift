import Datastore
import Testing

@testable import Simulation

/// The complete search for the smallest failing part of a list.
@Suite struct SubsetSearchTests {
  /// Two elements that are needed only for each other: leaving out one at a time removes neither.
  @Test func findsWhatLeavingOutOneMisses() throws {
    func fails(_ part: [Int]) -> Bool { part.contains(1) && part.contains(2) == part.contains(3) }
    let whole = [1, 2, 3]
    for left in whole.indices {
      let rest = whole.indices.filter { $0 != left }.map { whole[$0] }
      #expect(!fails(rest))
    }
    #expect(try SubsetSearch.smallest(of: whole) { fails($0) } == 1)
  }

  @Test func triesEveryPartOnceTheSmallFirst() throws {
    var tried: [[Int]] = []
    let least = try SubsetSearch.smallest(of: [7, 8, 9]) { part throws(HarnessError) in
      tried.append(part)
      return false
    }
    #expect(least == 3)
    #expect(tried == [[], [7], [8], [9], [7, 8], [7, 9], [8, 9]])
  }

  @Test func theEmptyPartCanFail() throws {
    #expect(try SubsetSearch.smallest(of: [1, 2]) { _ in true } == 0)
  }

  @Test func longListsAreNotSearched() throws {
    let list = Array(0...SubsetSearch.countMax)
    #expect(try SubsetSearch.smallest(of: list) { _ in true } == nil)
    #expect(try SubsetSearch.smallest(of: Array(list.dropLast())) { $0.count == 2 } == 2)
  }

  @Test func theSearchCanBeStopped() throws {
    #expect(try SubsetSearch.smallest(of: [1, 2, 3]) { $0.count > 1 ? nil : false } == nil)
  }
}
