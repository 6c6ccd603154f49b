import Testing

@testable import Benchmarks

struct MeasurementTests {
  @Test func medians() {
    #expect(Samples(nanoseconds: [5])?.median == 5)
    #expect(Samples(nanoseconds: [1, 9])?.median == 5)
    #expect(Samples(nanoseconds: [9, 1, 4])?.median == 4)
    #expect(Samples(nanoseconds: [1, 2, 4, 9])?.median == 3)
  }

  @Test func timesThatAreNone() {
    #expect(Samples(nanoseconds: []) == nil)
    #expect(Samples(nanoseconds: [1, -1]) == nil)
  }

  @Test func theRatioIsTakenPairByPair() throws {
    // The machine becomes slower from pair to pair; the ratio of each pair is the same.
    let measurement = try Self.measurement(store: [20, 40, 80], floor: [10, 20, 40])
    #expect(measurement.ratio.median == 2)
    #expect(measurement.ratio.min == 2)
    #expect(measurement.ratio.max == 2)
    #expect(measurement.storeNanosecondsEach == 20)
    #expect(measurement.floorNanosecondsEach == 10)
  }

  @Test func pairsHaveTwoSides() throws {
    let one = try #require(Samples(nanoseconds: [1]))
    let two = try #require(Samples(nanoseconds: [1, 2]))
    #expect(Measurement(name: "a", unit: "b", count: 1, store: one, floor: two) == nil)
    #expect(Measurement(name: "a", unit: "b", count: 0, store: one, floor: one) == nil)
  }

  @Test func tallyTellsNamesApartAndNotTheirOrder() {
    func tally(_ names: [String]) -> Tally {
      var tally = Tally()
      for name in names { Array(name.utf8).withUnsafeBytes { tally.add(name: $0) } }
      return tally
    }
    #expect(tally(["2-aaaaaaaa", "2-bbbbbbbb"]) == tally(["2-bbbbbbbb", "2-aaaaaaaa"]))
    #expect(tally(["2-aaaaaaaa"]) != tally(["2-aaaaaaab"]))
    #expect(tally(["a"]) != tally([]))
  }

  static func measurement(
    _ name: String = "write", store: [Int64], floor: [Int64], count: Int = 2
  ) throws -> Measurement {
    let store = try #require(Samples(nanoseconds: store))
    let floor = try #require(Samples(nanoseconds: floor))
    return try #require(
      Measurement(name: name, unit: "writes", count: count, store: store, floor: floor))
  }
}
