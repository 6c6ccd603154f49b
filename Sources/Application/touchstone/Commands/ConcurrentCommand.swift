internal import ConcurrentClients
internal import Conformance
internal import Datastore
internal import Diagnosis
internal import JSON
internal import Rendering
internal import Scenarios
internal import Simulation

/// `touchstone concurrent`: several clients at once, and the search for an order of their operations.
struct ConcurrentCommand: ExperimentCommand {
  let implementation: ImplementationEntry
  let experiment: ExperimentOptions
  let settings: ConcurrentSettings
  let product: ProductFile?
  private let productName: String?
  private let faultNames: String?
  private let withoutNames: String?
  let page: String?
  let historyPath: String?
  private let maker: ImplementationEntry.ConnectionMaker

  static let cases = CaseNoun(plural: "histories", singular: "history")
  private static let seeds = (noun: "histories", seeds: "1..100")
  private static let connectionsMax = 64

  static let manual = Manual(
    words: ["concurrent"],
    summary:
      "Let several clients use one store at once, and check that their operations have an order.",
    options: ExperimentOptions.manual(seeds) + [
      .init(
        name: "--connections", value: "N", help: "The number of clients; the default is 4."),
      .init(
        name: "--operations", value: "COUNT",
        help: "Operations of all clients in one history, up to 20000; the default is 200."),
      .init(
        name: "--processes",
        help: "Each connection to the bundled SQLite store is a process, and all share one folder."),
      .init(
        name: "--schedule", value: "free|controlled",
        help: "Let the clients run freely, or one at a time in an order that the seed decides."),
      .init(
        name: "--faults", value: "LIST",
        help: "Faults during each history: "
          + ClientFault.allCases.map { "\($0.rawValue) (\($0.help))" }.joined(separator: ", ")
          + "."),
      .init(
        name: "--without", value: "LIST",
        help: "Do not require these guarantees: "
          + ConsistencyPromise.allCases.map { "\($0.rawValue) (\($0.words))" }
          .joined(separator: ", ") + "."),
      .init(
        name: "--page", value: "FILE",
        help: "Write a page with the contradiction: a lane for each connection."),
      .init(
        name: "--history", value: "FILE",
        help: "Write the whole history of the first finding, one operation on each line."),
      .product, .implementation, .requireSecret, .allowRemote,
    ],
    notes: """
      The clients contend for a few documents: edits of the same revision, creations, deletions, \
      resolutions, replicated revisions, batches, purges, compactions, local documents, attachments, \
      queries, and readers of the feed. Each request and each response is recorded. Then a search \
      decides for each document whether some order of the operations, within their times, has all \
      these outcomes; an operation without a response may have happened or not. Further checks are \
      about the positions of the feed, what each client has seen before, and what is there at the \
      end. A contradiction is reduced to a few operations.

      With --schedule controlled, a seed repeats a history exactly; the implementation must be in \
      this process, or an adapter that asks for a turn. Otherwise a seed only repeats the choices of \
      the clients. Exits with 1 if a history has no order, and with 3 if the search ended early for \
      more than 1 in 100 operations.
      """,
    examples: [
      ("touchstone concurrent --processes --connections 8", "8 processes on one database"),
      (
        "touchstone concurrent --processes --faults kill,pause --seconds 60",
        "kill and stop the processes meanwhile"
      ),
      (
        "touchstone concurrent --implementation mutant:race-update-checked-before --schedule controlled",
        "see how a store fails that checks and writes in two transactions"
      ),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    implementation = try .given(arguments, Self.manual, context: context)
    experiment = try ExperimentOptions(
      arguments, Self.manual, implementation: implementation, cases: Self.seeds)
    guard let maker = implementation.makeConnections else {
      throw UsageError(
        "\(implementation.name) has one connection only, so it cannot be used by several clients",
        Self.manual)
    }
    self.maker = maker
    product = try .given(arguments, Self.manual)
    productName = arguments.value("--product")
    page = arguments.value("--page")
    historyPath = arguments.value("--history")
    faultNames = arguments.value("--faults")
    withoutNames = arguments.value("--without")
    var faults: [ClientFault] = []
    for name in (faultNames ?? "").split(separator: ",") {
      guard let fault = ClientFault(rawValue: String(name)) else {
        throw UsageError(
          "--faults: unknown fault '\(name)'; expected "
            + ClientFault.allCases.map(\.rawValue).joined(separator: ", "), Self.manual,
          suggestion: nearest(to: String(name), among: ClientFault.allCases.map(\.rawValue)))
      }
      if !faults.contains(fault) { faults.append(fault) }
    }
    let missing = try Self.promises(arguments.value("--without"))
    let isControlled: Bool
    switch arguments.value("--schedule") {
    case nil, "free": isControlled = false
    case "controlled": isControlled = true
    default: throw UsageError("--schedule: expected free or controlled", Self.manual)
    }
    let areProcesses = arguments.has("--processes")
    if areProcesses, implementation.name != "sqlite" {
      throw UsageError("--processes is for --implementation sqlite", Self.manual)
    }
    if areProcesses, isControlled {
      throw UsageError("--schedule controlled is for connections in this process", Self.manual)
    }
    let isLocal = implementation.keepsFiles || implementation.followsModel
    if isLocal, !areProcesses, faults.contains(.kill) || faults.contains(.pause) {
      throw UsageError("--faults kill and pause need --processes", Self.manual)
    }
    if isLocal, faults.contains(.cut) {
      throw UsageError(
        "--faults cut needs a server, or an adapter whose connections are sockets", Self.manual)
    }
    if faults.contains(.full), implementation.name != "sqlite" || !isControlled {
      throw UsageError(
        "--faults full needs --implementation sqlite --schedule controlled", Self.manual)
    }
    settings = ConcurrentSettings(
      connections:
        try arguments.number("--connections", 1...Self.connectionsMax, for: Self.manual) ?? 4,
      operations: try arguments.number("--operations", 1...20_000, for: Self.manual) ?? 200,
      areProcesses: areProcesses, isControlled: isControlled, faults: faults,
      promises: Set(ConsistencyPromise.allCases).subtracting(product?.missingPromises ?? [])
        .subtracting(missing))
    if experiment.proves, !isControlled {
      throw UsageError("--prove needs --schedule controlled", Self.manual)
    }
  }

  private static func promises(_ text: String?) throws(UsageError) -> Set<ConsistencyPromise> {
    var found: Set<ConsistencyPromise> = []
    let names = ConsistencyPromise.allCases.map(\.rawValue)
    for name in (text ?? "").split(separator: ",") {
      guard let promise = ConsistencyPromise(rawValue: String(name)) else {
        throw UsageError(
          "--without: unknown guarantee '\(name)'; expected \(names.joined(separator: ", "))",
          manual, suggestion: nearest(to: String(name), among: names))
      }
      found.insert(promise)
    }
    return found
  }

  var implementations: [ImplementationEntry] { [implementation] }

  var outputPaths: [String] {
    [experiment.reportPath, page, historyPath].compactMap { $0 }
  }

  var words: [String] {
    implementation.words + (productName.map { ["--product", $0] } ?? [])
      + ["--connections", "\(settings.connections)", "--operations", "\(settings.operations)"]
      + (settings.areProcesses ? ["--processes"] : [])
      + (settings.isControlled ? ["--schedule", "controlled"] : [])
      + (withoutNames.map { ["--without", $0] } ?? [])
      + (faultNames.map { ["--faults", $0] } ?? [])
  }

  func makeSubject() throws(HarnessError) -> ConcurrentExperiment {
    ConcurrentExperiment(maker, settings)
  }

  func description() throws(HarnessError) -> ImplementationDescription {
    try maker(
      ConnectionWish(
        count: 1, areProcesses: settings.areProcesses, cuts: false, seed: 0, scheduler: nil)
    ).description
  }

  func conclude(
    _ report: CampaignReport, _ subject: ConcurrentExperiment?, nanoseconds: UInt64,
    context: Context
  ) throws(CommandFailure) -> ExitCode {
    let ordered = report.counts["ordered"] ?? 0
    let unknown = report.counts["unknown"] ?? 0
    if let failure = report.failures.first {
      try show(failure, of: subject, context)
      return .failure
    }
    let counts = [(report.runs, "history"), (report.events, "operation")]
      .map { Self.counted($0, $1) }.joined(separator: ", ")
    context.output(
      "\(implementation.name) keeps the order of "
        + "\(TextLayout.counted(settings.connections, "client")): \(counts)\n")
    let details = [
      ("without a response", report.counts["unanswered"] ?? 0),
      ("rejected as busy", report.counts["busy"] ?? 0),
      ("order not determined", unknown),
    ]
    for (words, count) in details where count > 0 {
      context.output(
        "  \(words): \(count) (\(Self.share(count, of: max(ordered, report.events))))\n")
    }
    if let faults = report.counts["faults"], faults > 0 { context.output("  faults: \(faults)\n") }
    return unknown * 100 <= ordered ? .success : .harness
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    noun == "history"
      ? "\(count) \(count == 1 ? "history" : "histories")"
      : TextLayout.counted(count, noun)
  }

  /// A share in percent with two decimals.
  static func share(_ count: Int, of total: Int) -> String {
    guard total > 0 else { return "0.00 %" }
    let hundredths = count * 10_000 / total
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) %"
  }
}
