internal import Conformance
internal import JSON
internal import ReferenceDatastore
internal import Scenarios
internal import Simulation

/// The result of a campaign, for readers.
struct CampaignText {
  private let report: CampaignReport
  private let options: SimulationOptions?
  private let identity: CampaignIdentity?
  private let share: Share?

  /// The number of seeds that ran, if some are missing.
  struct Share {
    var ran: UInt64
    var asked: UInt64

    /// ` in 667 of 1000 seeds (66.7 %)`, rounded down, so that every gap shows.
    var sentence: String {
      let (high, low) = ran.multipliedFullWidth(by: 1000)
      let permille = asked > high ? asked.dividingFullWidth((high, low)).quotient : 0
      return " in \(ran) of \(asked) seeds (\(permille / 10).\(permille % 10) %)"
    }
  }

  /// - Parameters:
  ///   - identity: the subject, if the options do not state it.
  ///   - share: how much of the campaign ran; nil for all of it.
  init(
    _ report: CampaignReport, _ options: SimulationOptions?, identity: CampaignIdentity? = nil,
    share: Share? = nil
  ) {
    self.report = report
    self.options = options
    self.identity = identity
    self.share = share
  }

  /// The headline, the failures, and the probes that fired too seldom.
  func text(nanoseconds: UInt64?, _ style: TextStyle) -> String {
    var lines: [String] = []
    if let options {
      lines.append(
        "\(options.implementations.entries.name): \(options.replicas) replicas, "
          + "\(options.operations) operations each, faults: "
          + (options.faults.count == ScenarioGenerator.FaultClass.allCases.count
            ? "all" : options.faultWords)
          + (options.hasApplications ? "; applications on contexts" : ""))
    }
    if let identity {
      let words = identity.options.map { shellQuoted($0.string) }.joined(separator: " ")
      lines.append(
        TextLayout.printable(
          "\(identity.name) \(identity.version): \(words); touchstone \(identity.tool), program "
            + "\(identity.program.string.prefix(12))"))
    }
    var headline =
      "\(TextLayout.counted(report.runs, "run")), \(TextLayout.counted(report.events, "event")), "
      + "\(duration(report.milliseconds)) simulated"
    if let nanoseconds {
      let seconds = Double(nanoseconds) / 1e9
      headline += " in \(duration(nanoseconds / 1_000_000))"
      headline += " (\(Int(Double(report.events) / seconds)) events a second)"
    }
    lines.append(headline)
    if report.failures.isEmpty {
      lines.append(
        style.good(report.counts.isEmpty ? "0 lost writes" : "no finding")
          + "\(share?.sentence ?? ""); \(figures)")
    } else {
      lines.append(
        style.bad("\(TextLayout.counted(report.failures.count, "run")) failed")
          + (share?.sentence ?? ""))
      for failure in report.failures.prefix(10) {
        let sentence = TextLayout.printable(failure.finding.sentence.string)
        lines.append(
          "  seed \(failure.seed), \(failure.finding.oracle): \(sentence)")
      }
      if report.failures.count > 10 {
        lines.append("  and \(TextLayout.counted(report.failures.count - 10, "more run"))")
      }
    }
    lines += deviations
    if report.probes[.lostConvergence] > 0 {
      lines.append(
        "lost convergence: \(TextLayout.counted(report.probes[.lostConvergence], "edit")) with another "
          + "revision id than an equal edit on another replica")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The declared deviations that occurred, with the number of their runs.
  private var deviations: [String] {
    let deviations = report.deviations
    guard !deviations.isEmpty else { return [] }
    let words = deviations.map { "\($0.deviation.id) in \(TextLayout.counted($0.count, "run"))" }
    return ["deviations, as declared: \(words.joined(separator: ", "))"]
  }

  /// The figures of an experiment; of a simulation, the probes that fired too seldom.
  private var figures: String {
    guard !report.counts.isEmpty else { return probeSentence }
    return report.counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }

  /// A campaign in which a rare event did not happen covers it badly.
  private var probeSentence: String {
    let least = max(1, report.runs / 1000)
    let hasFiles =
      options.map { $0.implementations.entries.contains(where: \.keepsFiles) }
      ?? Probe.allCases.contains { $0.needsFiles && report.probes[$0] > 0 }
    let hasAttachments = report.probes[.attached] > 0
    let hasContexts = report.probes[.childSaved] > 0
    let expected = Probe.allCases.filter {
      !$0.isShortcoming && (hasFiles || !$0.needsFiles) && (hasAttachments || !$0.needsAttachments)
        && (hasContexts ? !$0.needsDocuments : !$0.needsContexts)
    }
    let rare = expected.filter { report.probes[$0] < least }
    guard !rare.isEmpty else {
      return "all \(expected.count) probes fired at least \(least)×"
    }
    let named = rare.prefix(5).map(\.rawValue).joined(separator: ", ")
    let others = rare.count > 5 ? ", and \(rare.count - 5) more" : ""
    return "not covered: fewer than \(least)× \(named)\(others)"
  }
}

/// `3 h`, `12 min`, `5 s`.
func duration(_ milliseconds: UInt64) -> String {
  switch milliseconds {
  case 0..<10_000: "\(milliseconds / 1000).\(milliseconds / 100 % 10) s"
  case 0..<600_000: "\(milliseconds / 1000) s"
  case 0..<36_000_000: "\(milliseconds / 60_000) min"
  case 0..<864_000_000: "\(milliseconds / 3_600_000) h"
  default: "\(milliseconds / 86_400_000) days"
  }
}
