internal import Conformance
internal import Datastore
internal import JSON
internal import ModelFiles
internal import ObjectMapping
internal import ObjectOperations
internal import ObjectSimulation
internal import Simulation

/// `touchstone objects`: stores random objects in an implementation and checks what is lost.
struct ObjectsCommand: StoreExperimentCommand {
  let store: StoreChoice
  let experiment: ExperimentOptions
  let objectCount: Int
  /// The file of the model and its path; nil for random models.
  let model: (path: String, file: ModelFile)?
  let pagePath: String?

  static let cases = CaseNoun(plural: "journeys", singular: "journey")
  private static let seeds = (noun: "journeys", seeds: "1..100")

  static let manual = Manual(
    words: ["objects"],
    summary:
      "Store random objects in an implementation, and check what is lost.",
    options: ExperimentOptions.manual(seeds) + [
      .init(name: "--objects", value: "COUNT", help: "Objects per run; the default is 20."),
      .init(
        name: "--model", value: "FILE",
        help: "The model of all runs: .xcdatamodeld, .xcdatamodel or JSON; the default is a random "
          + "model for each run."),
      .init(
        name: "--page", value: "FILE",
        help: "Write a page with the objects of the first failing run, or of the first run."),
    ] + StoreChoice.manual,
    notes: """
      Each run has its own random model and objects, or random objects of the model of --model, \
      which 'touchstone model' prints; their values ignore its rules, which contexts check. They \
      are encoded and decoded in both forms, also with JSON libraries that keep only doubles; then \
      saved, read, changed, read after reopening, replicated, and read on the replica by their \
      URIs. The results must equal the originals bit by bit. For a store without objects, \
      Touchstone's own mapping is used. The page of --page shows the model, each object with its \
      documents, what came back after each stage, and the lost value. Exits with 1 if something \
      was lost.
      """,
    examples: [
      ("touchstone objects --seeds 1..5000", "store 100,000 objects"),
      ("touchstone objects --implementation 'exec:./my-adapter'", "test the mapping of an adapter"),
      ("touchstone objects --model Recipes.xcdatamodeld", "store objects of your own model"),
      ("touchstone objects --seeds 7 --page objects.html", "write a page about one run"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    store = try StoreChoice(arguments, Self.manual, context: context)
    experiment = try ExperimentOptions(
      arguments, Self.manual, implementation: store.implementation, cases: Self.seeds)
    objectCount =
      try arguments.number("--objects", 1...10_000, for: Self.manual) ?? 20
    pagePath = arguments.value("--page")
    guard let path = arguments.value("--model") else {
      model = nil
      return
    }
    let file = try ModelCommand.read(path, Self.manual)
    guard !file.model.entities.isEmpty else {
      throw UsageError("\(path): the model has no entities", Self.manual)
    }
    model = (path, file)
  }

  var words: [String] {
    store.words + ["--objects", "\(objectCount)"] + (model.map { ["--model", $0.path] } ?? [])
  }

  func makeSubject() throws(HarnessError) -> ObjectJourney {
    store.stayOnOne()
    var subject = try store.make(for: "objects")
    if !subject.description.capabilities.contains(.objects) { subject = ObjectDatastore(subject) }
    return ObjectJourney(subject, objectCount: objectCount, model: model?.file.model)
  }

  func conclude(
    _ report: CampaignReport, _ subject: ObjectJourney?, nanoseconds: UInt64, context: Context
  ) throws(CommandFailure) -> ExitCode {
    if let failure = report.failures.first {
      let loss = try implementation.attempt { () throws(HarnessError) in
        try made(subject).loss(ofSeed: failure.seed)
      }
      if let loss { show(loss, context) } else { reportVanished(failure, context) }
      return .failure
    }
    let counts = [(report.runs, "journey"), (report.counts["objects"] ?? 0, "object")]
      .map { TextLayout.counted($0, $1) }.joined(separator: ", ")
    let mapsItself = try implementation.attempt { () throws(HarnessError) in
      try made(subject).mapsItself
    }
    let whose = mapsItself ? "" : " (the mapping is Touchstone's)"
    context.output("\(implementation.name): 0 lost values: \(counts)\(whose)\n")
    return .success
  }

  func page(
    _ report: CampaignReport, _ subject: ObjectJourney?, context: Context
  ) throws(CommandFailure) -> String {
    let seed = report.failures.first?.seed ?? experiment.seeds.first
    let record = try implementation.attempt { () throws(HarnessError) in
      try made(subject).record(ofSeed: seed)
    }
    return ObjectPage(
      of: implementation.name, record, journeys: report.runs,
      objects: report.counts["objects"] ?? 0, command: again(seed), program: programName
    ).html
  }

  private func show(_ loss: ObjectJourney.Loss, _ context: Context) {
    context.error(
      """
      \(context.errorStyle.bad("\(implementation.name) lost a value")) at seed \(loss.seed), when \
      the object was \(loss.stage).
        expected   \(TextLayout.printable(loss.expected.serialized()))
        found      \(TextLayout.printable(loss.found.serialized()))
        again      \(again(loss.seed))

      """)
    context.output("\(SafeJSON(loss.operation.json).line)\n")
  }
}
