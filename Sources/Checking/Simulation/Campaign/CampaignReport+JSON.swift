public import JSON
internal import Scenarios

extension CampaignReport {
  /// The report as JSON.
  public var json: JSONValue {
    let probes = Probe.allCases.map { (JSONString($0.rawValue), self.probes[$0]) }
    let counts = self.counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let figures = (counts.isEmpty ? probes : counts.map { ($0.key, $0.value) }).map {
      ($0.0, JSONValue.integer(Int64($0.1)))
    }
    var json: JSONObject = [
      "runs": .integer(Int64(runs)), "events": .integer(Int64(events)),
      "milliseconds": JSONValue(milliseconds), "digest": JSONValue(digest),
      counts.isEmpty ? "probes" : "counts": .object(JSONObject(figures)),
      "failures": .array(
        failures.map { failure in
          [
            "seed": JSONValue(failure.seed), "oracle": .string(failure.finding.oracle),
            "shape": .string(failure.finding.shape),
            "sentence": .string(failure.finding.sentence),
            "nanoseconds": JSONValue(failure.finding.time),
          ]
        }),
    ]
    if !deviationCounts.isEmpty {
      let sorted = deviationCounts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      json["deviations"] = .object(
        JSONObject(sorted.map { ($0.key, .integer(Int64($0.value))) }))
    }
    return .object(json)
  }

  /// Reads a report.
  public init(_ json: JSONValue, path: String = "") throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    runs = try reader.count("runs")
    events = try reader.count("events")
    milliseconds = try reader.unsigned("milliseconds")
    digest = try reader.unsigned("digest")
    if let counted = reader.optional("counts") {
      var counts = try ObjectReader(counted, path: reader.path(to: "counts"))
      for member in counted.objectValue?.members ?? [] {
        self.counts[member.name] = try counts.count(member.name)
      }
    } else {
      var counts = try reader.reader("probes")
      for probe in Probe.allCases {
        let name = JSONString(probe.rawValue)
        probes[probe] = counts.optional(name) == nil ? 0 : try counts.count(name)
      }
      try counts.finish()
    }
    if let counted = reader.optional("deviations") {
      var counts = try ObjectReader(counted, path: reader.path(to: "deviations"))
      for member in counted.objectValue?.members ?? [] {
        deviationCounts[member.name] = try counts.count(member.name)
      }
    }
    failures = try reader.elements("failures") { (element, path) throws(DecodingFailure) in
      var reader = try ObjectReader(element, path: path)
      let failure = Failure(
        seed: try reader.unsigned("seed"),
        finding: Trace.Finding(
          oracle: try reader.text("oracle"), shape: try reader.text("shape"),
          sentence: try reader.text("sentence"), time: try reader.unsigned("nanoseconds")))
      try reader.finish()
      return failure
    }
    try reader.finish()
  }
}

extension ObjectReader {
  /// The value of a required integer that is not negative.
  fileprivate mutating func count(_ name: JSONString) throws(DecodingFailure) -> Int {
    let value = try integer(name)
    guard value >= 0, let count = Int(exactly: value) else {
      throw DecodingFailure(path: path(to: name), message: "expected a count, 0 or more")
    }
    return count
  }

  /// The value of a required integer of 64 unsigned bits.
  fileprivate mutating func unsigned(_ name: JSONString) throws(DecodingFailure) -> UInt64 {
    switch try required(name) {
    case .integer(let value) where value >= 0: return UInt64(value)
    case .unsigned(let value): return value
    default:
      throw DecodingFailure(path: path(to: name), message: "expected an integer of 64 bits")
    }
  }
}
