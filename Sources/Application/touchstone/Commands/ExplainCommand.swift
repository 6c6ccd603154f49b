internal import Conformance
internal import Datastore
internal import JSON
internal import ReferenceDatastore

/// `touchstone explain`: explains a rule, a vector, a mutant, a deviation, a restriction,
/// a name of another product or a word.
struct ExplainCommand: Command {
  let query: JSONString
  let isJSON: Bool
  let vectors: String?

  static let manual = Manual(
    words: ["explain"],
    summary: "Explain a rule, a vector, a mutant, a deviation, a restriction, a name or a word.",
    operands: ["CLAUSE|VECTOR|MUTANT|DEVIATION|RESTRICTION|NAME|WORD"],
    takesMethods: true,
    options: [
      .init(name: "--json", help: "Print one JSON object."),
      .init(name: "--vectors", value: "DIR", help: "Read clauses.json and vectors from DIR."),
    ],
    notes: """
      For a rule: its source, the behaviour of products, its vectors and the mutants that they kill. \
      For a vector: its purpose, its rules and its steps. For a mutant: its error and the vectors \
      that kill it. For a deviation: what such a store does, and which products do. For a restriction: what such a store cannot do, \
      and what is then not tested. For a name of CDTIncrementalStore, KinveyKit, DataStore or Core \
      Data: its counterpart here, and what differs. For a word: the best matches, best first. The kills are those that 'touchstone \
      defects --write' recorded.
      """,
    examples: [
      ("touchstone explain WIN-001", "explain a rule"),
      ("touchstone explain winner-live-beats-longer-tombstone", "explain a vector"),
      ("touchstone explain stubs-are-missing", "explain a deviation"),
      ("touchstone explain deviations", "list all deviations"),
      ("touchstone explain findWithoutSort", "explain a restriction"),
      ("touchstone explain restrictions", "list all restrictions"),
      ("touchstone explain CDTISReplicator", "find the counterpart of a name"),
      (
        "touchstone explain -processConflictsWithContext:error:",
        "the same for a method, with its arguments or without"
      ),
      ("touchstone explain names", "list all names of other products"),
      ("touchstone explain tombstone", "explain a word"),
      ("touchstone explain 'history limit'", "search for two words"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    // Reports name a mutant as the implementation `mutant:NAME`.
    let (operand, prefix) = (arguments.operands[0], "mutant:")
    let name = operand.hasPrefix(prefix) ? String(operand.dropFirst(prefix.count)) : operand
    query = JSONString(name)
    isJSON = arguments.has("--json")
    vectors = arguments.value("--vectors")
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    if explainDeviation(context) { return .success }
    let corpus = try Corpus.forCommand(vectors)
    if explainRestriction(in: corpus, context) { return .success }
    let handbook: Handbook
    do throws(CorpusError) {
      handbook = try Handbook(of: corpus)
    } catch {
      throw CommandFailure("the corpus is invalid; run 'touchstone vectors check'\n  \(error)")
    }
    if query == "names" {
      context.output(list(handbook.foreignNames, context))
      return .success
    }
    if explainReplicationDefect(in: handbook, context) { return .success }
    guard let explanation = handbook.explanation(of: query) else {
      throw CommandFailure(
        UsageError(
          "no rule, vector, mutant, deviation, restriction, name or word matches '\(query)'",
          Self.manual,
          suggestions: nearestIDs(
            to: query.string,
            among: handbook.names.map(\.string) + Deviation.all.map(\.id)
              + Self.namesOfReplicationDefects + Restriction.allCases.map(\.rawValue)
              + ["deviations", "restrictions", "names"])))
    }
    if isJSON {
      context.output(handbook.json(explanation).pretty() + "\n")
    } else {
      let text = ExplanationText(handbook, width: context.width, style: context.style)
      context.output(text.text(explanation))
    }
    return .success
  }

  /// All names of other products: one JSON array, or one line each.
  private func list(_ names: [ForeignName], _ context: Context) -> String {
    if isJSON { return JSONValue.array(names.map(\.json)).pretty() + "\n" }
    return names.map { name in
      let here = name.counterparts.map(\.code.string) + name.operations.map(\.string)
      let line =
        "\(name.product)  \(name.name)  "
        + (here.isEmpty ? "none" : here.joined(separator: ", "))
      return TextLayout.abbreviated(line, width: context.width, remark: "…") + "\n"
    }.joined()
  }
}
