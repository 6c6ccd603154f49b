internal import Conformance
internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios
internal import Simulation

/// The proof that a run is a function of its seed: the same seeds elsewhere come to the same.
extension SimulateCommand {
  /// Runs every seed here, in a process with other hash seeds, in one with fixed hash seeds, and in
  /// another build where one was named, and compares the digests.
  func prove(_ context: Context) throws(CommandFailure) -> ExitCode {
    guard let program = Files.executable else {
      throw CommandFailure("the path of this program is not known")
    }
    var others: [(name: String, program: String, variables: [String])] = [
      ("another process", program, []),
      ("a process with fixed hash seeds", program, ["SWIFT_DETERMINISTIC_HASHING=1"]),
    ]
    if let otherProgram { others.append((otherProgram, otherProgram, [])) }
    var line = ProgressLine(context)
    var done = 0
    for seed in sequence(first: seeds.first, next: { $0 + seeds.stride }) {
      guard seed <= seeds.last else { break }
      let here = try report(of: seed)
      for other in others {
        let there = try report(of: seed, other.program, other.variables)
        guard here != there else { continue }
        line.finish()
        context.output(
          "\(context.style.bad("seed \(seed) differs")) in \(other.name): "
            + "\(here.digest) with \(here.events) events here, \(there.digest) with "
            + "\(there.events) there\n"
            + (try firstDifference(seed, other.program, other.variables)))
        return .failure
      }
      done += 1
      line.show(done, of: seeds.count, "seeds")
    }
    line.finish()
    // Two workers share the seeds in another order than one.
    let one = try joined(program, 1)
    let two = try joined(program, 2)
    guard one == two else {
      context.output("\(context.style.bad("two workers come to something else than one"))\n")
      return .failure
    }
    let places = ["here", "with two workers"] + others.map(\.name)
    context.output(
      "\(TextLayout.counted(done, "seed")) came to the same \(places.joined(separator: ", ")): "
        + "\(one.digest)\n")
    return .success
  }

  /// Where the run of a seed here and there part, and what happened here at that moment.
  private func firstDifference(
    _ seed: UInt64, _ program: String, _ variables: [String]
  ) throws(CommandFailure) -> String {
    do {
      let scenario = try options.campaign().generator.scenario(seed: seed)
      var world = try World(scenario, options.participants, records: true, chains: true)
      let run = try world.run()
      let words = ["replay", "\(seed)", "--digests"] + options.words
      let process = try Subprocess(program, words, variables)
      while !process.advance(milliseconds: 50) {}
      let here = run.chain.map { "\($0.nanoseconds) \($0.digest)" }
      let there = String(decoding: process.output, as: UTF8.self).split(separator: "\n")
      guard
        let place = (0..<max(here.count, there.count)).first(where: { place in
          place >= here.count || place >= there.count || here[place] != there[place]
        })
      else { return "a second time they agree: what differs is not in the seed\n" }
      guard place < run.chain.count, let trace = run.trace else {
        return "event \(place + 1) is there only\n"
      }
      let time = run.chain[place].nanoseconds
      var moment = trace
      moment.entries.removeAll { $0.time != time }
      var timeline = TextTimeline()
      timeline.isDetailed = true
      return "the first that differs is event \(place + 1); here happened then\n"
        + timeline.lines(of: moment).joined(separator: "\n") + "\n"
    } catch {
      throw (error as? CommandFailure) ?? CommandFailure("\(program): \(error)")
    }
  }

  private func report(of seed: UInt64) throws(CommandFailure) -> CampaignReport {
    var report = CampaignReport()
    do throws(HarnessError) {
      var campaign = try options.campaign()
      campaign.isSafetyOnly = isSafetyOnly
      report.add(try campaign.run(seed: seed), seed: seed)
    } catch {
      throw CommandFailure("\(options.implementation.name): \(error)")
    }
    return report
  }

  private func report(
    of seed: UInt64, _ program: String, _ variables: [String]
  ) throws(CommandFailure) -> CampaignReport {
    let words = workerWords(SeedRange(first: seed, last: seed))
    return try report(program, words, variables)
  }

  private func joined(_ program: String, _ jobs: Int) throws(CommandFailure) -> CampaignReport {
    var words = workerWords(seeds)
    if let place = words.firstIndex(of: "--jobs") { words[place + 1] = "\(jobs)" }
    return try report(program, words, [])
  }

  private func report(
    _ program: String, _ words: [String], _ variables: [String]
  ) throws(CommandFailure) -> CampaignReport {
    do {
      let process = try Subprocess(
        program, ["simulate"] + words, variables + ["\(Self.workerVariable)=1"])
      while !process.advance(milliseconds: 50) {}
      guard process.end == .exited(0) || process.end == .exited(1) else {
        throw CommandFailure("\(program) did not come to an end")
      }
      return try CampaignFile(try JSONValue.parse(process.output)).report
    } catch {
      throw (error as? CommandFailure) ?? CommandFailure("\(program): \(error)")
    }
  }
}
