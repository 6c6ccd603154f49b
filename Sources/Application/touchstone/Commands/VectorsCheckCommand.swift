internal import Conformance
internal import Datastore
internal import WireConformance

/// `touchstone vectors check`: validates a folder of vectors.
struct VectorsCheckCommand: Command {
  let path: String?

  static let manual = Manual(
    words: ["vectors", "check"],
    summary: "Validate a folder or a file of vectors.",
    operands: ["[DIR|FILE]"],
    notes: """
      Reports the first error of each vector. In a folder, manifest.json, mutants.json, \
      glossary.json, names.json and the folder http are checked, too. Exits with 1 on any error. A MUST clause without a vector is \
      listed, but is not an error.
      """,
    examples: [
      ("touchstone vectors check", "validate the bundled vectors"),
      ("touchstone vectors check ../mine/Vectors", "validate your own folder"),
      ("touchstone vectors check found.json", "validate one file with the bundled clauses"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    path = arguments.operands.first
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let location: VectorsLocation
    do throws(CorpusError) {
      location = try VectorsLocation.find(path)
    } catch {
      throw CommandFailure(error.description)
    }
    let reading = location.read()
    var problems = reading.problems.map(\.description)
    // The content of invalid files is unknown, so the checks of the other files are left out.
    if problems.isEmpty, location.file == nil {
      problems = reading.corpus.sideProblems.map(\.description)
      problems += try WireCorpus.problems(below: location.folder)
    }
    for problem in problems {
      context.output(TextLayout.printable(problem) + "\n")
    }
    let corpus = reading.corpus
    for clause in location.file == nil ? corpus.uncoveredClauses : [] {
      context.output(context.style.faint("\(clause.id) has no vector: \(clause.text)") + "\n")
    }
    let files = corpus.vectors.enumerated().count { index, vector in
      index == 0 || corpus.vectors[index - 1].file != vector.file
    }
    let counts =
      "\(TextLayout.counted(corpus.vectors.count, "vector")) in "
      + "\(TextLayout.counted(files, "file")), "
      + TextLayout.counted(corpus.clauses.count, "clause")
    guard problems.isEmpty else {
      let found = TextLayout.counted(problems.count, "problem")
      context.output("\(context.style.bad(found)) in \(counts)\n")
      return .failure
    }
    context.output("\(counts): \(context.style.good("valid"))\n")
    return .success
  }
}
