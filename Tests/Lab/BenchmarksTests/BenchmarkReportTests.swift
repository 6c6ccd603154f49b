import JSON
import Testing

@testable import Benchmarks

struct BenchmarkReportTests {
  private static let machine = Machine(
    processor: "Abacus", coreCount: 2, system: "Linux 6 x86_64", sqlite: "3.40.1",
    jansson: "2.14", swift: "6.3", build: "release")

  private static func report(factor: Int64 = 1, build: String = "release") throws
    -> BenchmarkReport
  {
    var machine = machine
    machine.build = build
    return BenchmarkReport(
      machine: machine, storage: .disk, scale: .standard,
      measurements: [
        try MeasurementTests.measurement(
          store: [3_160_000 * factor, 3_000_000 * factor, 4_000_000 * factor],
          floor: [1_580_000, 1_500_000, 1_600_000]),
        try MeasurementTests.measurement(
          "read", store: [20_000_000 * factor, 19_000_000 * factor, 21_000_000 * factor],
          floor: [8_000_000, 8_000_000, 8_000_000], count: 20_000),
      ])
  }

  @Test func textForPeople() throws {
    #expect(
      try Self.report().text() == """
        Abacus · 2 cores · Linux 6 x86_64 · SQLite 3.40.1 · Jansson 2.14 · Swift 6.3 · release build
        stores on disk · standard scale · 3 runs

        benchmark  ratio    min … max    store  baseline  store per second  unit    per run
        write       2.00  2.00 … 2.50  1.58 ms    790 µs               633  writes        2
        read        2.50  2.38 … 2.63  1.00 µs    400 ns         1,000,000  writes   20,000

        """)
  }

  @Test func comparisonForPeople() throws {
    let text = try Self.report(factor: 2).text(comparedWith: Self.report())
    #expect(
      text.hasSuffix(
        """

        Since the earlier report; below 1 is faster:
        benchmark  store  baseline  ratio now  then
        write       2.00      1.00       4.00  2.00
        read        2.00      1.00       5.00  2.50

        """))
  }

  @Test func anotherMachineIsSaid() throws {
    var earlier = try Self.report()
    earlier.machine.processor = "Slide rule"
    earlier.measurements = []
    let text = try Self.report().text(comparedWith: earlier)
    #expect(text.contains("another machine"))
    #expect(text.contains("No benchmark is in both."))
  }

  @Test func aDebugBuildIsSaid() throws {
    #expect(try Self.report(build: "debug").text().contains("these figures are meaningless"))
  }

  @Test(arguments: [60, 80, 100])
  func linesFit(width: Int) throws {
    let report = try Self.report()
    for line in report.text(width: width, comparedWith: report).split(separator: "\n") {
      let isSentence = line.hasPrefix("It is of another")
      #expect(isSentence || line.unicodeScalars.count <= width, "\(line)")
    }
  }

  @Test func jsonComesBack() throws {
    let report = try Self.report()
    #expect(try BenchmarkReport(parsing: report.json.serializedBytes()) == report)
    #expect(report.json.objectValue?["format"] == "touchstone-benchmarks")
    #expect(report.json.objectValue?["version"] == 1)
  }

  @Test(arguments: [
    ("", "byte 0"), ("[]", "expected an object"), (#"{"format":"other"}"#, "format"),
    (#"{"format":"touchstone-benchmarks","version":2}"#, "version: expected 1, found 2"),
    (#"{"format":"touchstone-benchmarks","version":1}"#, "machine: missing member"),
  ])
  func whatIsNoReport(text: String, reason: String) {
    let error = #expect(throws: BenchmarkError.self) {
      try BenchmarkReport(parsing: Array(text.utf8))
    }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    (#""count":2,"#, #""count":0,"#, "measurements[0]"),
    (#""storage":"disk""#, #""storage":"tape""#, "'tape' is not one of disk, memory"),
    ("[3160000,", "[-3160000,", "measurements[0].storeNanoseconds"),
    ("[3160000,", "[1,3160000,", "as many times"),
    ("[3160000,", "[3160000.5,", "measurements[0].storeNanoseconds[0]"),
    (#""unit":"#, #""units":"#, "unit: missing member"),
    (#""scale":"#, #""extra":1,"scale":"#, "extra: unknown member"),
  ])
  func aDamagedReport(part: String, replacement: String, reason: String) throws {
    let text = try Self.report().json.serialized()
    let pieces = text.split(separator: part, maxSplits: 1, omittingEmptySubsequences: false)
    #expect(pieces.count == 2)
    let error = #expect(throws: BenchmarkError.self) {
      try BenchmarkReport(parsing: Array(pieces.joined(separator: replacement).utf8))
    }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test func thisMachineIsKnown() {
    let machine = Machine.current
    #expect(machine.coreCount >= 1)
    #expect(!machine.processor.isEmpty)
    #expect(machine.sqlite.hasPrefix("3."))
    #expect(machine.jansson.hasPrefix("2."))
  }

  @Test(arguments: [
    (0, "0 ns"), (999.4, "999 ns"), (999.6, "1.00 µs"), (22_349, "22.3 µs"), (874_600, "875 µs"),
    (3_155_000, "3.16 ms"), (2_000_000_000, "2.00 s"),
  ])
  func times(nanoseconds: Double, expected: String) {
    #expect(Figures.time(nanoseconds: nanoseconds) == expected)
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (12_345_678, "12,345,678")])
  func thousands(value: Int, expected: String) {
    #expect(Figures.grouped(value) == expected)
  }
}
