internal import ConcurrentClients
internal import Conformance
internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios
internal import Simulation

// A finding of `touchstone concurrent`: a table of few operations, and how to repeat it.

extension ConcurrentCommand {
  /// The number of repetitions of a seed whose schedule is free.
  private static let repetitionCount = 10

  func show(
    _ failure: CampaignReport.Failure, of subject: ConcurrentExperiment?, _ context: Context
  ) throws(CommandFailure) {
    var experiment = try implementation.attempt { () throws(HarnessError) in try made(subject) }
    if HistoryFinding.Check(rawValue: failure.finding.shape.string) == nil {
      context.output(
        "\(context.style.bad("\(implementation.name) broke down")) at seed \(failure.seed): "
          + "\(TextLayout.printable(failure.finding.sentence.string))\nagain  "
          + "\(again(failure.seed))\n")
      return
    }
    if experiment.found[failure.seed] == nil {
      // Another process found it.
      _ = try implementation.attempt { () throws(HarnessError) in
        try experiment.report(ofSeed: failure.seed)
      }
    }
    guard let (history, verdict) = experiment.found[failure.seed],
      let finding = verdict.findings.first(where: {
        $0.check.rawValue == failure.finding.shape.string
      }) ?? verdict.findings.first
    else {
      reportVanished(failure, context)
      return
    }
    context.output(
      "\(context.style.bad("\(implementation.name) \(finding.check.headline)")) at seed \(failure.seed): "
        + "\(TextLayout.printable(finding.sentence))\n")
    let picture = HistoryPicture(
      finding, in: history, settings.promises, isStopped: context.isInterrupted)
    context.output(picture.text(width: context.width, context.style))
    let others = verdict.findings.count - 1
    if others > 0 {
      context.output("\(TextLayout.counted(others, "other finding")) in this history\n")
    }
    if settings.isControlled {
      context.output("again  \(again(failure.seed))\n")
    } else {
      let (hits, count) = try implementation.attempt { () throws(HarnessError) in
        try experiment.repetitions(
          failure.seed, finding.check, of: Self.repetitionCount, isStopped: context.isInterrupted)
      }
      context.output(
        "again  \(again(failure.seed))\n       \(hits) of \(count) repetitions have a finding of "
          + "this kind\n")
    }
    if let page {
      let words = (["touchstone"] + Self.manual.words + words + ["--seeds", "\(failure.seed)"])
      let html = picture.page(
        implementation: implementation.name, seed: failure.seed,
        command: words.map(shellQuoted).joined(separator: " ")
      ).html
      try onFiles { () throws(Files.Failure) in try Files.write(html, to: page) }
      context.output("wrote \(page)\n")
    }
    if let historyPath {
      let lines = history.operations.map { $0.json.serialized() + "\n" }.joined()
      try onFiles { () throws(Files.Failure) in try Files.write(lines, to: historyPath) }
      context.output("wrote \(historyPath)\n")
    }
  }
}

extension HistoryFinding.Check {
  /// What the store does wrong, after its name.
  fileprivate var headline: String {
    switch self {
    case .order: "has no order"
    case .feed: "has a wrong order in its feed"
    case .session: "loses what a client has read or written"
    case .conservation: "loses or invents a revision"
    case .response: "returns a wrong outcome"
    }
  }
}
