internal import Conformance
internal import Datastore
internal import JSON
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
            + "\(there.events) there\n")
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
      let process = try Subprocess(program, ["simulate"] + words, variables)
      while !process.advance(milliseconds: 50) {}
      guard process.end == .exited(0) || process.end == .exited(1) else {
        throw CommandFailure("\(program) did not come to an end")
      }
      return try CampaignReport(try JSONValue.parse(process.output))
    } catch {
      throw (error as? CommandFailure) ?? CommandFailure("\(program): \(error)")
    }
  }
}
