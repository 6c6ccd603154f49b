internal import Conformance
internal import Datastore
internal import Diagnosis
internal import JSON
internal import ObjectSimulation
internal import ReferenceDatastore
internal import Scenarios
internal import Simulation

/// `touchstone compare`: compares an implementation with the model on random sequences of
/// operations.
struct CompareCommand: StoreExperimentCommand {
  let store: StoreChoice
  let experiment: ExperimentOptions
  let steps: Int
  let strictness: OutcomeChecker.Strictness
  /// The value of `--checker`.
  let checker: String?
  /// The layer of objects whose operations are compared; nil for those of stores.
  let layer: ComparedLayer?
  /// The declared product; nil if none is.
  let product: ProductFile?
  /// The value of `--product`.
  private let productName: String?
  /// Whether the smallest failing part of each shrunk sequence is searched.
  let findsMinimum: Bool
  /// The number of classes of disagreements after which the comparison ends.
  let classesMax: Int

  static let cases = CaseNoun(plural: "sequences", singular: "sequence")
  private static let layerNames = ComparedLayer.all.map(\.name).joined(separator: ", ")
  private static let seeds = (noun: "sequences", seeds: "1..1000")

  static let manual = Manual(
    words: ["compare"],
    summary: "Perform random sequences of operations and compare every outcome with the model.",
    options: ExperimentOptions.manual(seeds) + [
      .init(
        name: "--steps", value: "COUNT", help: "Random operations per sequence; the default is 50."),
      .init(
        name: "--checker", earlierName: "--judge", value: "contract|model",
        help:
          "Accept every outcome that the contract allows, or only the model's own. The default is "
          + "contract, and model for the bundled stores."),
      .init(
        name: "--layer", value: "NAME",
        help:
          "Compare operations on a layer of objects (\(layerNames)) with the bundled layer on the "
          + "model, in place of operations on documents."),
      .product,
      .init(
        name: "--classes", value: "N",
        help: "End after N classes of disagreements; the default is 10."),
      .init(
        name: ExperimentOptions.failFast.name,
        help: "End at the first outcome that the rules reject, without a search for deviations."),
      .minimum,
    ] + StoreChoice.manual,
    notes: """
      Each sequence is a function of its seed. If an outcome is not accepted, and no known \
      deviation explains it, the sequence ends. One sequence of each class of such disagreements \
      (operation, kind of the outcome, kind of the expected outcome) is shrunk and printed as a \
      vector, for `touchstone run --grade contract --vectors FILE`. A sequence with a known \
      deviation continues with it. Exits with 1 on a disagreement or on a deviation that no \
      --product declares, and with 3 if more than 1 in 20 sequences had too many \
      possible states for the checker to continue. With --shard the sequences of all shards count \
      together, in `touchstone merge`.

      With --layer both implementations must return equal outcomes, except for messages and for \
      names that an implementation chooses, such as the URIs of objects.
      """,
    examples: [
      ("touchstone compare --seeds 1..100000", "run 100,000 sequences"),
      ("touchstone compare --seeds 4711", "run one sequence again"),
      ("touchstone compare --checker contract", "use the rules for stores that are not bundled"),
      (
        "touchstone compare --layer contexts --implementation 'exec:./my-adapter'",
        "compare the contexts of an adapter with the bundled ones"
      ),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    store = try StoreChoice(arguments, Self.manual, context: context)
    experiment = try ExperimentOptions(
      arguments, Self.manual, implementation: store.implementation, cases: Self.seeds, seedMax: .max
    )
    steps =
      try arguments.number("--steps", 1...100_000, for: Self.manual) ?? 50
    checker = arguments.value("--checker")
    layer = try Self.layer(arguments)
    product = try .given(arguments, Self.manual)
    productName = arguments.value("--product")
    findsMinimum = arguments.has(Manual.Option.minimum.name)
    classesMax = try arguments.number("--classes", 1...1000, for: Self.manual) ?? 10
    if product != nil, checker == "model" || checker == nil && store.implementation.followsModel {
      throw UsageError("--product needs --checker contract", Self.manual)
    }
    if layer != nil, checker != nil || product != nil {
      throw UsageError("--layer takes neither --checker nor --product", Self.manual)
    }
    switch checker {
    case nil: strictness = store.implementation.followsModel ? .model : .contract
    case "contract": strictness = .contract
    case "model": strictness = .model
    default: throw UsageError("--checker: expected contract or model", Self.manual)
    }
  }

  /// The layer that `--layer` names; nil without the option.
  private static func layer(_ arguments: Arguments) throws(UsageError) -> ComparedLayer? {
    guard let name = arguments.value("--layer") else { return nil }
    guard let layer = ComparedLayer.all.first(where: { $0.name == name }) else {
      throw UsageError("--layer '\(name)': expected one of \(layerNames)", manual)
    }
    return layer
  }

  /// What the implementation is compared with.
  var modelName: String { layer.map { "bundled \($0.name)" } ?? "model" }

  var words: [String] {
    store.words + (layer.map { ["--layer", $0.name] } ?? [])
      + (checker.map { ["--checker", $0] } ?? [])
      + (productName.map { ["--product", $0] } ?? [])
      + (classesMax == 10 ? [] : ["--classes", "\(classesMax)"]) + ["--steps", "\(steps)"]
      // Without the search, outcomes are findings that are known deviations otherwise.
      + (experiment.failsFast ? [ExperimentOptions.failFast.name] : [])
  }

  func makeSubject() throws(HarnessError) -> ComparisonSubject {
    store.stayOnOne()
    if let layer {
      return .layer(
        LayerComparison(layer, stepCount: steps) { () throws(HarnessError) in
          try store.make(for: "compare")
        })
    }
    let mode: StoreFollower.Mode =
      strictness == .model || experiment.failsFast && product == nil
      ? .rulesOnly : product.map { .declared($0.deviations) } ?? .discovering()
    return .store(
      Differential(stepCount: steps, strictness: strictness, mode: mode) {
        () throws(HarnessError) in try store.make(for: "compare")
      })
  }

  func isComplete(_ report: CampaignReport) -> Bool {
    Set(report.failures.map(\.finding.shape)).count >= classesMax
      || experiment.failsFast && showsDeviation(report)
  }

  /// Whether a sequence disagrees, or needs a deviation that is not declared.
  private func showsDeviation(_ report: CampaignReport) -> Bool {
    !report.failures.isEmpty || product == nil && !report.deviations.isEmpty
  }

  func exitCode(_ report: CampaignReport) -> ExitCode {
    if showsDeviation(report) { return .failure }
    // The shards of a campaign count together, in `merge`.
    return experiment.seeds.stride == 1 && report.isInconclusive ? .harness : .success
  }

  func conclude(
    _ report: CampaignReport, _ subject: ComparisonSubject?, nanoseconds: UInt64, context: Context
  ) throws(CommandFailure) -> ExitCode {
    if !report.failures.isEmpty { try showDisagreements(report, subject, context: context) }
    let deviations = deviationLines(report, width: context.width)
    guard report.failures.isEmpty else {
      if !deviations.isEmpty {
        context.error(
          "Sequences with known deviations:\n" + deviations.joined(separator: "\n") + "\n")
      }
      return exitCode(report)
    }
    let counts = [(report.runs, "sequence"), (report.events, "operation")]
      .map { TextLayout.counted($0, $1) }.joined(separator: ", ")
    let words =
      deviations.isEmpty
      ? "agrees with the \(modelName)" : "differs from the model only by known deviations"
    context.output("\(implementation.name) \(words): \(counts)\n")
    for line in deviations { context.output(line + "\n") }
    if !deviations.isEmpty, product == nil {
      context.output("A product file declares them; see 'touchstone compare --help'.\n")
    } else if report.inconclusiveCount > 0 {
      context.output(
        "\(report.inconclusiveCount) of them were checked in part: too many possible states to continue\n"
      )
    }
    return exitCode(report)
  }
}
