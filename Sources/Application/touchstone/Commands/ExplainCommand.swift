internal import Conformance
internal import Datastore
internal import JSON

/// `touchstone explain`: what there is to say about a rule, a vector, a mistake or a word.
struct ExplainCommand: Command {
  let query: JSONString
  let isJSON: Bool
  let vectors: String?

  static let manual = Manual(
    words: ["explain"],
    summary: "Explain a rule, a vector, a mistake or a word.",
    operands: ["CLAUSE|VECTOR|MISTAKE|WORD"],
    options: [
      .init(name: "--json", help: "As one JSON object."),
      .init(name: "--vectors", value: "DIR", help: "A folder with clauses.json and vectors."),
    ],
    notes: """
      Of a rule: who says so, what products do, which vectors show it and which mistakes they see. \
      Of a vector: why it exists, its rules, its steps in short. Of a word: where it stands, best \
      first. Who sees which mistake is as 'touchstone defects --write' has kept it.
      """,
    examples: [
      ("touchstone explain WIN-001", "a rule"),
      ("touchstone explain winner-live-beats-longer-tombstone", "a vector"),
      ("touchstone explain tombstone", "a word"),
      ("touchstone explain 'history limit'", "two words that stand together"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    query = JSONString(arguments.operands[0])
    isJSON = arguments.has("--json")
    vectors = arguments.value("--vectors")
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let corpus = try Corpus.forCommand(vectors)
    let handbook: Handbook
    do throws(CorpusError) {
      handbook = try Handbook(of: corpus)
    } catch {
      throw CommandFailure("the vectors are not right\n  \(error)")
    }
    guard let explanation = handbook.explanation(of: query) else {
      throw CommandFailure(
        UsageError(
          "nothing is known about '\(query)'", Self.manual,
          suggestions: nearestIDs(to: query.string, among: handbook.names.map(\.string))))
    }
    if isJSON {
      context.output(handbook.json(explanation).pretty() + "\n")
    } else {
      let text = ExplanationText(handbook, width: context.width, style: context.style)
      context.output(text.text(explanation))
    }
    return .success
  }
}
