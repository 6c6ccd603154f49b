internal import Adapters
internal import Conformance
internal import Datastore
internal import ResolverChecking
internal import ResolverDefects

/// `touchstone resolver`: checks the conflict resolver of an application.
struct ResolverCommand: Command {
  let subject: ResolverSubject
  let seeds: SeedRange
  let expected: Set<ResolverGuarantee>
  let leaves: ResolvedLeaves
  /// The maximum number of leaves of the enumerated conflicts.
  let enumeratedLeaves: Int
  let requiresSecret: Bool
  /// Whether the resolver is served over the protocol instead of checked.
  let isServed: Bool

  static let manual = Manual(
    words: ["resolver"],
    summary: "Check an application's conflict resolver.",
    options: [
      .init(
        name: "--implementation", value: "NAME",
        choices: ImplementationEntry.places + ExampleResolver.allCases.map(\.rawValue)
          + ["mutant:"],
        help: "An adapter with a resolver, such as exec:COMMAND; a bundled resolver (merge, "
          + "greatest, winner); or mutant:NAME, a bundled resolver with a defect."),
      .init(
        name: "--expect", value: "GUARANTEES", choices: ["all", "last-writer-wins"],
        help: "all (the default); last-writer-wins, for a resolver that takes one version as a "
          + "whole; or a list of guarantees, separated by commas."),
      .init(
        name: "--without", value: "GUARANTEE", choices: ResolverGuarantee.allCases.map(\.rawValue),
        isRepeatable: true, help: "Do not check this guarantee."),
      .init(
        name: "--leaves", value: "all|live",
        help: "The leaves that the resolver receives: all (the default), or the live ones, as "
          + "CDTDatastore passes them."),
      .init(
        name: "--scope", value: "2|3",
        help: "Enumerate the conflicts of up to 2 leaves (1,000) or 3 (11,000, the default)."),
      .init(
        name: "--seeds", value: "A..B",
        help: "Random conflicts after the enumerated ones, one for each seed; default 1..1000."),
      .init(
        name: "--serve",
        help: "Do not check: serve a bundled resolver over the adapter protocol."),
      .requireSecret,
    ],
    notes: """
      Checks all conflicts of 2 and 3 leaves over a small domain, and then random ones: is the answer \
      the same each time, in another process, on another device and for another order of the leaves? \
      Does it keep what only one side changed, removed or deleted? Do devices that resolve and \
      replicate agree? Each broken guarantee is printed with a minimal conflict. An adapter with \
      exec: runs as one process for each device. docs/resolvers.md lists the guarantees.
      """,
    examples: [
      (
        "touchstone resolver --implementation 'exec:python3 resolver.py'",
        "check a resolver in another language"
      ),
      (
        "touchstone resolver --implementation exec:./resolver --expect last-writer-wins",
        "check a resolver that takes one version as a whole"
      ),
      (
        "touchstone resolver --implementation mutant:device-name",
        "show the report of a resolver with a defect"
      ),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    guard let name = arguments.value("--implementation") else {
      throw UsageError("missing option: --implementation exec:COMMAND", Self.manual)
    }
    subject = try ResolverSubject(name, Self.manual)
    seeds = try SeedRange(arguments.value("--seeds") ?? "1..1000", Self.manual)
    expected = try Self.guarantees(arguments)
    let leaves = arguments.value("--leaves") ?? "all"
    guard let choice = ResolvedLeaves(rawValue: leaves) else {
      throw UsageError("--leaves '\(leaves)': expected all or live", Self.manual)
    }
    self.leaves = choice
    enumeratedLeaves = try arguments.number("--scope", 2...3, for: Self.manual) ?? 3
    requiresSecret = try ImplementationEntry.requiresSecret(arguments, of: [name], Self.manual)
    isServed = arguments.has("--serve")
    if isServed, subject.closure == nil {
      throw UsageError("--serve needs a bundled resolver, such as merge", Self.manual)
    }
  }

  private static func guarantees(
    _ arguments: Arguments
  ) throws(UsageError) -> Set<ResolverGuarantee> {
    var expected: Set<ResolverGuarantee>
    switch arguments.value("--expect") ?? "all" {
    case "all": expected = .all
    case "last-writer-wins": expected = .lastWriterWins
    case let list:
      expected = []
      for name in list.split(separator: ",") { expected.insert(try guarantee(String(name))) }
    }
    for name in arguments.values("--without") { expected.remove(try guarantee(name)) }
    return expected
  }

  private static func guarantee(_ name: String) throws(UsageError) -> ResolverGuarantee {
    guard let guarantee = ResolverGuarantee(rawValue: name) else {
      let known = ResolverGuarantee.allCases.map(\.rawValue)
      throw UsageError(
        "unknown guarantee '\(name)'; expected \(known.joined(separator: ", "))", manual,
        suggestion: nearest(to: name, among: known))
    }
    return guarantee
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    if isServed { subject.serve() }
    let report: ResolverReport
    do throws(HarnessError) {
      var check = try check(context)
      check.enumeratedLeaves = enumeratedLeaves
      report = try check.report(seeds: seeds.first...seeds.last)
    } catch {
      throw CommandFailure("\(error)")
    }
    context.output(TextLayout.printableLines(report.text))
    return report.findings.isEmpty ? .success : .failure
  }

  private func check(_ context: Context) throws(HarnessError) -> ConflictResolverCheck {
    if let closure = subject.closure {
      return ConflictResolverCheck(
        expecting: expected, passing: leaves, timeLimit: Self.timeLimit, forEachDevice: closure)
    }
    guard let place = subject.place else { throw HarnessError("there is no resolver") }
    let peers = try PeerRules.ofRunner(place, context, requiresSecret: requiresSecret)
    place.announceWaiting(context)
    return ConflictResolverCheck(
      place, expecting: expected, passing: leaves, timeLimit: Self.timeLimit,
      runner: "touchstone \(toolVersion)", peers: peers)
  }

  private static let timeLimit = Duration.seconds(5)
}
