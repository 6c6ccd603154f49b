internal import Conformance
internal import Datastore
internal import Diagnosis
internal import JSON
internal import ObjectSimulation
internal import ReferenceDatastore
internal import Scenarios
internal import Simulation

// The result of `touchstone compare`: classes of disagreements, and deviations.

extension CompareCommand {
  /// The first seed of each class of disagreements, with the number of its sequences.
  private func classes(
    of report: CampaignReport
  ) -> [(failure: CampaignReport.Failure, count: Int)] {
    var classes: [(failure: CampaignReport.Failure, count: Int)] = []
    for failure in report.failures {
      if let place = classes.firstIndex(where: { $0.failure.finding.shape == failure.finding.shape }
      ) {
        classes[place].count += 1
      } else {
        classes.append((failure, 1))
      }
    }
    return classes
  }

  /// Prints the disagreements for readers, and the shrunk sequences as a vector file.
  func showDisagreements(
    _ report: CampaignReport, _ subject: ComparisonSubject?, context: Context
  ) throws(CommandFailure) {
    let classes = classes(of: report)
    var vectors: [Vector] = []
    for (failure, count) in classes.prefix(classesMax) {
      let shrunk = try implementation.attempt { () throws(HarnessError) in
        var experiment = try made(subject)
        experiment.isStopped = context.isInterrupted
        return try experiment.shrunk(seed: failure.seed)
      }
      guard let shrunk else {
        reportVanished(failure, context)
        continue
      }
      show(shrunk, share: (count, report.runs), context)
      if findsMinimum {
        let least = try implementation.attempt { () throws(HarnessError) in
          var experiment = try made(subject)
          experiment.isStopped = context.isInterrupted
          return try experiment.leastCount(of: shrunk)
        }
        context.error(
          "  smallest   \(leastWords(least, of: shrunk.operations.count, "operation"))\n\n")
      }
      // Its expectations would be those of a store with these deviations.
      guard shrunk.deviations.isEmpty else { continue }
      do throws(DecodingFailure) { vectors.append(try shrunk.vector()) } catch {
        context.error("cannot write the sequence as a vector: \(error)\n")
        for operation in shrunk.operations { context.output("\(SafeJSON(operation.json).line)\n") }
      }
    }
    if classes.count > classesMax {
      context.error(
        "\(classes.count) classes of disagreements; --classes \(classes.count) shows all\n")
    }
    guard !vectors.isEmpty else { return }
    let file = VectorFile(
      family: JSONString(layer == nil ? "model" : "layer"),
      about: JSONString("Found by comparison with the \(modelName)."), vectors: vectors)
    context.output(file.json.pretty() + "\n")
  }

  private func show(
    _ disagreement: ComparisonDisagreement, share: (count: Int, runs: Int), _ context: Context
  ) {
    guard let last = disagreement.operations.last else { return }
    let answer = shown(disagreement.answer)
    let share =
      share.count > 1
      ? " \(share.count) of \(share.runs) sequences disagree in this way." : ""
    context.error(
      """
      \(context.errorStyle.bad("\(implementation.name) disagrees with the \(modelName)")) at seed \
      \(disagreement.seed), \
      \(TextLayout.counted(disagreement.operations.count, "operation")) after shrinking.\(share)
        operation  \(shown(last.description))
        outcome    \(answer)

      """)
    if !disagreement.deviations.isEmpty {
      context.error(
        "  beside     \(disagreement.deviations.joined(separator: ", ")): earlier outcomes need these "
          + "known deviations, so this is no vector\n")
      for operation in disagreement.operations.dropLast() {
        context.error("  before     \(shown(operation.description))\n")
      }
    }
    if let finding = disagreement.finding {
      context.error("  finding    \(shown(finding))\n")
    }
    for outcome in disagreement.accepted {
      context.error("  accepted   \(shown(outcome.description))\n")
    }
    context.error("  again      \(again(disagreement.seed))\n\n")
  }

  /// Returns a text on one line; of a very long one the beginning and its length.
  private func shown(_ text: String) -> String {
    let count = text.utf8.count
    guard count > 4096 else { return TextLayout.printable(text) }
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(1024)))
    return "\(TextLayout.printable(start))… (\(count) bytes)"
  }

  /// The deviations that occurred, with the number of their sequences.
  func deviationLines(_ report: CampaignReport, width: Int) -> [String] {
    report.deviations.map { deviation, count in
      let number = String(count)
      let padding = String(repeating: " ", count: max(0, 6 - number.count))
      return padding
        + TextLayout.abbreviated(
          "\(number)  \(deviation.id)  \(deviation.sentence)", width: width - padding.count,
          remark: "…")
    }
  }
}
