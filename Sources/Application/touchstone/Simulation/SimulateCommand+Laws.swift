internal import Conformance
internal import Datastore
internal import JSON
internal import Simulation

/// Laws that need no model, seed by seed.
extension SimulateCommand {
  /// Checks all laws under every seed; ends at the first that does not hold.
  func checkLaws(_ context: Context) throws(CommandFailure) -> ExitCode {
    let laws = Laws(options.participants)
    var line = ProgressLine(context)
    var done = 0
    do throws(HarnessError) {
      for seed in sequence(first: seeds.first, next: { $0 + seeds.stride }) {
        guard seed <= seeds.last else { break }
        for law in Law.allCases {
          guard let finding = try laws.check(law, seed: seed) else { continue }
          line.finish()
          let sentence = TextLayout.printable(finding.sentence.string)
          context.output(
            context.style.bad("a law does not hold") + ": \(law.sentence)\n"
              + "  seed \(seed): \(sentence)\n")
          return .failure
        }
        done += 1
        line.show(done, of: seeds.count, "seeds")
      }
    } catch {
      throw CommandFailure("\(options.implementation.name): \(error)")
    }
    line.finish()
    context.output(
      "\(options.implementation.name): \(TextLayout.counted(Law.allCases.count, "law")) under "
        + "\(TextLayout.counted(done, "seed")): \(context.style.good("all hold"))\n")
    return .success
  }
}
