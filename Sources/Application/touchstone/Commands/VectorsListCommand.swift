internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios

/// `touchstone vectors list`: lists the vectors.
struct VectorsListCommand: Command {
  let isJSON: Bool
  let selection: Selection
  let vectors: String?

  static let manual = Manual(
    words: ["vectors", "list"],
    summary: "List the vectors with their ids, required offers and clauses.",
    options: [
      .init(
        name: "--json",
        help: "Print a JSON array, one vector per line: id, file, clauses, profile, …"),
      .filter, .vectors,
    ],
    examples: [
      ("touchstone vectors list --filter 'WIN-*'", "list the vectors about the winner"),
      ("touchstone vectors list --json | jq length", "count the vectors"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    isJSON = arguments.has("--json")
    selection = Selection(globs: arguments.values("--filter").map { Glob(JSONString($0)) })
    vectors = arguments.value("--vectors")
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let corpus = try Corpus.forCommand(vectors)
    try selection.requireMatches(in: corpus, Self.manual)
    let selected = corpus.vectors.filter { selection.contains($0) }
    context.output(isJSON ? Self.json(selected) : Self.table(selected))
    return .success
  }

  private static func table(_ vectors: [CorpusVector]) -> String {
    let rows = vectors.map { vector in
      let offers = Offer.all.filter { $0.includes(vector.vector) }.map(\.name)
      let clauses = vector.vector.clauses.map(\.description)
      return [
        vector.id.description, offers.joined(separator: "+"), clauses.joined(separator: " "),
      ]
    }
    return TextTable.lines(rows) { _ in false }.map { $0 + "\n" }.joined()
  }

  private static func json(_ vectors: [CorpusVector]) -> String {
    let lines = vectors.map { vector -> String in
      let value: JSONValue = [
        "id": vector.id.json, "file": .text(vector.file),
        "clauses": .array(vector.vector.clauses.map { $0.json }),
        "profile": .text(vector.vector.profile.rawValue),
        "capabilities": .array(vector.vector.capabilities.map { .text($0.rawValue) }),
        "required": .bool(vector.isRequired), "steps": .integer(Int64(vector.vector.steps.count)),
        "note": .string(vector.vector.note),
      ]
      return value.serialized()
    }
    return "[" + lines.joined(separator: ",\n ") + "]\n"
  }
}
