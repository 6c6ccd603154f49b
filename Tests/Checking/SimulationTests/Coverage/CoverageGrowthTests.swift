import Testing

@testable import Simulation

struct CoverageGrowthTests {
  private static func states(_ numbers: some Sequence<Int>) -> Set<Fingerprint> {
    Set(
      numbers.map { number in
        var print = Fingerprint()
        print.fold(number)
        return print
      })
  }

  @Test func stepsAreAtDoublings() {
    var growth = CoverageGrowth()
    for run in 0..<6 { growth.add(Self.states(0...run)) }
    #expect(growth.stateCount == 6 && growth.runCount == 6)
    #expect(growth.steps.map(\.runs) == [1, 2, 4, 6])
    #expect(growth.steps.map(\.states) == [1, 2, 4, 6])
    #expect(growth.steps.map(\.found) == [1, 1, 2, 2])
    #expect(growth.steps.map(\.foundPerThousand) == [1000, 1000, 1000, 1000])
  }

  @Test func knownStatesAreNotNew() {
    var growth = CoverageGrowth()
    for _ in 0..<19 { growth.add(Self.states(0..<50)) }
    growth.add(Self.states(49..<53))
    #expect(growth.stateCount == 53)
    #expect(growth.steps.last == .init(runs: 20, states: 53, found: 3, since: 4))
    #expect(growth.steps.last?.foundPerThousand == 750)
    #expect(growth.lastTenth == (2, 3))
  }

  @Test func withoutRuns() {
    #expect(CoverageGrowth().steps.isEmpty && CoverageGrowth().lastTenth == (0, 0))
  }
}
