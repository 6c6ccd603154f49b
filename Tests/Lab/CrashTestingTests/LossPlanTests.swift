import Testing

@testable import CrashTesting
@testable import Storage

/// The tested outcomes of a power loss.
@Suite struct LossPlanTests {
  private func changes(_ count: Int, sectors: Int = 1) -> [UnsyncedChange] {
    (1...max(1, count)).prefix(count).map { number in
      UnsyncedChange(
        number: number, step: StorageStep(.write, .wal, ordinal: number), fileName: "x-wal",
        sectorCount: sectors)
    }
  }

  private func outcomes(_ count: Int, sectors: Int = 1, max: Int, seed: UInt64 = 1) -> [PowerLoss] {
    LossPlan(changes: changes(count, sectors: sectors), outcomesMax: max, seed: seed).outcomes()
      .map { $0.loss }
  }

  /// The changes that are kept completely.
  private func kept(_ loss: PowerLoss, of count: Int) -> Set<Int> {
    Set((1...count).filter { (loss.outcomes[$0] ?? loss.others) == .kept })
  }

  @Test func nothingUnsyncedIsOneOutcome() {
    #expect(outcomes(0, max: 8) == [PowerLoss()])
  }

  @Test func fewChangesAreTriedInAllSubsets() {
    let sets = Set(outcomes(5, max: 64).map { kept($0, of: 5) })
    #expect(sets.count == 32)
  }

  @Test func allAndNothingAreAlwaysAmongThem() {
    for count in [1, 7, 100] {
      let few = outcomes(count, sectors: 8, max: 2)
      #expect(few.map { kept($0, of: count).count } == [0, count])
    }
  }

  @Test func manyChangesAreBoundedAndOfAllKinds() {
    let many = outcomes(40, sectors: 8, max: 50)
    #expect(many.count == 50)
    let torn = many.filter { loss in
      loss.outcomes.values.contains { if case .torn = $0 { true } else { false } }
    }
    #expect(torn.count >= 10)
    let prefixes = many.filter { loss in
      let kept = kept(loss, of: 40)
      return kept == Set(1...40).intersection(1...max(1, kept.count)) && loss.others == .dropped
    }
    #expect(prefixes.count >= 8)
    #expect(many.contains { kept($0, of: 40).count == 39 })
    #expect(many.contains { kept($0, of: 40).count == 1 })
  }

  @Test func eachPrefixAndEachTearIsThereWhenThereIsRoom() {
    let all = outcomes(3, sectors: 8, max: 1000)
    for count in 0...3 {
      #expect(all.contains { kept($0, of: 3) == Set((1...3).prefix(count)) })
    }
    for sectors in [1, ~1, 0x5555_5555_5555_5555, 0] as [UInt64] {
      #expect(
        all.contains {
          $0 == PowerLoss(outcomes: [1: .kept, 2: .torn(sectors: sectors)])
        }, "\(sectors)")
    }
  }

  @Test func theSeedDecidesWhatIsPicked() {
    #expect(outcomes(30, max: 20) == outcomes(30, max: 20))
    #expect(outcomes(30, max: 20) != outcomes(30, max: 20, seed: 2))
  }
}
