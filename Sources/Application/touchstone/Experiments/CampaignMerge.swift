internal import Conformance
internal import Simulation

/// Joins the reports of the parts of one campaign.
struct CampaignMerge {
  private(set) var file: CampaignFile
  /// The number of seeds that ran, and the number requested.
  private(set) var ran: UInt64 = 0
  private(set) var asked: UInt64 = 0

  /// The reason why reports cannot be joined.
  struct Refusal: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  /// - Parameters:
  ///   - files: the reports with their paths, at least one, each of version 2.
  ///   - isPartial: whether seeds may be missing.
  init(_ files: [(path: String, file: CampaignFile)], isPartial: Bool) throws(Refusal) {
    file = files[0].file
    let first = files[0]
    for (path, other) in files {
      if other.seeds?.isEmpty == true {
        throw Refusal(
          description: "\(path): seeds: an empty list; expected at least one part")
      }
      guard let identity = other.identity, other.seeds != nil, let whole = first.file.identity
      else {
        throw Refusal(
          description: "\(path): no implementation, program, options and seeds, because an "
            + "older version of touchstone wrote it; show it alone")
      }
      let differences = identity.differences(from: whole)
      guard differences.isEmpty else {
        throw Refusal(
          description: "\(first.path) and \(path) are parts of different campaigns: "
            + differences.joined(separator: "; "))
      }
      for part in other.seeds ?? [] where part.ranCount == 0 {
        throw Refusal(
          description: "\(path): no seed of \(part) ran")
      }
    }
    var parts = files.flatMap { entry in (entry.file.seeds ?? []).map { (entry.path, $0) } }
    parts.sort { Self.order($0.1) < Self.order($1.1) }
    try Self.rejectOverlaps(parts)
    let gaps = measure(parts.map { $0.1 })
    guard gaps.isEmpty || isPartial else {
      let shown = gaps.prefix(5).joined(separator: "; ")
      let more = gaps.count > 5 ? "; and \(gaps.count - 5) more" : ""
      throw Refusal(
        description:
          "\(ran) of \(asked) seeds ran: \(shown)\(more); run the missing seeds, or accept "
          + "the gaps with --partial")
    }
    for (path, other) in files.dropFirst() {
      do throws(CampaignReport.Overflow) {
        try file.report.join(other.report)
      } catch {
        throw Refusal(description: "\(path): \(error)")
      }
    }
    file.seeds = parts.map { $0.1 }
    if gaps.isEmpty, let first = parts.first?.1.first {
      let last = parts.compactMap { $0.1.last ?? $0.1.lastRun }.max() ?? first
      var whole = SeedPart(first: first, last: last)
      whole.add(SeedPart.Span(first: first, last: last))
      file.seeds = [whole]
    }
  }

  /// Whether seeds are missing.
  var isPartial: Bool { ran < asked }

  private static func order(_ part: SeedPart) -> (UInt64, UInt64, UInt64, UInt64) {
    (part.first, part.last ?? .max, part.count, part.place)
  }

  /// Checks that parts of one range are different shards of one division, and that ranges do not
  /// overlap.
  private static func rejectOverlaps(_ parts: [(path: String, part: SeedPart)]) throws(Refusal) {
    for (left, right) in zip(parts, parts.dropFirst()) {
      let names = left.path == right.path ? left.path : "\(left.path) and \(right.path)"
      if left.part.first == right.part.first, left.part.last == right.part.last {
        guard left.part.count == right.part.count else {
          throw Refusal(
            description:
              "\(names) divide the same seeds differently: \(left.part) and \(right.part)")
        }
        guard left.part.place != right.part.place else {
          throw Refusal(
            description: left.path == right.path
              ? "\(names): duplicate part \(left.part)"
              : "\(names) are the same part: \(left.part)")
        }
      } else if let end = end(of: left.part, among: parts.map { $0.part }), end >= right.part.first
      {
        throw Refusal(description: "\(names) overlap: \(left.part) and \(right.part)")
      }
    }
  }

  /// Returns the last seed of the range of a part; for an open range, the last seed that ran in any
  /// of its parts.
  private static func end(of part: SeedPart, among parts: [SeedPart]) -> UInt64? {
    part.last
      ?? parts.filter { $0.first == part.first && $0.last == nil }.compactMap { $0.lastRun }.max()
  }

  /// Counts the seeds that ran and that were requested, and lists the missing ones.
  private mutating func measure(_ parts: [SeedPart]) -> [String] {
    var gaps: [String] = []
    var rest = parts[...]
    var previousEnd: UInt64?
    while let lead = rest.first, let end = Self.end(of: lead, among: parts) {
      let range = rest.prefix { $0.first == lead.first && $0.last == lead.last }
      rest = rest.dropFirst(range.count)
      if let previousEnd, lead.first > previousEnd + 1 {
        gaps.append("seeds \(previousEnd + 1)..\(lead.first - 1) are in no report")
        asked += lead.first - previousEnd - 1
      }
      previousEnd = end
      asked += end - lead.first + 1
      let places = Set(range.map(\.place))
      for place in 1...lead.count where !places.contains(place) {
        var missing = lead
        missing.place = place
        // A range can have fewer seeds than shards.
        if missing.askedCount(through: end) > 0 { gaps.append("\(missing) is missing") }
        guard gaps.count < 1000 else { break }
      }
      for part in range {
        ran += part.ranCount
        let count = part.askedCount(through: end)
        if part.ranCount < count { gaps.append("\(part) ran \(part.ranCount) of \(count) seeds") }
      }
    }
    return gaps
  }
}
