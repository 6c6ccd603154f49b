internal import Conformance
internal import JSON
internal import Simulation

/// The proof that a case is a function of its seed: other processes report the same results.
extension ExperimentCommand {
  /// Runs every seed in this process, in one with other hash seeds, in one with fixed hash seeds,
  /// and in another build if one was named, and compares the digests.
  func prove(_ context: Context) throws(CommandFailure) -> ExitCode {
    guard let program = Files.executable else {
      throw CommandFailure("the path of this program is unknown")
    }
    var others: [(name: String, program: String, variables: [String])] = [
      ("another process", program, []),
      ("a process with fixed hash seeds", program, ["SWIFT_DETERMINISTIC_HASHING=1"]),
    ]
    if let other = experiment.otherProgram { others.append((other, other, [])) }
    var line = ProgressLine(context)
    var done = 0
    for seed in experiment.seeds.all {
      let here = try report(ofSeed: seed)
      for other in others {
        let there = try report(
          other.program, workerWords(SeedRange(first: seed, last: seed), 1),
          variables: other.variables)
        // A report does not have all of a finding.
        guard here.json != there.json else { continue }
        line.finish()
        context.output(
          "\(context.style.bad("seed \(seed) differs")) in \(other.name): "
            + "\(here.digest) with \(here.events) events here, \(there.digest) with "
            + "\(there.events) there\n"
            + (try firstDifference(seed, other.program, variables: other.variables)))
        return .failure
      }
      done += 1
      line.show(done, of: experiment.seeds.count, "seeds")
    }
    line.finish()
    // Two workers run the seeds in another order than one worker. Findings that end the campaign end
    // it at another seed.
    let one = try report(program, workerWords(experiment.seeds, 1), variables: [])
    let endsEarly = isComplete(one)
    if !endsEarly, try report(program, workerWords(experiment.seeds, 2), variables: []) != one {
      context.output(
        "\(context.style.bad("the results of two workers and of one worker differ"))\n")
      return .failure
    }
    let places = ["here"] + (endsEarly ? [] : ["with two workers"]) + others.map(\.name)
    context.output(
      "\(TextLayout.counted(done, "seed")), same results \(places.joined(separator: ", ")): "
        + "\(one.digest)\n")
    return .success
  }

  private func report(
    _ program: String, _ words: [String], variables: [String]
  ) throws(CommandFailure) -> CampaignReport {
    do {
      let process = try Subprocess(
        program, words,
        variables: variables + ["\(workerVariableName)=1"] + implementations.secretVariables)
      while !process.advance(milliseconds: 50) {}
      guard process.end == .exited(0) || process.end == .exited(1) else {
        throw CommandFailure("\(program) did not finish\(Self.message(of: process))")
      }
      return try CampaignFile(try JSONValue.parse(process.output)).report
    } catch {
      throw (error as? CommandFailure) ?? CommandFailure("\(program): \(error)")
    }
  }
}
