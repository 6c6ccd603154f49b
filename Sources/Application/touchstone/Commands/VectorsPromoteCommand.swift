internal import Conformance
internal import Datastore
internal import Defects
internal import JSON
internal import ObjectDefects
internal import ObjectSimulation
internal import Scenarios
internal import Simulation

/// `touchstone vectors promote`: converts a scenario to a vector, if it has a vector form.
struct VectorsPromoteCommand: Command {
  let path: String
  let id: VectorID
  let clauses: [ClauseID]
  let note: String
  /// The family of the vector: the part of its id before the first hyphen.
  let family: JSONString
  let implementation: ImplementationEntry
  let mutant: Defect?

  private static let defaultClauses: [ClauseID] = ["REPL-006"]

  static let manual = Manual(
    words: ["vectors", "promote"],
    summary: "Convert a scenario to a vector, and run it on an implementation.",
    operands: ["FILE"],
    options: [
      .init(
        name: "--id", value: "ID",
        help:
          "The id of the vector, its family before the first hyphen; the default is session-promoted-scenario."
      ),
      .init(
        name: "--clause", value: "ID", isRepeatable: true,
        help: "A clause that it shows; the default is REPL-006."),
      .init(name: "--note", value: "TEXT", help: "The note of the vector."),
      .implementation,
      .init(
        name: "--mutant", earlierName: "--mistake", value: "NAME",
        help: "Run a known mutant of the implementation."),
      .requireSecret, .allowRemote,
    ],
    notes: """
      The vector performs the client steps of the scenario, and its sessions one after the other; \
      in the end all stores replicate, and each must equal the model. Steps that need a network, a \
      clock or a crash have no vector form: they are listed, and the exit code is 3. The exit code \
      is 1 if the implementation fails the vector.
      """,
    examples: [
      (
        "touchstone vectors promote found.json --id session-conflict-lost > found-vector.json",
        "write a new vector"
      )
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    path = arguments.operands[0]
    id = VectorID(JSONString(arguments.value("--id") ?? "session-promoted-scenario"))
    let parts = id.text.utf8.split(
      separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let family = String(parts[0]), !family.isEmpty, !parts[1].isEmpty else {
      throw UsageError(
        "--id '\(id)': expected a family, a hyphen and a name, such as session-lost-write",
        Self.manual)
    }
    self.family = JSONString(family)
    let named = arguments.values("--clause").map { ClauseID(JSONString($0)) }
    clauses = named.isEmpty ? Self.defaultClauses : named
    note = arguments.value("--note") ?? "Found by simulation and shrunk."
    implementation = try .given(arguments, Self.manual, context: context)
    mutant = try arguments.value("--mutant").map { name throws(UsageError) in
      if let defect = Defect.all.first(where: { $0.name == name }) { return defect }
      throw UsageError(
        "unknown mutant '\(name)'", Self.manual,
        suggestions: nearestIDs(to: name, among: Defect.all.map(\.name)))
    }
  }

  /// Throws if a clause is not of the corpus, because `run` would reject the vector.
  private func checkClauses() throws(CommandFailure) {
    guard clauses != Self.defaultClauses else { return }
    let known = try Corpus.forCommand(nil).clauses.map(\.id)
    if let unknown = clauses.first(where: { !known.contains($0) }) {
      throw CommandFailure(
        UsageError(
          "--clause: unknown clause '\(unknown)'", Self.manual,
          suggestions: nearestIDs(to: "\(unknown)", among: known.map { "\($0)" })))
    }
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let scenario = try Scenario.forCommand(path)
    try checkClauses()
    let vector: Vector
    do throws(ScenarioPromotion.Obstacles) {
      vector = try ScenarioPromotion.vector(
        of: scenario, id: id, clauses: clauses, note: JSONString(note))
    } catch {
      throw CommandFailure(
        "\(path) has no vector form: "
          + TextLayout.printable(error.sentences.joined(separator: "; ")))
    }
    let file = VectorFile(family: family, about: "Found by simulation.", vectors: [vector])
    context.output(file.json.pretty() + "\n")
    let store: any ImplementationUnderTest
    do throws(HarnessError) {
      let honest = try implementation.make(.memory)
      store = mutant?.applied(to: honest) ?? honest
    } catch {
      throw CommandFailure("\(implementation.name): \(error)")
    }
    let rules = clauses.map { id in
      Clause(id: id, level: .must, text: "What the scenario shows.", source: "a simulation")
    }
    let report = Runner(store).run(
      Corpus(
        clauses: rules, vectors: [CorpusVector(vector, clauses: rules, file: path)]))
    guard let verdict = report.results.first?.verdict else {
      throw CommandFailure("the vector did not run on \(implementation.name)")
    }
    switch verdict {
    case .pass:
      context.error("\(TextLayout.printable(store.description.name)) passes it\n")
      return .success
    case .fail:
      let name = TextLayout.printable(store.description.name)
      context.error("\(name) fails it: \(verdict)\n")
      return .failure
    case .skipped, .harnessError: throw CommandFailure("\(store.description.name): \(verdict)")
    }
  }
}
