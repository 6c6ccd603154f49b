internal import Adapters
internal import Conformance
internal import Datastore
internal import JSON
internal import Simulation

/// `touchstone upgrade`: checks that a version of a store continues with the files of another one.
struct UpgradeCommand: ExperimentCommand {
  let old: StoreVersion
  let new: StoreVersion
  let implementation: ImplementationEntry
  let experiment: ExperimentOptions
  let steps: Int
  let goesBack: Bool

  static let cases = CaseNoun(plural: "upgrades", singular: "upgrade")
  private static let seeds = (noun: "upgrades", seeds: "1..100")

  static let manual = Manual(
    words: ["upgrade"],
    summary: "Write files with one version of a store, open them with another, and compare with "
      + "the model.",
    options: [
      .init(
        name: "--from", value: "VERSION", choices: StoreVersion.oldNames,
        help: "The version that writes the files: exec:COMMAND, sqlite, or sqlite:N for the "
          + "recorded store of schema version N."),
      .init(
        name: "--to", value: "VERSION", choices: StoreVersion.newNames,
        help: "The version that opens them: exec:COMMAND, sqlite (the default), or a mutant."),
      .init(name: "--back", help: "Then let the first version open the files again."),
      .init(
        name: "--steps", value: "COUNT",
        help: "Random operations before and after the upgrade; the default is 50."),
    ] + ExperimentOptions.manual(seeds),
    notes: """
      Both versions get the same folder in "hello", one after the other. The first version performs \
      random operations and is stopped with "bye", or killed between two operations if it declares \
      "crashes": ["kill"]. The second version is read completely, performs more operations, and is \
      read again. Every outcome must be permitted after all acknowledged operations. A version that \
      does not start on the files is a disagreement. The case is shrunk and printed, and its \
      folder is kept. Exits with 1 on a disagreement, and with 3 if more than 1 in 10 \
      upgrades had too many possible states for the checker to continue.
      """,
    examples: [
      (
        "touchstone upgrade --from 'exec:./adapter-1.4' --to 'exec:./adapter-2.0'",
        "upgrade a store"
      ),
      ("touchstone upgrade --from sqlite:2 --to sqlite", "upgrade an old bundled store"),
      (
        "touchstone upgrade --from sqlite --to mutant:opening-forgets-leaves",
        "see what a finding looks like"
      ),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    guard let from = arguments.value("--from") else {
      throw UsageError("upgrade needs --from", Self.manual)
    }
    old = try StoreVersion(from, option: "--from", among: StoreVersion.oldNames, Self.manual)
    new = try StoreVersion(
      arguments.value("--to") ?? "sqlite", option: "--to", among: StoreVersion.newNames,
      Self.manual)
    goesBack = arguments.has("--back")
    guard !goesBack || old.recorded == nil else {
      throw UsageError("--back: \(old.name) is recorded and does not run", Self.manual)
    }
    implementation = ImplementationEntry(
      name: new.name, keepsFiles: true, followsModel: false,
      runsBesideItself: !old.isCommand && !new.isCommand
    ) { _ throws(HarnessError) in
      throw HarnessError("an upgrade starts its versions itself")
    }
    experiment = try ExperimentOptions(
      arguments, Self.manual, implementation: implementation, cases: Self.seeds)
    steps = try arguments.number("--steps", 1...100_000, for: Self.manual) ?? 50
  }

  var words: [String] {
    ["--from", old.name, "--to", new.name, "--steps", "\(steps)"] + (goesBack ? ["--back"] : [])
  }

  var implementations: [ImplementationEntry] { [implementation] }

  func description() throws(HarnessError) -> ImplementationDescription { try new.description() }

  func makeSubject() throws(HarnessError) -> Upgrade {
    let isWorker = Files.environment(workerVariableName) != nil
    if !implementation.runsBesideItself, !isWorker { Processor.stayOnOne() }
    return try Upgrade(
      try descriptions(), stepCount: steps, goesBack: goesBack,
      recorded: try old.recordedSteps()
    ) { [old, new] end throws(HarnessError) in
      try UpgradeFolder(old, new, after: end)
    }
  }

  private func descriptions() throws(HarnessError) -> Upgrade.Descriptions {
    func description(
      _ option: String, _ version: StoreVersion
    ) throws(HarnessError) -> ImplementationDescription {
      do throws(HarnessError) { return try version.description() } catch {
        throw HarnessError("\(option) \(version.name), in an empty folder: \(error.message)")
      }
    }
    return Upgrade.Descriptions(
      old: try description("--from", old), new: try description("--to", new))
  }

  func conclude(
    _ report: CampaignReport, _ subject: Upgrade?, nanoseconds: UInt64, context: Context
  ) throws(CommandFailure) -> ExitCode {
    let descriptions = try implementation.attempt { () throws(HarnessError) in
      try made(subject).descriptions
    }
    let dropped = descriptions.dropped
    if !dropped.isEmpty {
      context.error(
        "not tested, because \(new.name) does not declare it: "
          + "\(dropped.map(\.rawValue).joined(separator: ", "))\n")
    }
    if let failure = report.failures.first {
      let shrunk = try implementation.attempt { () throws(HarnessError) in
        var experiment = try made(subject)
        experiment.isStopped = context.isInterrupted
        return try experiment.shrunk(seed: failure.seed)
      }
      if let shrunk {
        let keeps = descriptions.old.crashes.contains(.kill)
        UpgradeText(self, shrunk, oldKeepsFolder: keeps).show(context)
      } else {
        reportVanished(failure, context)
      }
      return .failure
    }
    let kills = report.counts["kills"] ?? 0
    let counts = [(report.runs, "upgrade"), (report.events, "operation")]
      .map { TextLayout.counted($0, $1) }.joined(separator: ", ")
    context.output(
      "\(new.name) agrees with the model on the files of \(old.name): \(counts); "
        + "\(old.name) was killed in \(kills), stopped in \(report.runs - kills)\n")
    let partialCount = report.counts["inconclusive"] ?? 0
    guard partialCount > 0 else { return .success }
    context.output(
      "\(partialCount) of them were checked in part: too many possible states to continue\n")
    // A campaign that mostly stopped early is no evidence. Cases are longer than those of `compare`.
    return partialCount * 10 <= report.runs ? .success : .harness
  }
}
