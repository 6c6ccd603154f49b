internal import Conformance
internal import Datastore
internal import Simulation

/// Seeds that run again, all of them, whatever they find.
extension ExperimentCommand {
  /// Runs seeds again.
  ///
  /// - Parameter ranges: the seeds; an experiment that ends at its first finding needs ranges that
  ///   end at the seeds with findings.
  /// - Returns: the joined reports; nil if the user ended it.
  func repeated(
    _ ranges: [SeedRange], _ context: Context
  ) throws(CommandFailure) -> CampaignReport? {
    let count = ranges.reduce(0) { $0 + $1.count }
    guard experiment.jobs == 1 else {
      let (report, _, failure) = try runPieces(
        // A file may state more seeds than memory has room for.
        ranges.lazy.flatMap { $0.pieces(of: 100) }, of: count, context: context,
        isComplete: { _ in false })
      if let failure { throw failure }
      return context.isInterrupted() ? nil : report
    }
    let report = try implementations.attempt { () throws(HarnessError) in
      var subject = try makeSubject()
      var progress = ExperimentProgress(context, Self.cases, of: count)
      defer { progress.finish() }
      return try subject.run(ranges.lazy.flatMap(\.all), until: .max, context: context) {
        _, report in
        progress.show(report)
        return false
      }
    }
    return context.isInterrupted() ? nil : report
  }
}

extension SeedRange {
  /// Ranges that have the same seeds and end at least at each of the given seeds that they have.
  static func ending(at seeds: [UInt64], _ ranges: [SeedRange]) -> [SeedRange] {
    ranges.flatMap { range in
      var parts: [SeedRange] = []
      var rest = range
      // Between the seeds of a shard are those of others.
      for seed in seeds.sorted() where rest.has(seed) {
        parts.append(SeedRange(first: rest.first, last: seed, stride: range.stride))
        rest.first = seed + range.stride
      }
      if rest.count > 0 {
        parts.append(SeedRange(first: rest.first, last: range.last, stride: range.stride))
      }
      return parts
    }
  }

  /// Returns the seeds at places among those of several ranges, as ranges of one seed, in order.
  static func seeds(at places: Set<Int>, of ranges: [SeedRange]) -> [SeedRange] {
    var chosen: [SeedRange] = []
    var begin = 0
    var places = places.sorted()[...]
    for range in ranges {
      while let place = places.first, place < begin + range.count {
        let seed = range.first + UInt64(place - begin) * range.stride
        chosen.append(SeedRange(first: seed, last: seed))
        places = places.dropFirst()
      }
      begin += range.count
    }
    return chosen
  }
}
