internal import Conformance
internal import Datastore
internal import JSON
internal import Simulation

// The report of a campaign, checked by running its seeds.

extension VerifyCommand {
  /// Runs the seeds of a report, or a sample of them.
  func verify(_ file: CampaignFile, _ context: Context) throws(CommandFailure) -> ExitCode {
    guard let identity = file.identity, file.seeds?.isEmpty == false else {
      throw wrong("a worker or an older version of touchstone wrote it: it does not say what ran")
    }
    guard vectors == nil, storage == nil else {
      throw CommandFailure(
        UsageError("--vectors and --storage are for verdicts of run", Self.manual))
    }
    let merge: CampaignMerge
    do throws(CampaignMerge.Refusal) {
      // As in a merge, no seed may count twice.
      merge = try CampaignMerge([("its seeds", file)], isPartial: true)
    } catch {
      throw wrong(error.description)
    }
    var options = identity.options.map(\.string)
    switch options.first {
    case "compare":
      options.removeFirst()
      return try verify(
        merge,
        by: try command(CompareCommand.self, options: options, of: identity, context: context),
        context: context)
    case "objects":
      options.removeFirst()
      return try verify(
        merge,
        by: try command(ObjectsCommand.self, options: options, of: identity, context: context),
        context: context)
    case "collections":
      options.removeFirst()
      return try verify(
        merge,
        by: try command(CollectionsCommand.self, options: options, of: identity, context: context),
        context: context)
    // Reports of simulations name no command.
    case let first? where first.utf8.starts(with: "--".utf8):
      return try verify(
        merge,
        by: try command(SimulateCommand.self, options: options, of: identity, context: context),
        context: context)
    default:
      throw wrong(
        "it is about '\(options.first ?? "")'; only reports of simulate, compare, objects and "
          + "collections can be verified")
    }
  }

  /// The options that a report may have. None of them starts a program or writes a file; the file of a
  /// product is read as data.
  private static var knownOptions: [String] {
    [
      "--implementation", "--product", "--replicas", "--operations", "--faults", "--contexts",
      "--mutant", "--safety-only", "--layer", "--checker", "--classes", "--steps", "--objects",
      "--clients", "--calm", "--fail-fast",
    ]
  }

  /// The campaign that the report describes, with the implementation of the command line.
  private func command<Experiment: ExperimentCommand>(
    _ type: Experiment.Type, options: [String], of identity: CampaignIdentity, context: Context
  ) throws(CommandFailure) -> Experiment {
    do throws(UsageError) {
      let stated = try Arguments(options, for: type.manual)
      // The command line has its own.
      let ignored = [Manual.Option.requireSecret.name, Manual.Option.allowRemote.name]
      let names = type.manual.options.map(\.name)
      for name in names where !(Self.knownOptions + ignored).contains(name) && stated.has(name) {
        throw UsageError(
          "identity.options: '\(name)' is not an option that defines the cases", Self.manual)
      }
      let given = stated.values(Manual.Option.implementation.name)
      let named = given.joined(separator: " + ")
      guard !given.isEmpty, named == identity.implementation.string else {
        throw UsageError(
          "identity.implementation is '\(identity.implementation)', but identity.options have '\(named)'",
          Self.manual)
      }
      guard implementation == nil || given.count < 2 else {
        throw UsageError(
          "it has \(given.count) implementations, and --implementation names one", Self.manual)
      }
      var words: [String] = []
      for option in stated.occurrences(of: Self.knownOptions) {
        let isSubject = option.name == Manual.Option.implementation.name
        words.append(option.name)
        if isSubject {
          words.append(try subject(named: option.value, context))
        } else if !option.value.isEmpty {
          words.append(option.value)
        }
      }
      // Adapters and servers may not permit several at a time.
      let isOwn = given.allSatisfy { Self.isPart($0, context) }
      if let jobs = jobs ?? (isOwn ? "\(Files.processorCount)" : nil) { words += ["--jobs", jobs] }
      return try Experiment(Arguments(words + accessWords, for: type.manual), context)
    } catch {
      throw wrong(error.message)
    }
  }

  private func verify(
    _ merge: CampaignMerge, by experiment: some ExperimentCommand, context: Context
  ) throws(CommandFailure) -> ExitCode {
    let file = merge.file
    guard let stated = file.identity, let parts = file.seeds else { return .harness }
    let ranges = parts.flatMap(\.ranges)
    let sample = try chosen(of: file.report.runs, context).map {
      SeedRange.seeds(at: $0, of: ranges)
    }
    let seeds = sample ?? SeedRange.ending(at: file.report.failures.map(\.seed), ranges)
    let description = try experiment.implementations.attempt { () throws(HarnessError) in
      try experiment.description()
    }
    let report = try experiment.repeated(seeds, context)
    guard let report else {
      context.error("the campaign ended early; the verdict is not checked\n")
      return .harness
    }
    let identity = try self.identity(for: stated, description, context: context)
    let check = CampaignCheck(merge, sample: sample, report, by: identity)
    context.output(TextLayout.printableLines(check.text))
    return check.holds ? .success : .failure
  }
}
