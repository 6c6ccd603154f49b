internal import Datastore
public import JSON

extension BenchmarkReport {
  private static let format: JSONString = "touchstone-benchmarks"
  private static let version: Int64 = 1

  /// The report for machines; times are integer nanoseconds of whole runs.
  public var json: JSONValue {
    [
      "format": .string(Self.format), "version": .integer(Self.version),
      "machine": machine.json, "storage": .text(storage.rawValue),
      "scale": .text(scale.rawValue),
      "measurements": .array(measurements.map { $0.json }),
    ]
  }

  /// Parses a report from JSON; throws `badReport` for anything but a report of this version.
  public init(parsing text: some Collection<UInt8>) throws(BenchmarkError) {
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue.parse(text) } catch {
      throw .badReport(error.description)
    }
    do throws(DecodingFailure) { self = try Self.read(json) } catch {
      throw .badReport(error.description)
    }
  }

  private static func read(_ json: JSONValue) throws(DecodingFailure) -> BenchmarkReport {
    var reader = try ObjectReader(json)
    guard try reader.text("format") == format else {
      throw DecodingFailure(path: "format", message: "expected '\(format)'")
    }
    let found = try reader.integer("version")
    guard found == version else {
      throw DecodingFailure(path: "version", message: "expected \(version), found \(found)")
    }
    let report = BenchmarkReport(
      machine: try Machine(&reader),
      storage: try reader.choice("storage"), scale: try reader.choice("scale"),
      measurements: try reader.elements("measurements") { (json, path) throws(DecodingFailure) in
        try Measurement(json, path: path)
      })
    try reader.finish()
    return report
  }
}

extension Machine {
  fileprivate var json: JSONValue {
    [
      "processor": .text(processor), "cores": .integer(coreCount), "system": .text(system),
      "sqlite": .text(sqlite), "jansson": .text(jansson), "swift": .text(swift),
      "build": .text(build),
    ]
  }

  fileprivate init(_ report: inout ObjectReader) throws(DecodingFailure) {
    var reader = try report.reader("machine")
    processor = try reader.text("processor").string
    coreCount = try reader.integer("cores")
    system = try reader.text("system").string
    sqlite = try reader.text("sqlite").string
    jansson = try reader.text("jansson").string
    swift = try reader.text("swift").string
    build = try reader.text("build").string
    try reader.finish()
  }
}

extension Measurement {
  /// The ratio can be computed from the times; it is included for convenience.
  fileprivate var json: JSONValue {
    var object: JSONObject = [
      "name": .text(name), "unit": .text(unit), "count": .integer(Int64(count)),
      "storeNanoseconds": store.json, "floorNanoseconds": floor.json,
      "ratio": [
        "median": .double(ratio.median), "min": .double(ratio.min), "max": .double(ratio.max),
      ],
    ]
    if floorCount != count { object["floorCount"] = .integer(Int64(floorCount)) }
    object["memory"] = memory.map { .integer($0) }
    return .object(object)
  }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    let name = try reader.text("name").string
    let unit = try reader.text("unit").string
    let count = Int(truncatingIfNeeded: try reader.integer("count"))
    let store = try Samples(&reader, "storeNanoseconds")
    let floor = try Samples(&reader, "floorNanoseconds")
    _ = reader.optional("ratio")
    let floorCount = try reader.optionalInteger("floorCount").map { Int(truncatingIfNeeded: $0) }
    let memory = try reader.optionalInteger("memory")
    try reader.finish()
    guard
      let measurement = Measurement(
        name: name, unit: unit, count: count, floorCount: floorCount, memory: memory,
        store: store, floor: floor)
    else {
      throw DecodingFailure(
        path: path,
        message: "expected a positive count, and as many times of the store as of the baseline")
    }
    self = measurement
  }
}

extension Samples {
  fileprivate var json: JSONValue { .array(nanoseconds.map { .integer($0) }) }

  fileprivate init(_ reader: inout ObjectReader, _ name: JSONString) throws(DecodingFailure) {
    let times = try reader.elements(name) { (json, path) throws(DecodingFailure) in
      try json.integer(at: path)
    }
    guard let samples = Samples(nanoseconds: times) else {
      throw DecodingFailure(
        path: reader.path(to: name), message: "expected at least one time, none negative")
    }
    self = samples
  }
}
