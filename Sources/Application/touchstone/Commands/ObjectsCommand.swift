internal import Adapters
internal import Conformance
internal import Datastore
internal import JSON
internal import ObjectMapping
internal import ObjectOperations
internal import ObjectSimulation
internal import Simulation

/// `touchstone objects`: takes random objects through an implementation, and sees what is lost.
struct ObjectsCommand: Command {
  let implementation: ImplementationEntry
  let storage: StorageChoice?
  let seeds: SeedRange
  let objectCount: Int

  static let manual = Manual(
    words: ["objects"],
    summary:
      "Take random objects of random models through an implementation, and see what is lost.",
    options: [
      .init(name: "--seeds", value: "A..B", help: "Which journeys, both ends included; 1..100."),
      .init(name: "--objects", value: "COUNT", help: "Objects of a journey; 20."),
      .init(
        name: "--implementation", value: "NAME",
        help:
          "Which one: sqlite (the default), reference, or exec:COMMAND and the like for an adapter."
      ),
      .init(
        name: "--storage", value: "memory|disk:DIR",
        help: "Where a store that keeps files keeps them; memory is the default."),
      .requireSecret,
    ],
    notes: """
      Every journey has a model and objects of its own. They are encoded and decoded, in both forms \
      and over JSON libraries that keep only doubles; saved, read, changed, read after reopening, \
      replicated, and read there by their URIs. What comes back must be what went in, bit for bit. \
      A store that does not keep objects itself gets the mapping of Touchstone. Exits with 1 when \
      something was lost.
      """,
    examples: [
      ("touchstone objects --seeds 1..5000", "a hundred thousand objects"),
      ("touchstone objects --implementation 'exec:./my-adapter'", "a mapping of another make"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    implementation = try .given(arguments, Self.manual, context)
    storage = try .given(arguments, for: implementation, Self.manual)
    seeds = try SeedRange(arguments.value("--seeds") ?? "1..100", Self.manual)
    guard let count = Int(arguments.value("--objects") ?? "20"), (1...10_000).contains(count) else {
      throw UsageError("--objects is a number from 1 to 10000", Self.manual)
    }
    objectCount = count
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    do throws(HarnessError) {
      return try travel(context)
    } catch {
      throw CommandFailure("\(implementation.name): \(error)")
    }
  }

  private func travel(_ context: Context) throws(HarnessError) -> ExitCode {
    if !implementation.runsBesideItself { Processor.stayOnOne() }
    var subject = try implementation.make(storage ?? .memory)
    let mapsItself = subject.description.capabilities.contains(.objects)
    if !mapsItself { subject = ObjectDatastore(subject) }
    try subject.begin(.run("objects"))
    let journey = ObjectJourney(subject, objectCount: objectCount)
    var line = ProgressLine(context)
    let count = seeds.count
    for (done, seed) in (seeds.first...seeds.last).enumerated() {
      if let loss = try journey.run(seed: seed) {
        line.finish()
        report(loss, context)
        return .failure
      }
      line.show(done + 1, of: count, "journeys", single: "journey")
    }
    line.finish()
    let counts = [(count, "journey"), (count * objectCount, "object")]
      .map { TextLayout.counted($0, $1) }.joined(separator: ", ")
    let whose = mapsItself ? "" : " (the mapping is Touchstone's)"
    context.output("\(implementation.name) lost nothing: \(counts)\(whose)\n")
    return .success
  }

  private func report(_ loss: ObjectJourney.Loss, _ context: Context) {
    let words =
      ["touchstone", "objects"] + implementation.words
      + (storage.map { ["--storage", $0.description] } ?? [])
      + ["--objects", "\(objectCount)", "--seeds", "\(loss.seed)"]
    context.error(
      """
      \(context.errorStyle.bad("\(implementation.name) lost something")) at seed \(loss.seed), when \
      the object was \(loss.stage).
        expected   \(TextLayout.printable(loss.expected.serialized()))
        found      \(TextLayout.printable(loss.found.serialized()))
        again      \(words.map(shellQuoted).joined(separator: " "))

      """)
    context.output("\(SafeJSON(loss.operation.json).line)\n")
  }
}
